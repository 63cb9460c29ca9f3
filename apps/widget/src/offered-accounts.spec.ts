import { describe, expect, it } from '@jest/globals';
import { isOver, offeredOf } from './offered-accounts.js';

const id = 'a'.repeat(32);
const card = { last4Digits: '0000', expiryMonth: '05', expiryYear: '2034', holder: 'Jane Jones' };

describe('what a checkout offers', () => {
  it('is each stored card, in the order in which it is told', () => {
    const other = 'b'.repeat(32);
    const { accounts, isOnly } = offeredOf({
      registrations: [
        { id, paymentBrand: 'VISA', card },
        { id: other, paymentBrand: 'AMEX', card: { ...card, last4Digits: '0002' } },
      ],
    });
    expect(isOnly).toBe(false);
    expect(accounts).toEqual([
      {
        ...{ id, kind: 'card', brand: 'VISA', ending: '0000' },
        ...{ expiry: '05 / 34', holder: 'Jane Jones' },
      },
      expect.objectContaining({ id: other, brand: 'AMEX', ending: '0002' }),
    ]);
  });

  it('may be deleted where the gateway says so', () => {
    expect(offeredOf({ registrations: [], mayDelete: true }).mayDelete).toBe(true);
    expect(offeredOf({ registrations: [] }).mayDelete).toBe(false);
    expect(offeredOf({ registrations: [], mayDelete: 'true' }).mayDelete).toBe(false);
  });

  it('is an account of another kind by what is known of it', () => {
    const { accounts } = offeredOf({
      registrations: [
        { id, paymentBrand: 'DIRECTDEBIT_SEPA', bankAccount: { iban: 'DE****************7890' } },
        { id, paymentBrand: 'VISA', tokenAccount: { number: '***********1234' } },
        { id, paymentBrand: 'PAYPAL' },
      ],
    });
    expect(accounts.map(({ kind, ending, expiry }) => [kind, ending, expiry])).toEqual([
      ['bankAccount', '7890', ''],
      ['other', '1234', ''],
      ['other', '', ''],
    ]);
  });

  it('may be the one that the merchant has named', () => {
    const named = { registrations: [{ id, paymentBrand: 'VISA', card }], registrationId: id };
    expect(offeredOf(named).isOnly).toBe(true);
    // It was deleted since: whatever else the form has is better than nothing.
    expect(offeredOf({ ...named, registrations: [] }).isOnly).toBe(false);
  });

  it.each([undefined, null, 'text', [], {}, { registrations: 'x' }, { registrations: [null, {}] }])(
    'is nothing where the answer is %j',
    (body) => {
      expect(offeredOf(body)).toEqual({
        ...{ accounts: [], isOnly: false, mayDelete: false, charged: undefined, isOver: false },
      });
    },
  );

  it('has an amount where the answer tells one with its currency', () => {
    expect(offeredOf({ amount: '92.00', currency: 'EUR' }).charged).toEqual({
      ...{ amount: '92.00', currency: 'EUR' },
    });
    expect(offeredOf({ amount: '92.00' }).charged).toBeUndefined();
  });

  it('is of a checkout that pays where there is an amount, and only stores where there is none', () => {
    const result = { code: '000.000.100' };
    expect(offeredOf({ result, amount: '92.00', currency: 'EUR' }).purpose).toBe('payment');
    expect(offeredOf({ result }).purpose).toBe('registration');
    expect(offeredOf({ result: { code: '800.120.100' } }).purpose).toBeUndefined();
    expect(offeredOf({}).purpose).toBeUndefined();
  });

  it('is nothing of a checkout that is over, and says that', () => {
    const refused = (code: string) => offeredOf({ result: { code, description: 'refused' } });
    expect(refused('200.300.404')).toEqual({
      accounts: [],
      isOnly: false,
      mayDelete: false,
      isOver: true,
    });
    // Of an address that is not listened to for a while nobody knows.
    expect(refused('800.120.100').isOver).toBe(false);
  });

  it('is over when the month of a card is, and never where there is none', () => {
    const [visa] = offeredOf({ registrations: [{ id, paymentBrand: 'VISA', card }] }).accounts;
    if (visa === undefined) throw new Error('nothing is offered');
    expect(isOver(visa, Date.UTC(2034, 4, 31))).toBe(false);
    expect(isOver(visa, Date.UTC(2034, 5, 3))).toBe(true);
    expect(isOver({ ...visa, expiry: '' }, Date.UTC(2034, 5, 3))).toBe(false);
  });
});
