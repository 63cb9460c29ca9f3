import { Variable } from '@sluice/service';
import { IsBoolean, IsOptional, IsString, Matches } from 'class-validator';
import {
  type AccountEndpoint,
  type Acquirer,
  type CallLimits,
  EndpointRefused,
} from '../acquirer.js';
import { addressFault, bearer, bearerOf, TOKEN } from './gateway-address.js';
import { PlatformConnector } from './platform-connector.js';

/** Of a channel or a merchant (Interface 2.1). */
const ENTITY_ID = /^[0-9a-f]{32}$/;

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
  @Matches(ENTITY_ID)
  readonly entityId?: string;

  @Variable('PAYMENTS_PLATFORM_ACCESS_TOKEN', {
    secret: true,
    meaning: 'the access token there',
  })
  @IsOptional()
  @Matches(TOKEN)
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
  connectTo,
};

/** The one secret of an account there. */
const CREDENTIAL = 'accessToken';

/** Payments has said already which addresses may be called, and how their names are looked up. */
function connectTo(endpoint: AccountEndpoint, limits: CallLimits): PlatformConnector {
  const { address, acquirerMerchantId: entityId, settings, secretFiles, lookup } = endpoint;
  const fault = addressFault(address.href, true);
  if (fault !== undefined) throw new EndpointRefused(`The address of a gateway ${fault}`);
  if (!ENTITY_ID.test(entityId)) {
    throw new EndpointRefused('"acquirerMerchantId" must be the entityId there, 32 hex digits');
  }
  const { [CREDENTIAL]: tokenFile, ...otherFiles } = secretFiles;
  const unknown = [...Object.keys(settings), ...Object.keys(otherFiles)];
  if (unknown.length > 0) throw new EndpointRefused(`Unknown to a gateway: ${unknown.join(', ')}`);
  if (tokenFile === undefined)
    throw new EndpointRefused(`The credential "${CREDENTIAL}" is missing`);
  const authorization = bearerOf(tokenFile);
  const { callTimeoutMs, maxInFlightMs, callsMax: connectionsMax } = limits;
  return new PlatformConnector({
    access: {
      ...{ origin: address.origin, entityId, authorization, isPrivate: true },
      ...(lookup && { lookup }),
    },
    ...{ callTimeoutMs, maxInFlightMs, connectionsMax },
  });
}
