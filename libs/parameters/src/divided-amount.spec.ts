import { describe, expect, it } from '@jest/globals';
import { dividedAmount, dividedFromStored } from './divided-amount.js';
import { Form } from './form.js';
import { isNewPayment } from './kinds.js';
import { paymentKindOf } from './payment-kind.js';
import { instrumentKindOf } from './instruments.js';

const NUMBER = { 'giftCard.number': '6006491260550218' };
const PIN = { 'giftCard.pin': '4821' };

const formOf = (parameters: Readonly<Record<string, string>>) =>
  new Form(new Map(Object.entries(parameters)));

function dividedOf(parameters: Readonly<Record<string, string>>): string | undefined {
  const form = formOf(parameters);
  const { kind, contradictions } = paymentKindOf(form);
  expect(isNewPayment(kind)).toBe(true);
  // Nothing else says that they do not go together.
  expect([...contradictions]).toEqual([]);
  return dividedAmount(form, instrumentKindOf(form, kind));
}

describe('an amount is divided', () => {
  it.each([
    ['a card', { 'card.number': '4200000000000000', ...NUMBER }],
    ['a card, by a PIN', { 'card.number': '4200000000000000', ...PIN }],
    ['a card, whatever the brand', { 'card.number': '1', ...NUMBER, paymentBrand: 'GIFTCARD' }],
    ['a direct debit', { 'bankAccount.iban': 'DE', ...NUMBER, paymentBrand: 'DIRECTDEBIT_SEPA' }],
    ['a provider that the brand names', { ...NUMBER, paymentBrand: 'PAYPAL' }],
    ['a registration', { registrationId: 'a', ...NUMBER }],
  ])('between a gift card and %s', (_, parameters) => {
    expect(dividedOf(parameters)).toContain('and another account is not served yet');
  });

  it('between a gift card and an account that its brand does not name', () => {
    const both = { ...NUMBER, paymentBrand: 'GIFTCARD', 'virtualAccount.accountId': 'jane' };
    expect(dividedOf(both)).toContain('virtualAccount.accountId');
  });

  it.each([
    ['a gift card alone', { ...NUMBER, ...PIN, paymentBrand: 'GIFTCARD' }],
    ['a gift card without its brand', NUMBER],
    ['a stored one and its PIN', { registrationId: 'a', ...PIN }],
    ['whom a gift card is for', { 'card.number': '1', 'giftCard.message': 'Happy birthday!' }],
  ])('not by %s', (_, parameters) => {
    expect(dividedOf(parameters)).toBeUndefined();
  });

  it('between a PIN and what is stored, where that is no gift card', () => {
    expect(dividedFromStored(formOf(PIN), 'giftCard')).toBeUndefined();
    expect(dividedFromStored(formOf(PIN), 'card')).toContain('giftCard.pin');
    expect(dividedFromStored(formOf({}), 'card')).toBeUndefined();
  });
});

describe('a gift card is what is paid with', () => {
  it.each([
    [{ ...NUMBER, paymentBrand: 'giftcard' }, 'giftCardPayment'],
    [{ paymentBrand: 'GIFTCARD' }, 'giftCardPayment'],
    [PIN, 'giftCardPayment'],
    [{ 'giftCard.message': 'Happy birthday!', paymentBrand: 'PAYPAL' }, 'virtualAccountPayment'],
    [{ 'giftCard.holder': 'Mary', paymentBrand: 'VISA' }, 'payment'],
    [{ ...NUMBER, paymentBrand: 'VISA' }, 'payment'],
  ])('where the brand and its account say so: %j is a %s', (parameters, kind) => {
    expect(paymentKindOf(formOf(parameters)).kind).toBe(kind);
  });
});
