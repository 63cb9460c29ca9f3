import { describe, expect, it } from '@jest/globals';
import { Form, formOfParameters } from './form.js';
import { completionFaults, isCompletion } from './saved-completion.js';

const paid = {
  ofMerchant: { amount: '92.00', currency: 'EUR', paymentType: 'DB' },
  ...{ entityId: 'channel', saved: 'one' },
};
const faults = (fields: Readonly<Record<string, string>>, of: Partial<typeof paid> = {}) =>
  completionFaults(formOfParameters(fields), { ...paid, ...of });
const names = (fields: Readonly<Record<string, string>>) => faults(fields).map(({ name }) => name);

describe('a form that pays what was saved', () => {
  it.each([{}, { amount: '92.00' }, { saved: 'one' }, { submit: 'Pay' }, { entityId: 'channel' }])(
    'names no means of payment: %j',
    (fields) => {
      expect(isCompletion(formOfParameters(fields))).toBe(true);
    },
  );

  it.each([
    { paymentBrand: 'VISA' },
    { registrationId: 'a'.repeat(32) },
    { 'card.cvv': '123' },
    { 'bankAccount.iban': 'DE23100000001234567890' },
    { 'virtualAccount.accountId': 'jane' },
    { 'googlePay.paymentToken': '{}' },
    { saveTransactionData: 'true' },
  ])('is none that has %j', (fields) => {
    expect(isCompletion(formOfParameters({ ...fields, saved: 'one' }))).toBe(false);
  });

  it('is none of which too much was sent', () => {
    expect(isCompletion(new Form(new Map(), [], 'too much'))).toBe(false);
  });

  it.each([
    [{}, []],
    [{ amount: '92', currency: 'EUR', saved: 'one', entityId: 'channel' }, []],
    [{ amount: '150.00' }, ['amount']],
    [{ currency: 'USD' }, ['currency']],
    [{ saved: 'two', amount: '1.00' }, ['amount', 'saved']],
    [{ entityId: 'other' }, ['entityId']],
    [{ submit: 'Pay', merchantTransactionId: '1' }, ['submit', 'merchantTransactionId']],
  ])('says what it has shown, and no more: %j', (fields, expected) => {
    expect(names(fields)).toEqual(expected);
  });

  it('has nothing to compare with where nothing is saved, or no amount is charged', () => {
    const unsaved = { ...paid, saved: undefined };
    expect(completionFaults(formOfParameters({ saved: 'one' }), unsaved)).toHaveLength(1);
    expect(faults({ amount: '92.00' }, { ofMerchant: {} as typeof paid.ofMerchant })).toEqual([
      { name: 'amount', message: 'only what was saved is paid here: send no other field' },
    ]);
  });
});
