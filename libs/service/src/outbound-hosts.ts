import type { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress, publicLookup } from './public-addresses.js';

/** Ports of HTTP (S-SSRF-02): a gateway that calls others is no way to scan a network. */
const HTTPS_PORTS: readonly number[] = [443, 8443];
const HTTP_PORTS: readonly number[] = [80];
/** What a URL means that names no port. */
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const HOST_AND_PORT = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\]):[0-9]{1,5}$/;

/** Whom somebody wants to be called; the port is said or follows from the scheme. */
export interface OutboundTarget {
  readonly host: string;
  readonly port: number;
  /** With a colon, as in a URL. */
  readonly scheme: string;
}

/** Why a target is not called. */
export type OutboundRefusal = 'noPort' | 'portNotAllowed' | 'notEncrypted' | 'notPublic';

/** What is wrong, for the operator who has to mend it. */
export const outboundSentences: Readonly<Record<OutboundRefusal, string>> = {
  noPort: 'the address names no port',
  portNotAllowed: 'only the ports 443 and 8443 are called, in tests 80, too',
  notEncrypted: 'a connection without TLS goes to listed private targets alone',
  notPublic: 'the address is not on the public internet, and is not listed as a private target',
};

/**
 * What a setting lists as private targets: `host:port` with commas between, for `OutboundHosts`.
 * @throws Error
 */
export function privateTargetsOf(text: string): string[] {
  const targets = text.split(',').filter((target) => target !== '');
  const areTargets = targets.every((target) => HOST_AND_PORT.test(target));
  if (!areTargets) throw new Error('must be host:port with commas between');
  return targets;
}

/**
 * Which hosts outside of the installation may be called, where somebody else has said their address
 * (S-SSRF-02). What a name leads to is looked at for each connection, and the connection goes to exactly
 * that: a name that leads elsewhere later leads nowhere.
 */
export class OutboundHosts {
  readonly #privateTargets: ReadonlySet<string> | 'all';

  /**
   * @param privateTargets `host:port` of what may be called although it is private: an acquirer behind
   * a leased line, or a stand-in for one; all: on a developer's machine, where shops are at `localhost`
   */
  constructor(
    privateTargets: readonly string[] | 'all',
    private readonly systemLookup?: typeof lookup,
  ) {
    this.#privateTargets = privateTargets === 'all' ? 'all' : new Set(privateTargets);
  }

  /** The host and port of a URL. */
  static targetOf(url: URL): OutboundTarget {
    const { hostname: host, port, protocol: scheme } = url;
    return { host, port: Number(port || (DEFAULT_PORTS[scheme] ?? 0)), scheme };
  }

  /** What is wrong with a target before anything is looked up. */
  refusal(target: OutboundTarget): OutboundRefusal | undefined {
    const { host, port, scheme } = target;
    if (port === 0) return 'noPort';
    if (this.isPrivateTarget(target)) return undefined;
    if (scheme === 'tcp:') return 'notEncrypted';
    if (scheme === 'https:' && !HTTPS_PORTS.includes(port)) return 'portNotAllowed';
    if (scheme === 'http:' && !HTTP_PORTS.includes(port)) return 'portNotAllowed';
    const literal = host.replaceAll(/^\[|\]$/g, '');
    return isIP(literal) !== 0 && !isPublicAddress(literal) ? 'notPublic' : undefined;
  }

  /** Whether it is listed: called whatever its address, port and scheme are. */
  isPrivateTarget({ host, port }: OutboundTarget): boolean {
    return this.#privateTargets === 'all' || this.#privateTargets.has(`${host}:${port}`);
  }

  /** How the names of a target's host are looked up; undefined: as the system does. */
  lookupFor(target: OutboundTarget): LookupFunction | undefined {
    if (this.isPrivateTarget(target)) return undefined;
    return publicLookup(this.systemLookup);
  }
}
