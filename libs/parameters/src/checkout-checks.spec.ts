import { describe, expect, it } from '@jest/globals';
import type { CheckoutPurpose } from '@sluice/contracts';
import { catalogue } from './catalogue.js';
import {
  checkoutFaults,
  checkoutParameters,
  checkoutPurposeOf,
  checkoutRejection,
  checkoutUpdateFaults,
} from './checkout-checks.js';
import type { Form } from './form.js';
import { parseForm } from './form-parser.js';
import { stored } from './stored.js';

const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };

function formOf(fields: Readonly<Record<string, string>>): Form {
  const parsed = parseForm(new URLSearchParams(fields).toString());
  if (parsed.kind !== 'form') throw new Error('the form cannot be read');
  return parsed.form;
}

const faultyNames = (fields: Readonly<Record<string, string>>): readonly string[] =>
  checkoutFaults(formOf(fields)).map(({ name }) => name);

describe('a checkout', () => {
  it('pays, unless it only registers', () => {
    expect(checkoutPurposeOf(formOf(money))).toBe('payment');
    expect(checkoutPurposeOf(formOf({ ...money, createRegistration: 'true' }))).toBe('payment');
    expect(checkoutPurposeOf(formOf({ createRegistration: 'true' }))).toBe('registration');
  });

  it('keeps what is to be paid', () => {
    const override = { 'overridePaymentType[VISA]': 'PA' };
    expect(checkoutParameters(formOf({ ...money, ...override, testMode: 'INTERNAL' }))).toEqual({
      ...money,
      ...override,
    });
  });

  it('says one type of one brand', () => {
    const types = { 'overridePaymentType[VISA]': 'PA', 'overridePaymentType[MASTER]': 'PA' };
    expect(faultyNames({ ...money, ...types })).toEqual([]);
    const twice = { ...money, ...types, 'overridePaymentType[visa]': 'DB' };
    expect(faultyNames(twice)).toEqual(['overridePaymentType[visa]']);
  });

  it('is refused where each of its payments would be', () => {
    const nowMs = Date.UTC(2026, 0, 15, 12);
    const rejected = (changes: Readonly<Record<string, string>>) =>
      checkoutRejection(formOf({ ...money, ...changes }), nowMs);
    expect(rejected({ transactionDueDate: '2025-12-31' })?.code).toBe('100.500.301');
    expect(rejected({ transactionDueDate: '2026-12-31' })).toBeUndefined();
    const inThree = { 'recurring.numberOfInstallments': '3' };
    expect(rejected(inThree)).toBeUndefined();
    expect(rejected({ 'recurring.numberOfInstallments': '0', paymentType: 'CD' })).toBeUndefined();
    expect(rejected({ ...inThree, paymentType: 'CD' })).toEqual({
      code: '600.200.500',
      description: expect.stringContaining('only DB and PA by card are paid in installments'),
    });
    const inApp = { 'threeDSecure.deviceInfo': 'x' };
    expect(rejected(inApp)?.description).toContain('of an app');
    expect(rejected({ ...inApp, 'threeDSecure.disable': 'true' })).toBeUndefined();
    const stores = formOf({ createRegistration: 'true', ...inThree });
    expect(checkoutRejection(stores, nowMs)?.code).toBe('600.200.500');
  });

  it.each([
    ['INITIAL', ['RECURRING', 'INITIAL', 'CIT']],
    ['REGISTRATION_BASED', ['UNSCHEDULED', 'REPEATED', 'CIT']],
  ])('keeps the legacy recurringType %s as %j', (recurringType, words) => {
    const form = formOf({ ...money, recurringType });
    expect(checkoutFaults(form)).toEqual([]);
    const { parameters } = stored(form, 'checkout');
    const kept = ['type', 'mode', 'source'].map(
      (part) => parameters[`standingInstruction.${part}`],
    );
    expect(kept).toEqual(words);
  });

  it('takes no account data', () => {
    const refused = {
      ...{ 'card.number': '4200000000000000', 'card.cvv': '123' },
      ...{ 'bankAccount.iban': 'DE12500105170648489890', 'applePay.paymentToken': 'e30=' },
    };
    expect(faultyNames({ ...money, ...refused })).toEqual(Object.keys(refused));
  });

  it('takes no payment that the merchant initiates: its shopper is there', () => {
    const source = (value: string) => ({ ...money, 'standingInstruction.source': value });
    expect(faultyNames(source('MIT'))).toEqual(['standingInstruction.source']);
    expect(faultyNames(source('CIT'))).toEqual([]);
    expect(faultyNames({ ...money, recurringType: 'REPEATED' })).toEqual(['recurringType']);
    expect(faultyNames({ ...source('CIT'), recurringType: 'REPEATED' })).toEqual([]);
    const changed = checkoutUpdateFaults(
      formOf({ 'standingInstruction.source': 'MIT' }),
      'payment',
    );
    expect(changed.map(({ name }) => name)).toEqual(['standingInstruction.source']);
  });

  it('that only stores has no day on which a payment is due', () => {
    const due = { transactionDueDate: '2034-12-01' };
    expect(faultyNames({ ...money, ...due })).toEqual([]);
    expect(faultyNames({ createRegistration: 'true', ...due })).toEqual(Object.keys(due));
    const added = (purpose: CheckoutPurpose) => checkoutUpdateFaults(formOf(due), purpose);
    expect(added('payment')).toEqual([]);
    expect(added('registration').map(({ name }) => name)).toEqual(Object.keys(due));
  });

  it('takes everything else, and who asks', () => {
    const access = { 'authentication.userId': 'me', 'authentication.password': 'secret' };
    expect(faultyNames({ ...money, ...access, integrity: 'true' })).toEqual([]);
  });

  it('forgets nothing that it takes', () => {
    const others = ['entityId', 'testMode', 'integrity', 'authentication.entityId'];
    for (const [key, row] of Object.entries(catalogue)) {
      const kinds: readonly string[] = row.kinds;
      if (!kinds.includes('checkout') || others.includes(key)) continue;
      const name = key.replaceAll('[n]', '[0]').replace(/\[(?:name|key|brand)\]/, '[VISA]');
      const form = formOf({ ...money, [name]: 'x' });
      const { parameters, personal } = stored(form, 'checkout');
      const kept = { ...parameters, ...personal, ...checkoutParameters(form) };
      const isRefused = checkoutFaults(form).length > 0;
      const isAccess = key.startsWith('authentication.');
      expect([key, name in kept, isRefused]).toEqual([key, !isRefused && !isAccess, isRefused]);
    }
  });

  it('is changed in everything but what is said only when it is made', () => {
    const said = { 'overridePaymentType[VISA]': 'PA', integrity: 'true', 'card.cvv': '123' };
    const faults = checkoutUpdateFaults(formOf({ amount: '10.00', ...said }), 'payment');
    expect(faults.map(({ name }) => name).toSorted()).toEqual(Object.keys(said).toSorted());
  });
});
