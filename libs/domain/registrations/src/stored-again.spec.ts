import { describe, expect, it } from '@jest/globals';
import { codes } from '@sluice/result-codes';
import { PAYMENT_UNKNOWN_AFTER_MS } from './awaited-payment.js';
import type {
  AwaitRepetition,
  RecordExisting,
  RegistrationCommand,
  StoreAgain,
} from './commands.js';
import { dueAtMs } from './due.js';
import {
  after,
  change,
  eventsOf,
  id,
  keeping,
  NOON_MS,
  paymentIs,
  paymentsAre,
  request,
} from './registration-fixture.js';
import { AWAITED_PAYMENTS_MAX } from './stored-again.js';

const PAUSES = { keepingMs: 20_000, paymentMs: 30_000, forgettingMs: 5_000 };
const failed = { kind: 'failed', resultCode: '800.100.152' } as const;
const failedToo = { kind: 'failed', resultCode: '800.100.155' } as const;
const approved = { kind: 'approved' } as const;
const expiry = { month: '11', year: '2039' };

/** Its own payment is 9, and that of the next request 8. */
const waiting = [request({ paymentId: id(9), mayBeExisting: true }), keeping] as const;

function storeAgain(paymentId?: StoreAgain['paymentId']): StoreAgain {
  const of = paymentId === undefined ? {} : { paymentId };
  return { type: 'StoreAgain', nowMs: NOON_MS + 6, ...of };
}

function awaitRepetition(paymentId = id(8)): AwaitRepetition {
  return { type: 'AwaitRepetition', nowMs: NOON_MS + 6, paymentId };
}

const lastOf = (...commands: readonly RegistrationCommand[]) => eventsOf(...commands).at(-1)?.type;

describe('a registration that can be used, and whose account is to be stored again', () => {
  it('stays as it is, whatever it is to be stored with', () => {
    expect(eventsOf(request(), keeping, storeAgain(), storeAgain(id(8)))).toHaveLength(2);
  });
});

describe('a registration that waits for its payment, and whose account is to be stored again', () => {
  it('can be used at once where that is asked for without a payment', () => {
    expect(after(...waiting, storeAgain())).toMatchObject({ state: 'kept', awaitedPayments: [] });
  });

  it('waits for the other payment as well, once', () => {
    const registration = after(...waiting, storeAgain(id(8)), storeAgain(id(8)));
    expect(registration.state).toBe('requested');
    expect(registration.awaitedPayments).toEqual([
      { paymentId: id(9), sinceMs: NOON_MS },
      { paymentId: id(8), sinceMs: NOON_MS + 6 },
    ]);
  });

  it.each([id(8), id(9)])('can be used once either is approved: %s', (paymentId) => {
    const registration = after(
      ...[...waiting, storeAgain(id(8)), paymentsAre([[paymentId, approved]])],
    );
    expect(registration).toMatchObject({ state: 'kept', awaitedPayments: [], paymentId });
  });

  it('is not given up while one of them may still be approved', () => {
    const own = [[id(9), failed] as const];
    const both = [...waiting, storeAgain(id(8))];
    expect(eventsOf(...both, paymentsAre(own))).toHaveLength(3);
    expect(eventsOf(...both, paymentsAre([...own, [id(8), { kind: 'undecided' }]]))).toHaveLength(
      3,
    );
    const late = NOON_MS + PAYMENT_UNKNOWN_AFTER_MS + 6;
    expect(eventsOf(...both, paymentsAre(own, late))).toHaveLength(3);
    expect(lastOf(...both, paymentsAre(own, late + 1))).toBe('RegistrationAbandoned');
  });

  it('is given up when all of them have failed, with the code of its own', () => {
    const none = paymentsAre([
      [id(9), failed],
      [id(8), failedToo],
    ]);
    const registration = after(...waiting, storeAgain(id(8)), none);
    expect(registration).toMatchObject({
      ...{ state: 'never', isToBeForgotten: true, paymentId: id(9) },
    });
    expect(registration.outcomes.get(id(1))?.resultCode).toBe('800.100.152');
  });

  it('waits for so many payments at the most', () => {
    const many = Array.from({ length: AWAITED_PAYMENTS_MAX + 3 }, (_, n) =>
      storeAgain(id(100 + n)),
    );
    expect(after(...waiting, ...many).awaitedPayments).toHaveLength(AWAITED_PAYMENTS_MAX);
  });
});

describe('a registration that is over, or that the vault has not kept yet', () => {
  it.each([
    ['deleted', [request(), keeping, change('deletion')]],
    ['abandoned', [...waiting, paymentIs(failed)]],
    ['requested', [request({ mayBeExisting: true })]],
  ] as const)('changes nothing: %s', (_, before) => {
    const events = eventsOf(...before);
    expect(eventsOf(...before, storeAgain(), storeAgain(id(8)))).toHaveLength(events.length);
  });
});

