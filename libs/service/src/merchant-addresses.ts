import { OutboundHosts, type OutboundRefusal, outboundSentences } from './outbound-hosts.js';

/** Interface 2.18: 2,048 characters, of which each may be nine once it is encoded, and what we add. */
const ADDRESS_CHARACTERS_MAX = 20_000;
/** As everybody writes it; parsers mend other spellings, each in its own way. */
const WEB_ADDRESS = /^https?:\/\/[^/]/i;
const OTHER_SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** Blanks, control characters and backslashes: what one parser leaves out is a border to the next. */
const AMBIGUOUS = /[\0-\x20\x7f-\xa0\\\u1680\u2000-\u200f\u2028-\u202f\u2060\u3000\ufeff]/;
/** The end of the authority. */
const AUTHORITY_END = /[/?#]/;
/** Names that lead into a machine or network, never to the internet (RFC 6761, 6762, 8375, 9476, ICANN's `internal`). */
const INSIDE_NAME =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|svc|alt)$/;

/** Why an address of a merchant is not called. */
export type MerchantAddressRefusal = OutboundRefusal | 'malformed' | 'notWeb' | 'credentials';

/** What is wrong, for the log, or for whoever wanted it called. */
export const merchantAddressSentences: Readonly<Record<MerchantAddressRefusal, string>> = {
  ...outboundSentences,
  malformed: 'it is no address as everybody would read it',
  notWeb: 'it is no address of the web: only https and http are called',
  credentials: 'it names a user or a password',
  notEncrypted: 'only https is called',
};

/** What an installation allows. */
export interface MerchantAddressRules {
  readonly outbound: OutboundHosts;
  /** Public addresses may be called without TLS: in tests alone. Private targets may in any case. */
  readonly mayBePlain: boolean;
}

/**
 * The URL of an address that a merchant has given to be called by us, or why it is not (S-SSRF-02): the page
 * of results, webhooks and `notificationUrl`. Where its name leads is looked at when it is called, by
 * `OutboundHosts.lookupFor`, each time anew.
 */
export function merchantAddress(
  text: string,
  { outbound, mayBePlain }: MerchantAddressRules,
): URL | MerchantAddressRefusal {
  if (text.length > ADDRESS_CHARACTERS_MAX || AMBIGUOUS.test(text)) return 'malformed';
  if (!WEB_ADDRESS.test(text)) {
    return OTHER_SCHEME.test(text) && !/^https?:/i.test(text) ? 'notWeb' : 'malformed';
  }
  if (!URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  // Also without a name: `https://@host` is written by nobody who wants to be understood.
  const [authority = ''] = text.slice(text.indexOf('//') + 2).split(AUTHORITY_END);
  if (authority.includes('@')) return 'credentials';
  const target = OutboundHosts.targetOf(url);
  if (outbound.isPrivateTarget(target)) return url;
  if (url.protocol === 'http:' && !mayBePlain) return 'notEncrypted';
  return outbound.refusal(target) ?? (isInsideName(url.hostname) ? 'notPublic' : url);
}

/** A name of this machine or network; one without a dot is looked up there. */
function isInsideName(hostname: string): boolean {
  if (hostname.startsWith('[')) return false;
  const name = hostname.replace(/\.$/, '');
  return !name.includes('.') || name.endsWith('.') || INSIDE_NAME.test(name);
}
