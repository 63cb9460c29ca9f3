import { digitsOf } from './card-digits.js';

/**
 * The countries whose accounts are debited by SEPA: how long their IBANs are, and where the bank's code
 * stands in them, by first character and length. From the registry of ISO 13616.
 */
const COUNTRIES: Readonly<Record<string, readonly [length: number, at: number, code: number]>> = {
  ...{ AD: [24, 4, 4], AL: [28, 4, 8], AT: [20, 4, 5], BE: [16, 4, 3], BG: [22, 4, 4] },
  ...{ CH: [21, 4, 5], CY: [28, 4, 3], CZ: [24, 4, 4], DE: [22, 4, 8], DK: [18, 4, 4] },
  ...{ EE: [20, 4, 2], ES: [24, 4, 4], FI: [18, 4, 3], FR: [27, 4, 5], GB: [22, 4, 4] },
  ...{ GI: [23, 4, 4], GR: [27, 4, 3], HR: [21, 4, 7], HU: [28, 4, 3], IE: [22, 4, 4] },
  ...{ IS: [26, 4, 4], IT: [27, 5, 5], LI: [21, 4, 5], LT: [20, 4, 5], LU: [20, 4, 3] },
  ...{ LV: [21, 4, 4], MC: [27, 4, 5], MD: [24, 4, 2], ME: [22, 4, 3], MK: [19, 4, 3] },
  ...{ MT: [31, 4, 4], NL: [18, 4, 4], NO: [15, 4, 4], PL: [28, 4, 8], PT: [25, 4, 4] },
  ...{ RO: [24, 4, 4], RS: [22, 4, 3], SE: [24, 4, 3], SI: [19, 4, 5], SK: [24, 4, 4] },
  ...{ SM: [27, 5, 5], VA: [22, 4, 3] },
};

const LETTERS_IN_A_GROUP = 4;
const CHARACTERS_MAX = 31;
const COUNTRY_AND_CHECK = 4;
const MODULUS = 97;
/** How a letter is counted: A is 10. */
const BASE = 36;

/** Letters and digits alone, as the interface takes them; digits of Arabic keyboards included. */
export function electronic(text: string): string {
  return Array.from(text, (one) => (/[A-Za-z]/.test(one) ? one.toUpperCase() : digitsOf(one)))
    .join('')
    .slice(0, CHARACTERS_MAX);
}

/** As it is printed, in groups of four. */
export function ibanText(typed: string): string {
  const letters = [...electronic(typed)];
  return letters
    .map((one, at) => (at > 0 && at % LETTERS_IN_A_GROUP === 0 ? ` ${one}` : one))
    .join('');
}

/** Whether its country, its length and its check digits are right. */
export function isIban(text: string): boolean {
  const iban = electronic(text);
  const [length] = COUNTRIES[iban.slice(0, 2)] ?? [];
  if (length !== iban.length || !/^[A-Z]{2}[0-9]{2}/.test(iban)) return false;
  const turned = iban.slice(COUNTRY_AND_CHECK) + iban.slice(0, COUNTRY_AND_CHECK);
  let rest = 0;
  for (const one of turned) {
    const value = Number.parseInt(one, BASE);
    rest = (rest * (value > 9 ? 100 : 10) + value) % MODULUS;
  }
  return rest === 1;
}

/** The bank's code in an IBAN; undefined for what is none. */
export function bankCodeOf(text: string): string | undefined {
  if (!isIban(text)) return undefined;
  const iban = electronic(text);
  const [, at = 0, length = 0] = COUNTRIES[iban.slice(0, 2)] ?? [];
  return iban.slice(at, at + length);
}
