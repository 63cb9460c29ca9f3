import { describe, expect, it } from '@jest/globals';
import { isCountry } from '@sluice/parameters';
import { countries, countryChoices } from '../src/countries.js';

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const codes = letters.flatMap((first) => letters.map((second) => first + second));

describe('the countries of an address', () => {
  it('are those that the gateway takes', () => {
    expect(countries).toEqual(codes.filter(isCountry));
  });

  it('have names in the language of the form, in its order', () => {
    const german = countryChoices('de');
    expect(german).toHaveLength(countries.length);
    expect(german.slice(0, 3).map(({ title }) => title)).toEqual([
      ...['Afghanistan', 'Ägypten', 'Ålandinseln'],
    ]);
    expect(german).toContainEqual({ value: 'AT', title: 'Österreich' });
  });
});
