import { canonicalDomain, canonicalEmail } from '@sluice/parameters';
import { addressesIn, canonicalAddress } from './address-ranges.js';
import type { ListedBy } from './rules.js';

/**
 * A value in the one spelling in which it is compared, counted and marked: a thief who spells an address in six
 * ways is still one payer. Blanks around a value never count; customers and devices keep their letters, because
 * what a merchant calls them is his. What cannot be read as what it should be is compared as it stands, in small
 * letters, so that it counts all the same.
 */
export function canonicalValue(of: ListedBy, value: string): string {
  const text = value.trim();
  switch (of) {
    case 'email':
      return canonicalEmail(text) ?? unreadable(text);
    case 'emailDomain':
      return canonicalDomain(text.replace(/^@/, '')) ?? unreadable(text);
    case 'ip':
      return canonicalAddress(text) ?? unreadable(text);
    case 'ipRange':
    case 'card':
    case 'bin':
    case 'country':
    case 'ipCountry':
    case 'device':
    case 'customer':
      return text;
  }
}

function unreadable(text: string): string {
  // A final dot is the root of all names, where there is a name.
  return text.normalize('NFKC').toLowerCase().replace(FINAL_DOTS, '');
}

const FINAL_DOTS = /(?<![.@])\.+$/;

/** What was sent of a shopper, as rules compare it. */
export interface SaidOfShopper {
  readonly value: string;
  readonly isReadable: boolean;
}

/** `customer.email`. */
export function emailOf(said: string): SaidOfShopper {
  return { value: canonicalValue('email', said), isReadable: canonicalEmail(said) !== undefined };
}

/**
 * `customer.ip`, which some merchants send as proxies hand it on: the first address is the shopper's, and those
 * behind it are of whoever stood between. The shopper may have put one of his own in front, so lists look at all.
 */
export function addressOfShopper(
  said: string,
): SaidOfShopper & { readonly behind: readonly string[] } {
  const [value, ...behind] = addressesIn(said);
  if (value !== undefined) return { value, behind, isReadable: true };
  return { value: canonicalValue('ip', said), behind, isReadable: false };
}
