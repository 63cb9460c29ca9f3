import countries from 'i18n-iso-countries/index.js';
import type { ElementRow, ValueIn } from './request-facts.js';

/**
 * ITU-T E.164: the codes of countries. No code begins another one, so blanks between code and number need not be
 * there; all that have neither one digit nor two have three.
 */
const COUNTRY_CODE =
  /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[0-9]{3})(?=[0-9])/u;

/** Where it begins with the code of its country, as numbers do after +. */
export function phone(name: string): ElementRow {
  return {
    value: ({ query }) => {
      const said = query.parameters[name] ?? '';
      const digits = digitsOf(said);
      const cc = said.startsWith('+') ? COUNTRY_CODE.exec(digits)?.[0] : undefined;
      return cc === undefined ? undefined : { cc, subscriber: digits.slice(cc.length) };
    },
  };
}

/** An address of the shopper's, by its parameters. */
export function address(
  prefix: 'bill' | 'ship',
  of: 'billing' | 'shipping',
): Record<string, ElementRow> {
  const part =
    (name: string): ValueIn =>
    ({ query }) =>
      query.parameters[`${of}.${name}`];
  const street: ValueIn = ({ query: { parameters } }) =>
    cut(
      [parameters[`${of}.street1`], parameters[`${of}.houseNumber1`]]
        .filter((text) => text !== undefined)
        .join(' '),
      LINE_CHARACTERS_MAX,
    );
  return {
    [`${prefix}AddrLine1`]: { value: street },
    [`${prefix}AddrLine2`]: { value: part('street2') },
    [`${prefix}AddrCity`]: { value: part('city') },
    [`${prefix}AddrPostCode`]: { value: part('postcode') },
    // A state without its country says nothing.
    [`${prefix}AddrState`]: {
      value: part('state'),
      when: ({ query }) => query.parameters[`${of}.country`] !== undefined,
    },
    [`${prefix}AddrCountry`]: {
      value: ({ query }) => numberOfCountry(query.parameters[`${of}.country`] ?? ''),
    },
  };
}

const LINE_CHARACTERS_MAX = 50;

/** ISO 3166-1: two or three letters, or the digits themselves. */
export function numberOfCountry(country: string): string | undefined {
  if (/^[0-9]{3}$/u.test(country)) return country;
  const letters = country.toUpperCase();
  return letters.length === 2
    ? countries.alpha2ToNumeric(letters)
    : countries.alpha3ToNumeric(letters);
}

/** By characters, for half of one is none. */
export function cut(text: string | undefined, charactersMax: number): string | undefined {
  return text === undefined ? undefined : Array.from(text).slice(0, charactersMax).join('');
}

/** Its digits alone. */
export function digitsOf(text: string): string {
  return text.replaceAll(/[^0-9]/gu, '');
}
