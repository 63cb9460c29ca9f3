import { describe, expect, it } from '@jest/globals';
import { Form } from './form.js';
import { paymentKindOf } from './payment-kind.js';
import { checkForm } from './violations.js';

const card = {
  'card.number': '4200000000000000',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
};
const paid = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
const iban = {
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.iban': 'DE23100000001234567890',
  'bankAccount.bic': 'MARKDEF1100',
};
const registration = { registrationId: 'a'.repeat(32) };
const visa = { paymentBrand: 'VISA' };
const debit = { paymentBrand: 'DIRECTDEBIT_SEPA' };
const paypal = { paymentBrand: 'PAYPAL', shopperResultUrl: 'https://shop.example/result' };

const formOf = (parameters: Readonly<Record<string, string>>) =>
  new Form(new Map(Object.entries(parameters)));
const checked = (parameters: Readonly<Record<string, string>>) => {
  const { kind, violations } = checkForm(formOf({ ...paid, ...parameters }), 'payments', 'LIVE');
  return { kind, names: violations.map(({ name }) => name) };
};

describe('two accounts in one payment (D-69)', () => {
  const token = { 'tokenAccount.number': '4200000000000000', 'tokenAccount.type': 'NETWORK' };
  it.each([
    ['a registration beside a card', { ...visa, ...card, ...registration }, ['registrationId']],
    ['a bank account beside a card', { ...visa, ...card, ...iban }, Object.keys(iban)],
    ['a bank account where the brand is detected', { ...card, ...iban }, Object.keys(iban)],
    [
      'the country of a bank beside a card',
      { ...visa, ...card, 'bankAccount.country': 'DE' },
      ['bankAccount.country'],
    ],
    ['a card beside a direct debit', { ...debit, ...card, ...iban }, ['card.number']],
    ['a card beside a registration', { ...debit, ...card, ...registration }, ['card.number']],
    [
      'a virtual account beside a card',
      { ...visa, ...card, 'virtualAccount.accountId': 'jane' },
      ['virtualAccount.accountId'],
    ],
    [
      'a card beside a virtual account',
      { ...paypal, ...card, 'virtualAccount.accountId': 'jane' },
      ['card.number'],
    ],
    ['a token beside a card', { ...visa, ...card, ...token }, Object.keys(token)],
    [
      'a wallet beside a card',
      { ...visa, ...card, 'applePay.paymentToken': '{}' },
      ['applePay.paymentToken'],
    ],
    [
      'a card beside a wallet',
      { paymentBrand: 'APPLEPAY', ...card, 'applePay.paymentToken': '{}' },
      ['card.number'],
    ],
    [
      'all at once',
      { ...visa, ...card, ...iban, ...registration },
      [...Object.keys(iban), 'registrationId'],
    ],
    ['neither of a brand that nobody knows', { ...paypal, ...card, ...iban }, Object.keys(iban)],
  ])('%s is refused, by what does not fit the brand', (_, parameters, names) => {
    const found = checked(parameters);
    expect(new Set(found.names)).toEqual(new Set(names));
    expect(found.names).toHaveLength(names.length);
  });

  const bank = iban;
  const google = { 'googlePay.paymentToken': '{}' };
  const account = { 'virtualAccount.accountId': 'jane' };
  it.each([
    ['a token and a wallet, of neither by the brand', visa, token, google],
    ['a bank account and a token', debit, token, bank],
    ['a bank account and a wallet', debit, google, bank],
    ['a bank account and a virtual account', debit, account, bank],
    ['a virtual account and a bank account', paypal, bank, account],
    ['a virtual account and a token', paypal, token, account],
    ['a wallet and a bank account', { paymentBrand: 'GOOGLEPAY' }, bank, google],
    ['a wallet and a token', { paymentBrand: 'GOOGLEPAY' }, token, google],
    ['a wallet and a virtual account', { paymentBrand: 'GOOGLEPAY' }, account, google],
  ])('%s are refused without a card too, in whichever order', (_, brand, other, used) => {
    for (const both of [
      { ...brand, ...other, ...used },
      { ...brand, ...used, ...other },
    ]) {
      const { contradictions } = paymentKindOf(formOf({ ...paid, ...both }));
      expect(new Set(contradictions.keys())).toEqual(new Set(Object.keys(other)));
      expect(checked(both).names).toEqual(expect.arrayContaining(Object.keys(other)));
    }
  });

  it('are not where a name that nobody knows is of another', () => {
    const { names } = checked({ ...visa, ...token, 'samsungPay.source.more': 'x' });
    expect(names).toEqual(['samsungPay.source.more']);
  });

  it('is said without what was sent', () => {
    const form = formOf({ ...paid, ...visa, ...card, ...iban });
    const { violations } = checkForm(form, 'payments', 'INTERNAL');
    expect(violations.find(({ name }) => name === 'bankAccount.iban')).toEqual({
      name: 'bankAccount.iban',
      message: 'contradicts card.number: a payment is made with one account',
    });
  });

  it.each([
    ['a wallet that was decrypted', { ...card, 'applePay.source': 'web' }],
    ['fields that were left empty', { ...card, 'bankAccount.mandate.id': '' }],
    ['a registration with a security code', { ...registration, 'card.cvv': '123' }],
    ['a registration with a holder', { ...registration, 'card.holder': 'Jane Jones' }],
  ])('are not %s', (_, parameters) => {
    expect(checked({ ...visa, ...parameters }).names).toEqual([]);
  });

  it('are one where the other fits the brand', () => {
    expect(paymentKindOf(formOf({ ...debit, ...card, ...iban })).kind).toBe('bankAccountPayment');
    expect(paymentKindOf(formOf({ ...visa, ...card, ...iban })).kind).toBe('payment');
  });
});

describe('the security code of a card', () => {
  const token = { 'tokenAccount.number': '4200000000000000', 'tokenAccount.type': 'NETWORK' };
  const code = { 'card.cvv': '123' };
  const faultsOf = (parameters: Readonly<Record<string, string>>) =>
    paymentKindOf(formOf({ ...paid, ...parameters })).contradictions.get('card.cvv');

  it('is refused where no card is paid with, which would drop it unseen', () => {
    expect(faultsOf({ ...visa, ...token, ...code })).toBe(
      'is of a card, and none is paid with: a token has tokenAccount.dtvc',
    );
    expect(faultsOf({ ...debit, ...iban, ...code })).toBe('is of a card, and none is paid with');
    expect(checked({ ...visa, ...token, ...code }).names).toEqual(['card.cvv']);
  });

  it('is that of a card, or of a registration, which may be one', () => {
    expect(faultsOf({ ...visa, ...card, ...code })).toBeUndefined();
    expect(faultsOf({ ...registration, ...code })).toBeUndefined();
    expect(faultsOf({ ...visa, ...token, 'card.cvv': '' })).toBeUndefined();
  });
});
