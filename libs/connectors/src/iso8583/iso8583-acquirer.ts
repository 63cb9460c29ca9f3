import { Variable } from '@sluice/service';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  validateSync,
} from 'class-validator';
import {
  type AccountEndpoint,
  type Acquirer,
  type CallLimits,
  EndpointRefused,
} from '../acquirer.js';
import type { LengthBytes } from './frames.js';
import { Iso8583Connector } from './iso8583-connector.js';
import { type Version, versions } from './message-fields.js';
import type { Encoding } from './message-format.js';

const PORT_MAX = 65_535;
/** More than any acquirer gives out for one merchant. */
const TERMINALS_MAX = 1_000;

/** Where the acquirer's host is, and who we are there. */
export class Iso8583Settings {
  @Variable('PAYMENTS_ISO8583_HOST', {
    meaning: 'the host of an acquirer that speaks ISO 8583; without it there is none',
  })
  @IsOptional()
  @IsString()
  readonly host?: string;

  @Variable('PAYMENTS_ISO8583_PORT', { meaning: 'its port' })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(PORT_MAX)
  readonly port?: number;

  @Variable('PAYMENTS_ISO8583_MERCHANT', { meaning: 'the merchant id there (field 42)' })
  @IsOptional()
  @Matches(/^[ -~]{1,15}$/)
  readonly merchant?: string;

  @Variable('PAYMENTS_ISO8583_TERMINALS', {
    parse: (text) => text.split(','),
    meaning:
      'the terminal ids there (field 41), with commas between: payments are spread over them',
  })
  @IsOptional()
  @ArrayMinSize(1)
  @ArrayMaxSize(TERMINALS_MAX)
  @Matches(/^[!-+\--~]{1,8}$/, { each: true })
  readonly terminals?: readonly string[];

  @Variable('PAYMENTS_ISO8583_ACQUIRER_ID', { meaning: "the acquirer's institution id (field 32)" })
  @IsOptional()
  @Matches(/^[0-9]{1,11}$/)
  readonly acquirerId?: string;

  @Variable('PAYMENTS_ISO8583_MERCHANT_CATEGORY', {
    meaning: 'the merchant category code (field 18, in 1993 field 26)',
  })
  @IsOptional()
  @Matches(/^[0-9]{4}$/)
  readonly merchantCategory?: string;

  @Variable('PAYMENTS_ISO8583_VERSION', {
    meaning: 'the version of the standard that it speaks, 1987 or 1993',
  })
  @IsIn(versions)
  readonly version: Version = '1987';

  @Variable('PAYMENTS_ISO8583_ENCODING', {
    meaning: '"ascii": characters throughout; "binary": packed digits and bitmaps',
  })
  @IsIn(['ascii', 'binary'])
  readonly encoding: Encoding = 'ascii';

  @Variable('PAYMENTS_ISO8583_LENGTH_BYTES', {
    meaning: 'in how many bytes the length stands before each message, 2 or 4',
  })
  @IsIn([2, 4])
  readonly lengthBytes: LengthBytes = 2;

  @Variable('PAYMENTS_ISO8583_TLS', { meaning: 'whether the connection is encrypted' })
  @IsBoolean()
  readonly tls: boolean = true;

  @Variable('PAYMENTS_ISO8583_AUTHORITY_FILE', {
    meaning: "whose certificates are believed; without it the system's",
  })
  @IsOptional()
  @IsString()
  readonly authorityFile?: string;

  @Variable('PAYMENTS_ISO8583_CERTIFICATE_FILE', { meaning: 'the certificate shown to the host' })
  @IsOptional()
  @IsString()
  readonly certificateFile?: string;

  @Variable('PAYMENTS_ISO8583_KEY_FILE', { meaning: 'its key' })
  @IsOptional()
  @IsString()
  readonly keyFile?: string;
}

