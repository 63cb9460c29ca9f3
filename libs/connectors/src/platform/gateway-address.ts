import { AccessToken } from '@sluice/secrets';
import { readFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';

/** Where the other gateway is, and as whom we pay there. */
export interface GatewayAccess {
  /** Scheme, host and port; the paths are the interface's own. */
  readonly origin: string;
  /** The channel there, or its merchant where the gateway chooses the channel (Interface 5). */
  readonly entityId: string;
  /** The whole value of the `Authorization` header; undefined while there is none. */
  readonly authorization: () => AccessToken | undefined;
  /** Whether it may be in this network or on this machine; the internet alone otherwise (S-SSRF-02). */
  readonly isPrivate: boolean;
  /** In place of the system's way to look up its name, where somebody else sees to S-SSRF-02. */
  readonly lookup?: LookupFunction;
}

/** What a token may consist of: what a header can carry, and no longer than any gateway gives out. */
export const TOKEN = /^[!-~]{1,1024}$/;

/** S-SSRF-02; any port else is for services that nobody meant to publish. */
const PUBLIC_PORTS = ['', '443', '8443'];

/**
 * What is wrong with an address, in words that follow its name; undefined if nothing is. Where its name
 * leads is asked at each connection.
 */
export function addressFault(text: string, isPrivate: boolean): string | undefined {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    return 'must be an address such as https://gateway.example';
  }
  const { protocol, port, pathname, search, hash, username, password } = new URL(text);
  if (`${search}${hash}${username}${password}` !== '' || pathname !== '/') {
    return 'must have neither a path nor a query nor a user: the paths are those of the interface';
  }
  if (isPrivate || (protocol === 'https:' && PUBLIC_PORTS.includes(port))) return undefined;
  return 'must begin with https:// and have the port 443 or 8443, unless the settings say that it is in a private network';
}

/** Whether what is sent there can be read on the way. */
export function isEncrypted({ origin }: Pick<GatewayAccess, 'origin'>): boolean {
  return new URL(origin).protocol === 'https:';
}

/** Access by a token, as gateways of the family want it (Interface 5). */
export function bearer(token: string): () => AccessToken {
  const authorization = new AccessToken(`Bearer ${token}`);
  return () => authorization;
}

/** The same by a token in a file, which is read for each request, so that a renewed one is used. */
export function bearerOf(file: string): () => AccessToken | undefined {
  return () => {
    try {
      const token = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      return TOKEN.test(token) ? bearer(token)() : undefined;
    } catch {
      // It is being replaced, or is no longer mounted: then nothing can be asked in our name.
      return undefined;
    }
  };
}
