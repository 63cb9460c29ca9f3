import { describe, expect, it } from '@jest/globals';
import { wrongFields } from './account-form-state.js';
import type { AccountOf } from './account-form-kind.js';
import { onlineTransfer } from './online-transfer.js';

const sofort: AccountOf = { brand: 'SOFORTUEBERWEISUNG', purpose: 'payment', language: 'de' };
const { fieldsOf, posted } = onlineTransfer;

describe('an order at the bank', () => {
  it('of a method of several countries asks for one, in the language and order of the shopper', () => {
    const [field, ...others] = fieldsOf(sofort);
    expect(others).toEqual([]);
    expect(field?.choices?.map(({ title }) => title)).toEqual([
      ...['Belgien', 'Deutschland', 'Italien', 'Niederlande', 'Österreich', 'Polen', 'Schweiz'],
      'Spanien',
    ]);
    expect(posted({ country: 'AT' }, sofort)).toEqual([['bankAccount.country', 'AT']]);
    for (const country of ['', 'FR']) {
      expect(wrongFields(fieldsOf(sofort), { country })).toEqual(['country']);
    }
    expect(wrongFields(fieldsOf(sofort), { country: 'AT' })).toEqual([]);
  });

  it('of a method of one country asks for nothing, and says it', () => {
    const ideal = { ...sofort, brand: 'IDEAL' };
    expect(fieldsOf(ideal)).toEqual([]);
    expect(posted({}, ideal)).toEqual([['bankAccount.country', 'NL']]);
  });

  it('of a method that is not known asks for nothing and says nothing', () => {
    for (const brand of ['PREPAYMENT', 'ACI_INSTANTPAY']) {
      expect(fieldsOf({ ...sofort, brand })).toEqual([]);
      expect(posted({}, { ...sofort, brand })).toEqual([]);
    }
  });
});