/** An acquirer over ISO 8583. */
export const iso8583: Acquirer<Iso8583Settings> = {
  name: 'iso8583',
  settings: Iso8583Settings,
  connect: (settings, { callTimeoutMs, maxInFlightMs }) => {
    const { host, port, merchant, terminals, acquirerId, merchantCategory } = settings;
    if (host === undefined) return undefined;
    if (port === undefined || merchant === undefined || terminals === undefined) {
      throw new TypeError(
        'PAYMENTS_ISO8583_HOST needs PAYMENTS_ISO8583_PORT, _MERCHANT and _TERMINALS beside it',
      );
    }
    const { version, encoding, lengthBytes } = settings;
    const { authorityFile, certificateFile, keyFile } = settings;
    const files = {
      ...(authorityFile !== undefined && { authorityFile }),
      ...(certificateFile !== undefined && { certificateFile }),
      ...(keyFile !== undefined && { keyFile }),
    };
    return new Iso8583Connector({
      address: { host, port, version, encoding, lengthBytes, ...(settings.tls && { tls: files }) },
      acceptance: {
        merchant,
        terminals,
        ...(acquirerId !== undefined && { acquirerId }),
        ...(merchantCategory !== undefined && { merchantCategory }),
      },
      callTimeoutMs,
      maxInFlightMs,
    });
  },
  connectTo,
};

const FILES = {
  authority: 'authorityFile',
  certificate: 'certificateFile',
  key: 'keyFile',
} as const;
const SETTINGS = [
  ...['terminals', 'acquirerId', 'merchantCategory'],
  ...['version', 'encoding', 'lengthBytes'],
];
const LENGTHS: ReadonlyMap<string, LengthBytes> = new Map([
  ['2', 2],
  ['4', 4],
]);
/** Of sockets, with and without TLS. */
const SCHEMES = ['tls:', 'tcp:'];

/** Held to the rules of the installation's own settings, by their names without prefix. */
function connectTo(endpoint: AccountEndpoint, limits: CallLimits): Iso8583Connector {
  const { address, port, acquirerMerchantId: merchant, secretFiles, lookup } = endpoint;
  const { protocol, hostname, pathname } = address;
  if (!SCHEMES.includes(protocol) || port === 0 || !['', '/'].includes(pathname)) {
    throw new EndpointRefused(
      'A host of ISO 8583 is at an address with tls or tcp and a port, without a path',
    );
  }
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const settings = settingsOf(endpoint, { host, port, merchant });
  const { terminals, acquirerId, merchantCategory, version, encoding, lengthBytes } = settings;
  const files = Object.fromEntries(
    Object.entries(secretFiles).map(([name, path]) => [FILES[name as keyof typeof FILES], path]),
  );
  const { callTimeoutMs, maxInFlightMs } = limits;
  return new Iso8583Connector({
    address: {
      ...{ host, port, version, encoding, lengthBytes },
      ...(protocol === 'tls:' && { tls: files }),
      ...(lookup && { lookup }),
    },
    acceptance: {
      ...{ merchant, terminals: terminals ?? [] },
      ...(acquirerId !== undefined && { acquirerId }),
      ...(merchantCategory !== undefined && { merchantCategory }),
    },
    ...{ callTimeoutMs, maxInFlightMs },
  });
}

/** @throws EndpointRefused for what is missing, unknown or not of its form */
function settingsOf(
  { address, settings, secretFiles }: AccountEndpoint,
  place: Pick<Iso8583Settings, 'host' | 'port' | 'merchant'>,
): Iso8583Settings {
  const unknown = [
    ...Object.keys(settings).filter((name) => !SETTINGS.includes(name)),
    ...Object.keys(secretFiles).filter((name) => !(name in FILES)),
  ];
  if (unknown.length > 0) throw new EndpointRefused(`Unknown to ISO 8583: ${unknown.join(', ')}`);
  if (address.protocol === 'tcp:' && Object.keys(secretFiles).length > 0) {
    throw new EndpointRefused('Without TLS there is no use for authority, certificate and key');
  }
  const { terminals, lengthBytes, ...texts } = settings;
  if (terminals === undefined) throw new EndpointRefused('The setting "terminals" is missing');
  const whole = Object.assign(new Iso8583Settings(), place, texts, {
    terminals: terminals.split(','),
    ...(lengthBytes !== undefined && { lengthBytes: LENGTHS.get(lengthBytes) }),
  });
  const [fault] = validateSync(whole);
  if (fault === undefined) return whole;
  if (fault.property === 'version') {
    throw new EndpointRefused(`"version" must be that of the standard: ${versions.join(' or ')}`);
  }
  const name = fault.property === 'merchant' ? 'acquirerMerchantId' : fault.property;
  throw new EndpointRefused(`"${name}" is not of its form`);
}
