import { BlockList, isIP } from 'node:net';
import { InternalSettings, type TlsSettings } from './internal-settings.js';
import { urlList } from './upstream-settings.js';
import type { GatewayEnvironment } from './process-settings.js';
import { settingsParsedBy } from './settings.js';

/** What decides whether a service may do without certificates. */
export interface CallsBetweenServices {
  readonly gatewayEnvironment: GatewayEnvironment;
  readonly tls: TlsSettings;
  /** The other settings of the service: where it listens, and whom it calls. */
  readonly settings: readonly object[];
}

const FILES = 'TLS_CERTIFICATE_FILE, TLS_KEY_FILE and TLS_AUTHORITY_FILE';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether only processes of the same machine reach this address. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  if (version === 0) return address === 'localhost';
  return loopback.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Why a service may not start, as sentences (D-45). Without mutual TLS whoever reaches the vault's
 * port has the cards: no installation that earns money goes without, and none does over a network.
 */
export function mutualTlsProblems(calls: CallsBetweenServices): readonly string[] {
  const { gatewayEnvironment, tls, settings } = calls;
  const upstreams = settings.flatMap(upstreamsOf);
  const isAllowed = ({ hostname }: Pick<URL, 'hostname'>): boolean =>
    gatewayEnvironment === 'test' && isLoopback(hostname);
  // A set that is not whole is refused where the files are opened.
  if (Object.values(tls).some((file) => file !== undefined)) {
    return upstreams
      .filter(({ urls }) => urls.some((url) => url.protocol === 'http:' && !isAllowed(url)))
      .map(({ name }) => `${name} must begin with https://, as ${FILES} are set.`);
  }
  const servers = settings.filter((part) => part instanceof InternalSettings);
  const reasons = [
    ...servers.filter(({ host: hostname }) => !isAllowed({ hostname })).map(() => 'INTERNAL_HOST'),
    ...upstreams.filter(({ urls }) => !urls.every(isAllowed)).map(({ name }) => name),
  ];
  if (reasons.length === 0) return [];
  return [
    `${FILES} must be set because of ${reasons.join(' and ')}: without certificates a service starts ` +
      'in a test installation alone (GATEWAY_ENVIRONMENT=test), and only with addresses that no other ' +
      'machine reaches, such as 127.0.0.1.',
  ];
}

/** Services that are called, and the variable that says where they are. */
interface Upstream {
  readonly name: string;
  readonly urls: readonly URL[];
}

function upstreamsOf(settings: object): readonly Upstream[] {
  return settingsParsedBy(settings, urlList).map(({ name, value }) => {
    const urls = ((value ?? []) as readonly string[]).map((url) => new URL(url));
    return { name, urls };
  });
}
