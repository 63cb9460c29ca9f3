import { describe, expect, it } from '@jest/globals';
import type { AccountBank } from '@sluice/contracts';
import fc from 'fast-check';
import { composeIBAN } from 'ibantools';
import { oneAccount } from './one-account.js';

const IBAN = 'DE23100000001234567890';
const ofIban = { 'bankAccount.iban': IBAN };
const numbered = (number: string, bank: AccountBank = {}) =>
  oneAccount({ 'bankAccount.number': number }, bank);

describe('a bank account', () => {
  it.each<[string, Readonly<Record<string, string>>, AccountBank]>([
    ['by its IBAN', ofIban, {}],
    ['in small letters', { 'bankAccount.iban': IBAN.toLowerCase().replace('de', 'DE') }, {}],
    ['with its number beside it', { ...ofIban, 'bankAccount.number': '1234567890' }, {}],
    ['whose IBAN is sent as a number', { 'bankAccount.number': IBAN }, {}],
    ['the same in small letters', { 'bankAccount.number': IBAN.toLowerCase() }, {}],
    [
      'by number and bank code',
      { 'bankAccount.number': '1234567890' },
      { country: 'DE', code: '10000000' },
    ],
    [
      'with zeros in front',
      { 'bankAccount.number': '0001234567890' },
      { country: 'DE', code: '10000000' },
    ],
    [
      'whose BIC has the country',
      { 'bankAccount.number': '1234567890' },
      { bic: 'MARKDEF1100', code: '10000000' },
    ],
    [
      'by bank code and number in one',
      { 'bankAccount.number': '100000001234567890' },
      { country: 'DE' },
    ],
  ])('is the one of its IBAN: %s', (_, texts, bank) => {
    expect(oneAccount(texts, bank)).toEqual(ofIban);
  });

  it('is none of another bank with an account of the same number', () => {
    const banks: readonly AccountBank[] = [
      ...[
        {},
        { country: 'DE' },
        { country: 'DE', code: '10000000' },
        { country: 'AT', code: '12000' },
      ],
      ...[{ country: 'DE', code: '10000001' }, { bic: 'MARKDEF1100' }, { bic: 'MARKDEF1200' }],
      ...[
        { country: 'US', code: '021000021' },
        { country: 'US', code: '021000022' },
      ],
    ];
    const keys = banks.map((bank) => JSON.stringify(numbered('1234567890', bank)));
    expect(new Set(keys).size).toBe(banks.length);
  });

  it('is told by its bank where no rule makes an IBAN of it', () => {
    const one = { 'bankAccount.number': '12345', 'bankAccount.country': 'US' };
    const key = { ...one, 'bankAccount.bankCode': '21000021' };
    expect(numbered('0012345', { country: 'US', code: '021000021' })).toEqual(key);
    expect(numbered('12345', { country: 'US', code: '021000021', bic: 'BANKUS33' })).toEqual(key);
    const byBic = { 'bankAccount.number': '12345', 'bankAccount.bic': 'BANKUS33' };
    for (const bic of ['BANKUS33', 'BANKUS33XXX']) {
      expect(numbered('12345', { bic })).toEqual(byBic);
      expect(numbered('12345', { bic, country: 'US' })).toEqual(byBic);
    }
  });
});

const BANK_CHARACTERS = { DE: 8, AT: 5, CH: 5, LI: 5 } as const;
const ACCOUNT_CHARACTERS = { DE: 10, AT: 11, CH: 12, LI: 12 } as const;
const digits = (length: number) => fc.stringMatching(new RegExp(`^[1-9][0-9]{${length - 1}}$`));
const national = fc
  .constantFrom<keyof typeof BANK_CHARACTERS>('DE', 'AT', 'CH', 'LI')
  .chain((country) =>
    fc.record({
      country: fc.constant(country),
      code: digits(BANK_CHARACTERS[country]),
      number: fc.integer({ min: 1, max: ACCOUNT_CHARACTERS[country] }).chain(digits),
    }),
  );

describe('whatever bank account it is', () => {
  it('has one key in all of its spellings, and no other account has it', () => {
    fc.assert(
      fc.property(national, national, (one, other) => {
        const keyOf = ({ country, code, number }: typeof one): readonly string[] => {
          const bban = code + number.padStart(ACCOUNT_CHARACTERS[country], '0');
          const iban = composeIBAN({ countryCode: country, bban }) ?? '';
          const bank = { country, code };
          return [
            oneAccount({ 'bankAccount.iban': iban }),
            ...[iban, iban.toLowerCase()].map((text) => numbered(text)),
            ...[number, `00${number}`, bban].map((text) => numbered(text, bank)),
            oneAccount({ 'bankAccount.iban': iban, 'bankAccount.number': number }, bank),
          ].map((key) => JSON.stringify(key));
        };
        const keys = new Set(keyOf(one));
        expect(keys.size).toBe(1);
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(keyOf(other).some((key) => keys.has(key))).toBe(isSame);
      }),
    );
  });
});

describe('a gift card', () => {
  const keyOf = (number: string) => oneAccount({ 'giftCard.number': number })['giftCard.number'];

  it('is its letters and digits, however they stand there', () => {
    const spelt = [
      ...['6006-AB12-0550', '6006ab120550', ' 6006 AB12 0550 ', '6006.ab12.0550'],
      ...['６００６ＡＢ１２０５５０'],
    ];
    expect(new Set(spelt.map(keyOf))).toEqual(new Set(['6006AB120550']));
  });

  it('is another one with another letter, digit or zero', () => {
    const others = ['6006AB12', '6006AB13', '06006AB12', '6006AC12', '--', '---'];
    expect(new Set(others.map(keyOf)).size).toBe(others.length);
  });

  it('is one in any letters and groups', () => {
    const number = fc.stringMatching(/^[A-Z0-9]{2,20}$/);
    fc.assert(
      fc.property(number, fc.nat(20), fc.constantFrom(' ', '-', '.'), (text, place, between) => {
        const spelt = `${text.slice(0, place)}${between}${text.slice(place).toLowerCase()}`;
        expect(keyOf(spelt)).toBe(text);
      }),
    );
  });
});

describe('an account at a provider', () => {
  const keyOf = (id: string) =>
    oneAccount({ 'virtualAccount.accountId': id })['virtualAccount.accountId'];

  it.each([
    ['jane@shop.example', ['Jane@Shop.example', ' jane@shop.example ', '"jane"@shop.example.']],
    ['+491701234567', ['+49 170 1234567', '+49 (170) 123-4567', '＋49 170 1234567']],
    ['jane.jones', ['Jane.Jones', ' jane.jones ', 'jane . jones']],
  ])('is %s, however it is spelt', (key, spelt) => {
    expect(new Set([key, ...spelt].map(keyOf))).toEqual(new Set([key]));
  });

  it('is another one under another name', () => {
    const others = ['jane', 'jane1', 'ja.ne', 'ja-ne', '12-3', '1-23', 'jane@shop.example'];
    expect(new Set(others.map(keyOf)).size).toBe(others.length);
  });
});

it('a card stays what was sent', () => {
  const card = { 'card.number': '4200000000000000', 'card.numberType': 'DPAN' };
  expect(oneAccount(card)).toEqual(card);
});
