import { canonicalAddress } from './address-ranges.js';
import type { ListedBy } from './rules.js';

/**
 * A value in the one spelling in which it is compared, counted and marked: a thief who spells an address in six
 * ways is still one payer. Blanks around a value never count; customers and devices keep their letters, because
 * what a merchant calls them is his.
 */
export function canonicalValue(of: ListedBy, value: string): string {
  const text = value.trim();
  switch (of) {
    case 'email':
    case 'emailDomain':
      // A final dot is the root of all names: the mail arrives at the same place.
      return text.toLowerCase().replace(FINAL_DOTS, '');
    case 'ip':
      return canonicalAddress(text) ?? text;
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

const FINAL_DOTS = /(?<!\.)\.+$/;
