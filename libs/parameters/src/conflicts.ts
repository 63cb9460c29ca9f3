import type { Conflict } from './parameter.js';

const NO_LETTER = /^[0-9\s]*$/u;

/** Interface 2.10: the two lines of a street are not digits only, unless a house number is apart. */
export function streetOfDigits(address: 'billing' | 'shipping'): Conflict {
  const [street1, street2, houseNumber1] = ['street1', 'street2', 'houseNumber1'].map(
    (part) => `${address}.${part}`,
  ) as [string, string, string];
  return {
    message: `must not be digits only together with ${street2}`,
    keys: [street1, street2, houseNumber1],
    holds: (form) => {
      const first = form.get(street1);
      if (first === undefined || first === '') return false;
      const second = form.has(houseNumber1) ? '' : (form.get(street2) ?? '');
      return NO_LETTER.test(first) && NO_LETTER.test(second);
    },
  };
}
