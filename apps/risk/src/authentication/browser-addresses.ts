import { isPublicAddress } from '@sluice/service';
import { isIP } from 'node:net';

/** Names that lead into somebody's own network (RFC 6761, 6762, 8375). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/u;

/**
 * Whether a shopper's browser may be sent to an address that a card network or an issuer names: https, and
 * nothing that runs a script or says who he is, nor in a live payment anything in a network of his own. The
 * simulator's pages may be there, and without certificates. Nothing of ours ever calls such an address.
 */
export function isBrowserAddress(address: string, isLive: boolean): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, hostname } = new URL(address);
  if (username !== '' || password !== '') return false;
  if (isLive) return protocol === 'https:' && isOfInternet(hostname);
  return protocol === 'https:' || protocol === 'http:';
}

/** What a name leads to is the browser's to find out; a name without a dot is of its own network. */
function isOfInternet(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/gu, '');
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes('.') && !PRIVATE_NAME.test(host);
}
