import {
  type Endpoint,
  type EndpointMode,
  endpointModes,
  installationAddress,
  type MerchantAccount,
  secretKinds,
  type StoredSecret,
} from '@sluice/contracts';

/** What is wrong with a merchant account as it is said. */
export type MerchantAccountFault =
  | 'malformedId'
  | 'malformedName'
  | 'malformedConnector'
  | 'noEndpoint'
  | 'malformedAddress'
  | 'addressNotEncrypted'
  | 'secretInAddress'
  | 'settingsOfInstallation'
  | 'malformedAcquirerMerchantId'
  | 'malformedSetting'
  | 'secretInSettings'
  | 'secretInClear'
  | 'tooManySettings';

/** More than any connector has names for. */
export const SETTINGS_MAX = 50;
/** A password, a key, a certificate, and each a second time while they are rotated. */
export const CREDENTIALS_MAX = 20;
/** Room for a URL of any acquirer; it is kept in every later state of the node. */
const ADDRESS_CHARACTERS_MAX = 255;
/** A thousand terminal ids of an ISO 8583 host, with commas between. */
const SETTING_CHARACTERS_MAX = 10_000;

const ID = /^[0-9a-f]{32}$/;
/** Interface 2.19 AN32; a semicolon would end the field of a reconciliation file. */
const ACCOUNT_NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,31}$/;
const CONNECTOR = /^[a-z0-9][a-z0-9-]{0,31}$/;
const ACQUIRER_MERCHANT_ID = /^[!-~](?:[ -~]{0,62}[!-~])?$/;
const FIELD_NAME = /^[a-z][A-Za-z0-9]{0,63}$/;
const PRINTABLE = /^[^\p{C}]+$/u;
const REFERENCE = /^secret:[a-z0-9][a-z0-9-]{0,62}(?:\/[a-z0-9][a-z0-9-]{0,62}){0,3}$/;
/** A setting of such a name belongs to the credentials, where it cannot stand in clear. */
const SECRET_NAME = /passw|passphrase|secret|token|credential|apikey|privatekey|^pin$|pin$/i;

/** How acquirers are spoken to: by HTTP, by a socket with or without TLS, by files. */
const SCHEMES: ReadonlySet<string> = new Set(['https:', 'http:', 'tls:', 'tcp:', 'sftp:']);

/** The first fault of a merchant account, if it has one. */
export function merchantAccountFault(account: MerchantAccount): MerchantAccountFault | undefined {
  if (!ID.test(account.id)) return 'malformedId';
  if (!ACCOUNT_NAME.test(account.name)) return 'malformedName';
  if (!CONNECTOR.test(account.connector)) return 'malformedConnector';
  const faults = endpointModes.flatMap((mode) => {
    const endpoint = account.endpoints[mode];
    return endpoint === undefined ? [] : [endpointFault(endpoint, mode, account)];
  });
  return faults.length === 0 ? 'noEndpoint' : faults.find((fault) => fault !== undefined);
}

function endpointFault(
  endpoint: Endpoint,
  mode: EndpointMode,
  { connector }: Pick<MerchantAccount, 'connector'>,
): MerchantAccountFault | undefined {
  const { address, acquirerMerchantId, settings, credentials } = endpoint;
  const names = Object.keys({ ...settings, ...credentials });
  if (!ACQUIRER_MERCHANT_ID.test(acquirerMerchantId)) return 'malformedAcquirerMerchantId';
  if (Object.keys(settings).length > SETTINGS_MAX) return 'tooManySettings';
  if (Object.keys(credentials).length > CREDENTIALS_MAX) return 'tooManySettings';
  if (!names.every((name) => FIELD_NAME.test(name))) return 'malformedSetting';
  if (Object.keys(settings).some((name) => SECRET_NAME.test(name))) return 'secretInSettings';
  if (!Object.values(settings).every(isSetting)) return 'malformedSetting';
  if (!Object.values(credentials).every(isStoredSecret)) return 'secretInClear';
  if (address !== installationAddress(connector)) return addressFault(address, mode);
  // The acquirer of the installation has those of the installation: others would do nothing.
  return names.length > 0 ? 'settingsOfInstallation' : undefined;
}

/**
 * Whether the address can be called at all; whether it may be is asked again of every address that
 * its name has at the time of the call.
 */
function addressFault(address: string, mode: EndpointMode): MerchantAccountFault | undefined {
  if (address.length > ADDRESS_CHARACTERS_MAX || !URL.canParse(address)) return 'malformedAddress';
  const { protocol, hostname, username, password, search, hash } = new URL(address);
  if (!SCHEMES.has(protocol) || hostname === '') return 'malformedAddress';
  // A query is where keys of interfaces stand that know no headers.
  if (`${username}${password}${search}${hash}` !== '') return 'secretInAddress';
  // Of sockets it is the leased line or the tunnel that encrypts, for acquirers without TLS.
  return protocol === 'http:' && mode === 'LIVE' ? 'addressNotEncrypted' : undefined;
}

function isSetting(value: string): boolean {
  return value.length <= SETTING_CHARACTERS_MAX && PRINTABLE.test(value);
}

/** Also of what the compiler has not seen: a password in clear must not get into an event. */
function isStoredSecret({ kind, reference, ...others }: StoredSecret): boolean {
  return secretKinds.includes(kind) && REFERENCE.test(reference) && isEmpty(others);
}

function isEmpty(others: object): boolean {
  return Object.keys(others).length === 0;
}
