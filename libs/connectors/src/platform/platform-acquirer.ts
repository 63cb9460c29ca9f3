import { Variable } from '@sluice/service';
import { IsBoolean, IsOptional, IsString, Matches } from 'class-validator';
import type { Acquirer } from '../acquirer.js';
import { addressFault, bearer } from './gateway-address.js';
import { PlatformConnector } from './platform-connector.js';

/** Where another gateway of this interface is, and who we are there. */
export class PlatformSettings {
  @Variable('PAYMENTS_PLATFORM_URL', {
    meaning:
      'where another gateway of this interface is that payments go to; without it there is none',
  })
  @IsOptional()
  @IsString()
  readonly url?: string;

  @Variable('PAYMENTS_PLATFORM_ENTITY_ID', {
    meaning: 'the entityId there: of a channel, or of a merchant where channels are dispatched',
  })
  @IsOptional()
  @Matches(/^[0-9a-f]{32}$/)
  readonly entityId?: string;

  @Variable('PAYMENTS_PLATFORM_ACCESS_TOKEN', {
    secret: true,
    meaning: 'the access token there',
  })
  @IsOptional()
  @Matches(/^[!-~]{1,1024}$/)
  readonly accessToken?: string;

  @Variable('PAYMENTS_PLATFORM_PRIVATE', {
    meaning:
      'whether it is in a private network or on this machine; then test payments may also go there by http',
  })
  @IsBoolean()
  readonly isPrivate: boolean = false;
}

/** Another gateway of the interface family. */
export const platform: Acquirer<PlatformSettings> = {
  name: 'platform',
  settings: PlatformSettings,
  connect: (settings, { callTimeoutMs, maxInFlightMs, callsMax: connectionsMax }) => {
    const { url, entityId, accessToken, isPrivate } = settings;
    if (url === undefined) return undefined;
    if (entityId === undefined || accessToken === undefined) {
      throw new TypeError(
        'PAYMENTS_PLATFORM_URL needs PAYMENTS_PLATFORM_ENTITY_ID and _ACCESS_TOKEN beside it',
      );
    }
    const fault = addressFault(url, isPrivate);
    if (fault !== undefined) throw new TypeError(`PAYMENTS_PLATFORM_URL ${fault}`);
    const { origin } = new URL(url);
    return new PlatformConnector({
      access: { origin, entityId, authorization: bearer(accessToken), isPrivate },
      callTimeoutMs,
      maxInFlightMs,
      connectionsMax,
    });
  },
};
