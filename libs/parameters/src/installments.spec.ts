import { describe, expect, it } from '@jest/globals';
import { isInInstallments } from './installments.js';
import { firstRejection } from './payment-checks.js';
import { checkForm, type Place } from './violations.js';
import { formOf, payment } from './violations-fixture.js';

const NAME = 'recurring.numberOfInstallments';
const now = Date.parse('2026-03-15T12:00:00Z');
const { amount, currency, paymentType } = payment;
const byRegistration = {
  ...{ amount, currency, paymentType, registrationId: '8ac7a4a0000000000000000000000001' },
};
const debit = {
  ...{ amount, currency, paymentType, paymentBrand: 'DIRECTDEBIT_SEPA' },
  ...{ 'bankAccount.iban': 'DE23100000001234567890', 'bankAccount.bic': 'MARKDEFF' },
  'bankAccount.holder': 'Jane Jones',
};

function rejected(
  fields: Readonly<Record<string, string>>,
  number: string,
  place: Place = 'payments',
) {
  const form = formOf({ ...fields, [NAME]: number });
  const { kind, violations } = checkForm(form, place, 'INTERNAL');
  expect(violations).toEqual([]);
  return firstRejection(form, { kind, mode: 'INTERNAL', nowMs: now });
}

describe('a number of installments', () => {
  it('of one or none is a payment at once, as pages write it', () => {
    for (const number of ['', '0', '00', '1', '01', undefined]) {
      expect([number, isInInstallments(number)]).toEqual([number, false]);
    }
    for (const number of ['2', '02', '10', '11', '99', 'x', '-1']) {
      expect([number, isInInstallments(number)]).toEqual([number, true]);
    }
  });

  it.each(['100', 'x', '-1', '1.5'])('is at most 99: %s', (number) => {
    const form = formOf({ ...payment, [NAME]: number });
    const message = 'must be a whole number from 0 to 99';
    expect(checkForm(form, 'payments', 'INTERNAL').violations).toEqual([
      { name: NAME, value: number, message },
    ]);
  });

  it.each(['', '0', '1', '2', '99'])('(%s) is of DB and PA by card', (number) => {
    for (const type of ['DB', 'PA']) {
      expect(rejected({ ...payment, paymentType: type }, number)).toBeUndefined();
      expect(rejected({ ...byRegistration, paymentType: type }, number)).toBeUndefined();
    }
  });

  it.each([
    ['credit', { ...payment, paymentType: 'CD' }],
    ['direct debit', debit],
  ])('is of no %s', (_what, fields) => {
    expect(rejected(fields, '3')).toEqual({
      code: '600.200.500',
      description: expect.stringContaining('only DB and PA by card are paid in installments'),
    });
    expect(rejected(fields, '1')).toBeUndefined();
    expect(rejected(fields, '0')).toBeUndefined();
  });

  it.each([
    ['RB', {}],
    ['PA', { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' }],
    ['PA', { 'standingInstruction.industryPractice': 'REAUTHORIZATION' }],
  ])('is of no %s on a payment, with %j', (type, practice) => {
    const asked = { amount, currency, paymentType: type, ...practice };
    const codes = ['3', 'x', '1', '0'].map(
      (number) => rejected(asked, number, 'transaction')?.code,
    );
    expect(codes).toEqual(['600.200.500', '600.200.500', undefined, undefined]);
  });
});
