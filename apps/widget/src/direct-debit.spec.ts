import { describe, expect, it } from '@jest/globals';
import { wrongFields } from './account-form-state.js';
import type { AccountOf, AccountValues } from './account-form-kind.js';
import { directDebit } from './direct-debit.js';

const sepa: AccountOf = { brand: 'DIRECTDEBIT_SEPA', purpose: 'payment', language: 'en' };
const national: AccountOf = { ...sepa, brand: 'DIRECTDEBIT_XX' };
const accountHolder = 'Jane Jones';
const accountIban = 'DE23 1000 0000 1234 5678 90';

const wrong = (of: AccountOf, values: AccountValues) =>
  wrongFields(directDebit.fieldsOf(of), values);

describe('a direct debit by IBAN', () => {
  it('is of a holder and an IBAN, which says which bank it is', () => {
    const values = { accountHolder: ` ${accountHolder} `, accountIban };
    expect(wrong(sepa, values)).toEqual([]);
    expect(directDebit.posted(values, sepa)).toEqual([
      ['bankAccount.holder', accountHolder],
      ['bankAccount.iban', 'DE23100000001234567890'],
      ['bankAccount.bankCode', '10000000'],
      ['bankAccount.country', 'DE'],
    ]);
  });

  it('may name the bank by its BIC', () => {
    const values = { accountHolder, accountIban, accountBic: 'MARKDEF1100' };
    expect(wrong(sepa, values)).toEqual([]);
    expect(directDebit.posted(values, sepa)).toContainEqual(['bankAccount.bic', 'MARKDEF1100']);
    expect(directDebit.posted(values, sepa).map(([name]) => name)).not.toContain(
      'bankAccount.bankCode',
    );
  });

  it.each<[AccountValues, readonly string[]]>([
    [{}, ['accountHolder', 'accountIban']],
    [{ accountHolder: 'Li', accountIban }, ['accountHolder']],
    [{ accountHolder: 'x'.repeat(129), accountIban }, ['accountHolder']],
    [{ accountHolder, accountIban: 'DE24 1000 0000 1234 5678 90' }, ['accountIban']],
    [{ accountHolder, accountIban, accountBic: 'MARKDEF11' }, ['accountBic']],
    [{ accountHolder, accountIban, accountBic: 'MARK1EF1' }, ['accountBic']],
  ])('with %j is wrong in %j', (values, fields) => {
    expect(wrong(sepa, values)).toEqual(fields);
  });

  it('is what the shopper agrees to, with the right to be refunded', () => {
    expect(directDebit.agreementOf(sepa)).toEqual(['mandate', 'refundRight']);
    expect(directDebit.agreementOf(national)).toEqual(['mandate']);
  });
});

describe('a direct debit by number', () => {
  it('is of a holder, the number of the account and the code of its bank', () => {
    const values = { accountHolder, accountNumber: '1234567890', bankCode: '10000000' };
    expect(wrong(national, values)).toEqual([]);
    expect(directDebit.posted(values, national)).toEqual([
      ['bankAccount.holder', accountHolder],
      ['bankAccount.number', '1234567890'],
      ['bankAccount.bankCode', '10000000'],
    ]);
    expect(
      wrong(national, { accountHolder, accountNumber: '12', bankCode: '1234567890123' }),
    ).toEqual(['accountNumber', 'bankCode']);
  });
});
