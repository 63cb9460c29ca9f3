import { describe, expect, it } from '@jest/globals';
import { fieldsInMode, wrongFields } from './account-form-state.js';
import type { AccountMode, AccountOf } from './account-form-kind.js';
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

  it.each([
    ['٠٥٠١٢٣٤٥٦٧', '0501234567'],
    ['+۹۸ ۹۱۲ ۳۴۵ ۶۷۸۹', '+98 912 345 6789'],
    // What is no telephone number stays as it was typed.
    ['jane٧@shop.example', 'jane٧@shop.example'],
    ['٧٧', '٧٧'],
  ])('is told in digits that are read everywhere where it is a telephone number: %j', (...of) => {
    const [accountId, told] = of;
    expect(virtualAccount.posted({ accountId }, stored)).toEqual([
      ['virtualAccount.accountId', told],
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

describe('an account whose provider asks in several ways', () => {
  const stcPay: AccountOf = { ...paid, brand: 'STC_PAY' };
  const names = (of: AccountOf, mode?: AccountMode) =>
    fieldsInMode(virtualAccount.fieldsOf(of), mode).map(({ name }) => name);

  it('is asked by a code unless the shopper wants it by his mobile number', () => {
    expect(virtualAccount.modesOf?.(stcPay)).toEqual(['qrcode', 'mobile']);
    expect(names(stcPay, 'qrcode')).toEqual([]);
    expect(names(stcPay, 'mobile')).toEqual(['mobilePhone']);
    expect(virtualAccount.posted({ mobilePhone: '+966 500000000' }, stcPay, 'qrcode')).toEqual([
      ['customParameters[SHOPPER_paymentMode]', 'qrcode'],
    ]);
    expect(virtualAccount.posted({ mobilePhone: ' +966 500000000 ' }, stcPay, 'mobile')).toEqual([
      ['virtualAccount.accountId', '+966 500000000'],
      ['customParameters[SHOPPER_paymentMode]', 'mobile'],
    ]);
  });

  it('is told a number that was typed in Arabic or Persian digits', () => {
    const told = (mobilePhone: string) =>
      virtualAccount.posted({ mobilePhone }, stcPay, 'mobile')[0]?.[1];
    expect(told(' ٠٥٠١٢٣٤٥٦٧ ')).toBe('0501234567');
    expect(told('+۹۶۶ ۵۰ ۱۲۳ ۴۵۶۷')).toBe('+966 50 123 4567');
  });

  it('is itself what is stored, and there is one way for others', () => {
    expect(names({ ...stored, brand: 'STC_PAY' })).toEqual(['accountId']);
    expect(virtualAccount.modesOf?.({ ...stored, brand: 'STC_PAY' })).toEqual([]);
    expect(virtualAccount.modesOf?.(paid)).toEqual([]);
  });

  it.each([
    ['+966 50 000 0000', false],
    ['0500000000', false],
    ['+49 (151) 234-567', false],
    ['٠٥٠١٢٣٤٥٦٧', false],
    ['+۹۶۶ ۵۰ ۱۲۳ ۴۵۶۷', false],
    ['', true],
    ['12345', true],
    ['١٢٣٤٥', true],
    ['call me', true],
    ['+966500000000000000000000000', true],
    ['5000000000 x', true],
  ])('has a number that can be called: %j', (mobilePhone, isWrong) => {
    const fields = virtualAccount.fieldsOf(stcPay);
    expect(wrongFields(fields, { mobilePhone })).toEqual(isWrong ? ['mobilePhone'] : []);
  });
});
