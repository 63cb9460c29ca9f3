import { describe, expect, it } from '@jest/globals';
import { approved, id, initiate, stateAfter } from './payment-fixture.js';
import { initialTransaction, type PaymentState } from './payment.js';
import { agreementTold, needsFirstPayment, type FirstPayment } from './told-agreement.js';
import type { Transaction } from './transaction.js';

const REGISTRATION = '8ac7a4a1845f7e1901845f8f3b0a0001';

const said = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`standingInstruction.${name}`, value]),
  );

function transactionOf(state: PaymentState): Transaction {
  if (state.kind === 'none') throw new Error('no payment');
  return initialTransaction(state);
}

/** A payment that is about to be sent. */
const payment = (
  parameters: Readonly<Record<string, string>>,
  operation: 'debit' | 'authorization' | 'credit' = 'debit',
) => transactionOf(stateAfter(initiate(operation, 500, { transactionId: id(2), parameters })));

/** The approved payment that stored what the other one is made with. */
function storedBy(fields: Readonly<Record<string, string>>): FirstPayment {
  const first = initiate('debit', 500, { parameters: said(fields) });
  return { id: id(1), transaction: transactionOf(stateAfter(...approved(first))) };
}

const byRegistration = (fields: Readonly<Record<string, string>> = {}) =>
  payment({ ...said(fields), registrationId: REGISTRATION });

const byMerchant = { mode: 'REPEATED', source: 'MIT' };

describe('the first payment of an agreement', () => {
  it('is told by the name that its answer gives it', () => {
    expect(agreementTold(payment(said({ mode: 'INITIAL' })))).toEqual(said({ agreementId: id(2) }));
  });

  it('is told so by a registration, too, and names no earlier payment: it is a first one', () => {
    const first = byRegistration({ mode: 'INITIAL', source: 'CIT', type: 'RECURRING' });
    const stored = storedBy({ mode: 'INITIAL' });
    expect(agreementTold(first, stored)).toEqual(said({ agreementId: id(2) }));
    expect(needsFirstPayment(first)).toBe(false);
  });

  it('keeps the name that the merchant gave it', () => {
    expect(agreementTold(payment(said({ mode: 'INITIAL', agreementId: 'A-1' })))).toEqual({});
  });
});

describe('a payment that the merchant initiates with a registration', () => {
  it('names the first payment by both names that its answer gave', () => {
    const first = storedBy({ mode: 'INITIAL' });
    expect(agreementTold(byRegistration(byMerchant), first)).toEqual(
      said({ agreementId: id(1), initialTransactionId: 'acq-1' }),
    );
  });

  it("names it by the merchant's own name of the agreement", () => {
    const first = storedBy({ mode: 'INITIAL', agreementId: 'A-1' });
    expect(agreementTold(byRegistration(byMerchant), first)).toMatchObject(
      said({ agreementId: 'A-1' }),
    );
  });

  it.each<readonly [string, FirstPayment | undefined, string]>([
    ['its id, if it began no agreement', storedBy({}), id(1)],
    ['its id, if it cannot be read', { id: id(1) }, id(1)],
    ['the registration, if no payment stored it', undefined, REGISTRATION],
  ])('names it by %s', (_, first, agreementId) => {
    expect(agreementTold(byRegistration(byMerchant), first)).toEqual(said({ agreementId }));
  });

  it.each(['agreementId', 'initialTransactionId'])('keeps what it names by %s', (name) => {
    const named = byRegistration({ ...byMerchant, [name]: 'N-1' });
    expect(agreementTold(named, storedBy({ mode: 'INITIAL' }))).toEqual({});
    expect(needsFirstPayment(named)).toBe(false);
  });

  it('names a first payment that was made by the registration as one that stored it', () => {
    const parameters = {
      ...said({ mode: 'INITIAL', source: 'CIT' }),
      registrationId: REGISTRATION,
    };
    const made = initiate('debit', 500, { parameters });
    const first = { id: id(1), transaction: transactionOf(stateAfter(...approved(made))) };
    expect(agreementTold(byRegistration(byMerchant), first)).toEqual(
      said({ agreementId: id(1), initialTransactionId: 'acq-1' }),
    );
  });

  it('alone needs to know which payment that was', () => {
    expect(needsFirstPayment(byRegistration(byMerchant))).toBe(true);
    expect(needsFirstPayment(byRegistration())).toBe(false);
    expect(needsFirstPayment(payment(said(byMerchant)))).toBe(false);
  });
});

describe('a payment that the shopper makes with a registered card', () => {
  it('says that it is one, for which no security code is asked', () => {
    expect(agreementTold(byRegistration())).toEqual(
      said({ type: 'UNSCHEDULED', mode: 'REPEATED', source: 'CIT' }),
    );
  });

  it('keeps what it says itself', () => {
    expect(agreementTold(byRegistration({ type: 'RECURRING' }))).toEqual(
      said({ mode: 'REPEATED', source: 'CIT' }),
    );
    expect(agreementTold(byRegistration({ mode: 'REPEATED' }))).toEqual({});
  });
});

describe('any other payment', () => {
  it.each([
    ['with a card of its own', payment({})],
    ['that stores its card', payment({ createRegistration: 'true', registrationId: REGISTRATION })],
    ['to the shopper', payment({ registrationId: REGISTRATION }, 'credit')],
    [
      'with an account',
      { ...byRegistration(), instrument: { kind: 'virtualAccount', brand: 'PAYPAL' } as const },
    ],
  ])('%s is told nothing of', (_, told) => {
    expect(agreementTold(told)).toEqual({});
  });
});
