import { describe, expect, it } from '@jest/globals';
import { firstRejection } from './payment-checks.js';
import { checkForm, violations } from './violations.js';
import { formOf } from './violations-fixture.js';

const debit = {
  ...{ entityId: '0123456789abcdef0123456789abcdef', amount: '92.00', currency: 'EUR' },
  ...{ paymentBrand: 'DIRECTDEBIT_SEPA', paymentType: 'DB', 'bankAccount.holder': 'Jane Jones' },
  ...{ 'bankAccount.iban': 'DE23100000001234567890', 'bankAccount.bic': 'MARKDEF1100' },
};
/** Noon in UTC is the end of the day before where days end last. */
const NOON_MS = Date.parse('2026-03-15T12:00:00Z');

function rejectionAt(nowMs: number, transactionDueDate: string) {
  const form = formOf({ ...debit, transactionDueDate });
  const { kind, violations } = checkForm(form, 'payments', 'EXTERNAL');
  expect(violations).toEqual([]);
  return firstRejection(form, { kind, mode: 'EXTERNAL', nowMs });
}

describe('the day on which a direct debit is due', () => {
  it.each(['2026-03-15', '2026-03-16', '2027-01-01'])('may be %s', (day) => {
    expect(rejectionAt(NOON_MS, day)).toBeUndefined();
  });

  it('is refused by name once it is over everywhere on earth', () => {
    expect(rejectionAt(NOON_MS - 1, '2026-03-14')).toBeUndefined();
    expect(rejectionAt(NOON_MS, '2026-03-14')).toEqual({
      code: '100.500.301',
      description: 'invalid due date - transactionDueDate 2026-03-14 is over',
    });
    expect(rejectionAt(NOON_MS, '2020-01-01')?.code).toBe('100.500.301');
  });

  it('is of one payment, and refused of what is stored for payments', () => {
    const { amount: _, currency: __, paymentType: ___, ...account } = debit;
    const form = formOf({ ...account, transactionDueDate: '2026-03-15' });
    expect(violations(form, 'registration', 'EXTERNAL')).toEqual([
      {
        name: 'transactionDueDate',
        message: 'is of one payment: send it with the payment by what is stored',
      },
    ]);
  });
});

describe('anything but a direct debit', () => {
  const message = 'is of direct debits: nothing else is collected on a day';
  const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
  const card = {
    ...{ 'card.number': '4200000000000000', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
  };
  const faults = (sent: Readonly<Record<string, string>>) =>
    checkForm(formOf({ ...money, ...sent }), 'payments', 'EXTERNAL').violations;

  it.each([
    ['a card', { ...card, paymentBrand: 'VISA' }],
    ['a card whose brand is detected', card],
    ['a wallet', { 'applePay.paymentToken': '{}', paymentBrand: 'APPLEPAY' }],
    ['a provider', { paymentBrand: 'PAYPAL', shopperResultUrl: 'https://shop.example/result' }],
    ['an order at a bank', { paymentBrand: 'EPS', shopperResultUrl: 'https://shop.example/r' }],
    [
      'a token',
      {
        'tokenAccount.number': '4200000000000000',
        'tokenAccount.type': 'NETWORK',
        paymentBrand: 'VISA',
      },
    ],
    ['a gift card', { 'giftCard.number': '6006491260550218', paymentBrand: 'GIFTCARD' }],
  ])('by %s is due on no day, over or not', (_, sent) => {
    expect(faults(sent)).toEqual([]);
    for (const transactionDueDate of ['2034-12-01', '2020-01-01']) {
      expect(faults({ ...sent, transactionDueDate })).toEqual([
        { name: 'transactionDueDate', message },
      ]);
    }
  });

  it('by registration may be a direct debit, and in a checkout the shopper chooses', () => {
    const due = { transactionDueDate: '2034-12-01' };
    expect(faults({ ...due, registrationId: 'a'.repeat(32) })).toEqual([]);
    const checkout = formOf({ ...money, ...due, entityId: debit.entityId, paymentBrand: 'VISA' });
    expect(violations(checkout, 'checkout', 'EXTERNAL')).toEqual([]);
  });
});

describe('the day on which a capture is due', () => {
  const referring = (paymentType: string, transactionDueDate: string) => {
    const { entityId, amount, currency } = debit;
    const form = formOf({ entityId, amount, currency, paymentType, transactionDueDate });
    const { kind, violations: found } = checkForm(form, 'transaction', 'EXTERNAL');
    const [code] = [firstRejection(form, { kind, mode: 'EXTERNAL', nowMs: NOON_MS })?.code];
    return { faults: found.map(({ name }) => name), code };
  };

  it.each(['CP', 'RB', 'RC'])('of %s is refused as that of a debit', (type) => {
    expect(referring(type, '2026-03-15')).toEqual({ faults: [], code: undefined });
    expect(referring(type, '2026-03-14')).toEqual({ faults: [], code: '100.500.301' });
    expect(referring(type, 'xyz').faults).toEqual(['transactionDueDate']);
  });

  it.each(['RV', 'RF'])('is none of %s, which collects nothing', (type) => {
    expect(referring(type, '2026-03-14')).toEqual({ faults: [], code: undefined });
  });
});
