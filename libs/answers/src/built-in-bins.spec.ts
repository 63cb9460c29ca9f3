import { describe, expect, it } from '@jest/globals';
import { brandNamed, cardBrands, detectedRanges, isOfBrand } from '@sluice/parameters';
import { builtInBins } from './built-in-bins.js';

/** The public test cards of the interface family (wire contract 7). */
const TEST_CARDS: readonly (readonly [brand: string, numbers: string])[] = [
  [
    'VISA',
    `4200000000000000 4111111111111111 4012001036275556 4200000000000091 4012001037461114
    4532497088771651`,
  ],
  [
    'MASTER',
    `5454545454545454 5105105105105100 5200000000000007 5434580000000006 5457350076543210
    5497260847316287`,
  ],
  [
    'AMEX',
    `377777777777770 374500262001008 377277081382243 375987000000062 373953192351004
    343923092050144 343434343434343 371449635398431`,
  ],
  ['MAESTRO', '6799851000000032 6761301000993772 67034200554565015'],
  ['VISAELECTRON', '4917300800000000'],
  ['MADA', '4464040000000007'],
];
const testCards = TEST_CARDS.flatMap(([brand, numbers]) =>
  numbers.split(/\s+/u).map((number) => [number, brand] as const),
);

describe('on a test installation', () => {
  const table = builtInBins('test');

  it.each(testCards)('%s (%s) has an issuer and every other detail', (number, name) => {
    const fields = table.fieldsOf(number.slice(0, 6));
    expect(fields).toEqual({
      type: expect.stringMatching(/^(?:CREDIT|DEBIT|PREPAID)$/),
      level: expect.stringMatching(/^[A-Z]+$/),
      country: expect.stringMatching(/^[A-Z]{2}$/),
      binCountry: fields?.country,
      binType: expect.stringMatching(/^(?:PERSONAL|COMMERCIAL)$/),
      issuer: {
        bank: 'Sluice Test Bank',
        phone: '+1 202 555 0100',
        website: 'https://bank.example',
      },
      maxPanLength: expect.stringMatching(/^1[4-9]$/),
      regulatedFlag: expect.stringMatching(/^(?:true|false)$/),
    });
    expect(Number(fields?.maxPanLength)).toBeGreaterThanOrEqual(number.length);
    const brand = brandNamed(name);
    expect(brand !== undefined && isOfBrand(number, brand)).toBe(true);
  });

  it('has one card of each type', () => {
    const types = testCards.map(([number]) => table.fieldsOf(number.slice(0, 6))?.type);
    expect(new Set(types)).toEqual(new Set(['CREDIT', 'DEBIT', 'PREPAID']));
  });
});

describe.each(['test', 'live'] as const)('on a %s installation', (environment) => {
  const table = builtInBins(environment);

  it('a brand alone tells how long its numbers are', () => {
    expect(table.fieldsOf('499999')).toEqual({ maxPanLength: '19' });
    expect(table.fieldsOf('222100')).toEqual({ maxPanLength: '16' });
    expect(table.fieldsOf('272099')).toEqual({ maxPanLength: '16' });
    expect(table.fieldsOf('341234')).toEqual({ maxPanLength: '15' });
    expect(table.fieldsOf('999999')).toBeUndefined();
  });

  it.each([
    ['968201', 'SA', 'DEBIT'],
    ['588846', 'SA', 'DEBIT'],
    ['501900', 'DK', 'DEBIT'],
    ['670312', 'BE', 'DEBIT'],
    ['979200', 'TR', undefined],
    ['220099', 'RU', undefined],
  ])('%s is of a scheme in %s', (bin, country, type) => {
    expect(table.fieldsOf(bin)).toMatchObject({ country, binCountry: country });
    expect(table.fieldsOf(bin)?.type).toBe(type);
  });
});

it.each([
  ['446404', ['MADA', 'VISA']],
  ['530060', ['MADA', 'MASTER']],
  ['968201', ['MADA']],
  ['979200', ['TROY']],
  ['499999', []],
])('%s is of the brands %j, as far as anybody knows', (digits, brands) => {
  expect(builtInBins('live').rangeOf(digits).brands).toEqual(brands);
});

it.each(testCards)('%s is found by the list as what it is (%s)', (number, name) => {
  const [brand] = builtInBins('test').rangeOf(number.slice(0, 8)).brands;
  expect(brand).toBe(name);
});

describe('on a live installation', () => {
  const table = builtInBins('live');

  it('nothing that we made up is said of a card', () => {
    for (const [number] of testCards) {
      expect(table.fieldsOf(number.slice(0, 6))).not.toHaveProperty('issuer');
    }
  });
});

it('every range that detects a brand has a row', () => {
  const table = builtInBins('live');
  const bounds = cardBrands.flatMap(detectedRanges).flatMap((range) => range.split('-'));
  for (const bound of bounds) {
    expect(table.fieldsOf(bound.padEnd(6, '0'))?.maxPanLength).toMatch(/^1[0-9]$/);
  }
});
