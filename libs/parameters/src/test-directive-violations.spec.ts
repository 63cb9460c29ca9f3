import { describe, expect, it } from '@jest/globals';
import { checkForm } from './violations.js';
import { formOf, payment, violationsWith } from './violations-fixture.js';

describe('what a test asks of the simulator', () => {
  const faulty = 'customParameters[simulator.fault]';
  const forced = 'customParameters[forceResultCode]';
  const allowed =
    'must be delay:<ms> or late:<ms> (0 to 600000), or one of drop-before, drop-after, http-500, garbage, twice';

  it.each(['delay:0', 'delay:600000', 'late:5', 'drop-before', 'http-500', 'twice'])(
    'may be the fault %s',
    (value) => {
      expect(violationsWith({ [faulty]: value })).toEqual([]);
    },
  );

  it.each(['', 'bogus', 'delay:-1', 'delay:600001', 'delay:999999999999', 'late:', 'TWICE'])(
    'may not be the fault "%s"',
    (value) => {
      expect(violationsWith({ [faulty]: value })).toEqual([{ name: faulty, message: allowed }]);
    },
  );

  it('is checked for references as well', () => {
    const refund = formOf({
      paymentType: 'RF',
      amount: '1.00',
      currency: 'EUR',
      [faulty]: 'bogus',
    });
    expect(checkForm(refund, 'transaction', 'EXTERNAL').violations).toHaveLength(1);
  });

  it('may be any forced code of at most 11 characters', () => {
    expect(violationsWith({ [forced]: 'bogus' })).toEqual([]);
    const value = '800.100.1510';
    const message = expect.stringMatching(/at most 11 characters/);
    expect(violationsWith({ [forced]: value })).toEqual([{ name: forced, message }]);
  });

  it.each(['000.100.200', '000.100.203', '000.100.250', '000.100.299'])(
    'may not be the forced code of a chargeback, %s (D-73)',
    (value) => {
      const message = expect.stringMatching(/no chargeback code.*chargebackResultCode/);
      expect(violationsWith({ [forced]: value })).toEqual([{ name: forced, message }]);
      const live = formOf({ ...payment, [forced]: value });
      expect(checkForm(live, 'payments', 'LIVE').violations).toEqual([]);
    },
  );

  it("is the merchant's own data on a live installation", () => {
    const form = formOf({ ...payment, [faulty]: 'bogus', [forced]: 'x'.repeat(2_048) });
    expect(checkForm(form, 'payments', 'LIVE').violations).toEqual([]);
  });
});
