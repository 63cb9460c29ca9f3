import { describe, expect, it } from '@jest/globals';
import { formOfParameters } from './form.js';
import { formToSave, savedForm, savedParts } from './saved-form.js';

const card = {
  ...{ 'card.number': '4200000000000000', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
  'card.cvv': '123',
};
const others = {
  'card.holder': 'Jane Jones',
  paymentBrand: 'VISA',
  'customer.email': 'j@example.org',
};

const clear = (details: Readonly<Record<string, { reveal(): string }>> = {}) =>
  Object.fromEntries(Object.entries(details).map(([name, one]) => [name, one.reveal()]));

describe('a form that is only saved', () => {
  it('says so beside its fields', () => {
    const { form, isSaved, faults } = formToSave(
      formOfParameters({ ...others, saveTransactionData: 'true' }),
    );
    expect([Object.fromEntries(form.entries()), isSaved, faults]).toEqual([others, true, []]);
    const sent = formOfParameters(others);
    expect(formToSave(sent)).toEqual({ form: sent, isSaved: false, faults: [] });
    const other = formToSave(formOfParameters({ saveTransactionData: 'yes' }));
    expect([other.isSaved, other.faults]).toEqual([
      false,
      [{ name: 'saveTransactionData', message: 'must be true, or absent' }],
    ]);
  });

  it('has account data apart, and a code apart from that', () => {
    const parts = savedParts(formOfParameters({ ...card, ...others }), 'payment');
    const { 'card.cvv': code, ...number } = card;
    expect(parts.toHold?.kind).toBe('card');
    expect(clear(parts.toHold?.details)).toEqual(number);
    expect(clear(parts.toHold?.inMemory)).toEqual({ 'card.cvv': code });
    expect({ ...parts.fields }).toEqual(others);
  });

  it('has none of it among its fields, whatever the page calls it', () => {
    const named = { 'customParameters[SHOPPER_note]': `it is ${card['card.number']}` };
    const { fields } = savedParts(formOfParameters({ ...card, ...others, ...named }), 'payment');
    expect(JSON.stringify(fields)).not.toContain(card['card.number']);
  });

  it('keeps an account of a bank with the vault, and nothing where nothing is secret', () => {
    const debit = {
      paymentBrand: 'DIRECTDEBIT_SEPA',
      'bankAccount.iban': 'DE23100000001234567890',
    };
    const { toHold } = savedParts(formOfParameters(debit), 'bankAccountPayment');
    expect(toHold?.kind).toBe('bankAccount');
    expect(Object.keys(toHold?.details ?? {})).toEqual(['bankAccount.iban']);
    const transfer = { paymentBrand: 'PAYPAL', 'recurring.numberOfInstallments': '1' };
    expect(savedParts(formOfParameters(transfer), 'payment')).toEqual({ fields: transfer });
  });

  it('is the same form again', () => {
    const sent = { ...card, ...others };
    const { toHold, fields } = savedParts(formOfParameters(sent), 'payment');
    const again = savedForm(fields, { ...toHold?.details, ...toHold?.inMemory });
    expect(Object.fromEntries(again.entries())).toEqual(sent);
  });
});