describe('the request to store an account that is stored already', () => {
  const existing = { registrationId: id(7), expiry };
  const found: RecordExisting = { type: 'RecordExisting', nowMs: NOON_MS + 5, existing };

  it('is answered with that registration, and is none itself', () => {
    const registration = after(request({ mayBeExisting: true }), found);
    expect(registration).toMatchObject({ state: 'never', isToBeForgotten: false, existing });
    expect(registration.instrument).not.toHaveProperty('vaultReference');
    expect(registration.outcomes.get(id(1))).toMatchObject({
      ...{ status: 'approved', resultCode: '000.100.110', existingId: id(7) },
    });
    expect(dueAtMs(registration, NOON_MS, PAUSES)).toBeNull();
  });

  it('waits for its payment, which alone says whether the new expiry is good', () => {
    const asked = [request({ paymentId: id(9), mayBeExisting: true }), found] as const;
    const registration = after(...asked);
    expect(registration).toMatchObject({ state: 'never', awaitedPayments: [{ paymentId: id(9) }] });
    expect(registration.outcomes.get(id(1))).toMatchObject({
      ...{ status: 'awaitsPayment', resultCode: codes.pending, existingId: id(7) },
    });
    const paid = after(...asked, paymentIs(approved));
    expect(paid).toMatchObject({ state: 'never', awaitedPayments: [], isToBeForgotten: false });
    expect(paid.outcomes.get(id(1))?.status).toBe('approved');
  });

  it('leaves nothing to forget where its payment fails', () => {
    const asked = [request({ paymentId: id(9), mayBeExisting: true }), found] as const;
    const registration = after(...asked, paymentIs(failed));
    expect(registration).toMatchObject({ state: 'never', isToBeForgotten: false });
    expect(registration.outcomes.get(id(1))).toMatchObject({
      ...{ status: 'rejected', resultCode: '800.100.152' },
    });
  });

  it('is decided once', () => {
    const begun = request({ mayBeExisting: true });
    expect(eventsOf(begun, found, found, keeping)).toHaveLength(2);
    expect(eventsOf(begun, keeping, found)).toHaveLength(2);
    const own = eventsOf(request({ paymentId: id(9) }), keeping, found, storeAgain(id(8)), found);
    expect(own).toHaveLength(3);
  });

  it('is the answer to no other request', () => {
    const asked = [request({ paymentId: id(9), mayBeExisting: true }), found] as const;
    expect(eventsOf(...asked, storeAgain(), storeAgain(id(8)))).toHaveLength(2);
  });
});

describe('a registration whose payment comes again under its key', () => {
  const found: RecordExisting = {
    ...{ type: 'RecordExisting', nowMs: NOON_MS + 5 },
    existing: { registrationId: id(7), expiry },
  };

  it('waits for the payment of the repetition as well, once', () => {
    const registration = after(...waiting, awaitRepetition(), awaitRepetition());
    expect(registration.awaitedPayments).toEqual([
      { paymentId: id(9), sinceMs: NOON_MS },
      { paymentId: id(8), sinceMs: NOON_MS + 6 },
    ]);
  });

  it('can be used if the repetition is the one that is made', () => {
    const made = [[id(8), approved] as const];
    const late = NOON_MS + PAYMENT_UNKNOWN_AFTER_MS + 1;
    const registration = after(...waiting, awaitRepetition(), paymentsAre(made, late));
    expect(registration).toMatchObject({ state: 'kept', paymentId: id(8) });
  });

  it('is given up with what the payment says that was made, and not the one that never was', () => {
    const made = [[id(8), failed] as const];
    const late = NOON_MS + PAYMENT_UNKNOWN_AFTER_MS + 1;
    const registration = after(...waiting, awaitRepetition(), paymentsAre(made, late));
    expect(registration).toMatchObject({ state: 'never', paymentId: id(8) });
    expect(registration.outcomes.get(id(1))?.resultCode).toBe('800.100.152');
  });

  it('waits so although the account was stored before: the new expiry is good with either', () => {
    const asked = [request({ paymentId: id(9), mayBeExisting: true }), found] as const;
    const registration = after(...asked, awaitRepetition());
    expect(registration.awaitedPayments.map(({ paymentId }) => paymentId)).toEqual([id(9), id(8)]);
    const paid = after(...asked, awaitRepetition(), paymentsAre([[id(8), approved]]));
    expect(paid.outcomes.get(id(1))).toMatchObject({ status: 'approved', existingId: id(7) });
  });

  it('waits for so many payments at the most', () => {
    const many = Array.from({ length: AWAITED_PAYMENTS_MAX }, (_, n) =>
      awaitRepetition(id(100 + n)),
    );
    expect(after(...waiting, ...many).awaitedPayments).toHaveLength(AWAITED_PAYMENTS_MAX);
  });

  it.each([
    ['approved', [...waiting, paymentIs(approved)]],
    ['failed', [...waiting, paymentIs(failed)]],
    ['deleted', [...waiting, change('deletion')]],
    ['not kept yet', [request({ paymentId: id(9) })]],
    ['stored without a payment', [request(), keeping]],
  ] as const)('stays as it is where nothing is waited for: %s', (_, before) => {
    const events = eventsOf(...before);
    expect(eventsOf(...before, awaitRepetition())).toHaveLength(events.length);
  });
});
