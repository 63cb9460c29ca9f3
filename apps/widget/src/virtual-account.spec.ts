import { describe, expect, it } from '@jest/globals';
import { wrongFields } from './account-form-state.js';
import type { AccountOf } from './account-form-kind.js';
import { english } from './english.js';
import { virtualAccount } from './virtual-account.js';

const paid: AccountOf = { brand: 'PAYPAL', purpose: 'payment', language: 'en' };
const stored: AccountOf = { ...paid, purpose: 'registration' };
const wrong = (of: AccountOf, accountId: string) =>
  wrongFields(virtualAccount.fieldsOf(of), { accountId });

describe('an account at a provider', () => {
  it('need not be named to pay, because the provider asks for it', () => {
    expect(wrong(paid, ' ')).toEqual([]);
    expect(virtualAccount.posted({ accountId: ' ' }, paid)).toEqual([]);
    expect(virtualAccount.posted({}, paid)).toEqual([]);
  });

  it('is what is stored, so storing needs it', () => {
    expect(wrong(stored, ' ')).toEqual(['accountId']);
    expect(wrong(stored, 'jane')).toEqual([]);
    expect(virtualAccount.posted({ accountId: ' jane ' }, stored)).toEqual([
      ['virtualAccount.accountId', 'jane'],
    ]);
  });

  it('has at most 100 characters (Interface 2.6)', () => {
    expect(wrong(paid, 'x'.repeat(100))).toEqual([]);
    expect(wrong(paid, 'x'.repeat(101))).toEqual(['accountId']);
  });

  it('is of a provider that people know by name', () => {
    const titleOf = (brand: string) => virtualAccount.titleOf({ ...paid, brand }, english);
    expect(['PAYPAL', 'KLARNA_INVOICE', 'OTHER'].map(titleOf)).toEqual([
      ...['PayPal', 'Klarna', 'OTHER'],
    ]);
  });
});
