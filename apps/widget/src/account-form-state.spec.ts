import { describe, expect, it } from '@jest/globals';
import { caretIn, fieldsOfParameters, withField } from './account-form-state.js';
import { directDebit } from './direct-debit.js';

const fields = directDebit.fieldsOf({
  ...{ brand: 'DIRECTDEBIT_SEPA', purpose: 'payment', language: 'en' },
});

describe('a form that says an account', () => {
  it('has its faults by field, each once', () => {
    expect(withField([], 'accountIban', true)).toEqual(['accountIban']);
    expect(withField(['accountIban'], 'accountIban', true)).toEqual(['accountIban']);
    expect(withField(['accountBic', 'accountIban'], 'accountBic', false)).toEqual(['accountIban']);
  });

  it('finds the field of what the gateway refuses', () => {
    const refused = ['bankAccount.bankCode', 'bankAccount.holder', 'amount'];
    expect(fieldsOfParameters(fields, refused)).toEqual(['accountHolder', 'accountBic']);
  });

  it.each([
    ['DE89 3704', 0, 0],
    ['DE89 3704', 4, 4],
    ['DE89 3704', 5, 6],
    ['DE89 3704', 8, 9],
  ])('has the caret in %j behind %i characters at %i', (text, before, at) => {
    expect(caretIn(text, before)).toBe(at);
  });
});
