import { describe, expect, it } from '@jest/globals';
import { PAYMENT_UNKNOWN_AFTER_MS } from './awaited-payment.js';
import { dueAtMs } from './due.js';
import { unrecordedOutcome } from './registration-decider.js';
import {
  after,
  change,
  eventsOf,
  forgetting,
  id,
  keeping,
  kept,
  NOON_MS,
  paymentIs,
  request,
  update,
} from './registration-fixture.js';

const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);
const PAUSES = { keepingMs: 20_000, paymentMs: 30_000, forgettingMs: 5_000 };

/** Asked for with a payment, and its details are kept. */
const asked = [request({ paymentId: id(9) }), keeping] as const;
const failed = { kind: 'failed', resultCode: '800.100.152' } as const;

describe('a registration that was asked for with a payment', () => {
  it('cannot be used when its details are kept: it waits for the payment', () => {
    const registration = after(...asked);
    const awaitedPayments = [{ paymentId: id(9), sinceMs: NOON_MS }];
    expect(registration).toMatchObject({ state: 'requested', awaitedPayments });
    expect(registration.outcomes.get(id(1))).toMatchObject({
      ...{ status: 'awaitsPayment', resultCode: '000.200.000' },
    });
  });

  it('can be used once the payment is approved', () => {
    const registration = after(...asked, paymentIs({ kind: 'approved' }));
    expect(registration).toMatchObject({
      ...{ state: 'kept', isToBeForgotten: false, fingerprint: kept.fingerprint },
      instrument: { vaultReference: kept.reference },
    });
    expect(registration.awaitedPayments).toEqual([]);
    expect(registration.outcomes.get(id(1))).toMatchObject({
      ...{ status: 'approved', resultCode: '000.100.110' },
    });
  });

  it('never comes to be if the payment fails, and its details are forgotten', () => {
    const registration = after(...asked, paymentIs(failed));
    expect(registration).toMatchObject({ state: 'never', isToBeForgotten: true });
    expect(registration.instrument).not.toHaveProperty('vaultReference');
    expect(registration.outcomes.get(id(1))).toMatchObject({
      ...{ status: 'rejected', resultCode: '800.100.152' },
    });
    expect(after(...asked, paymentIs(failed), forgetting).isToBeForgotten).toBe(false);
  });

  it('waits while the payment is not decided', () => {
    expect(eventsOf(...asked, paymentIs({ kind: 'undecided' }))).toHaveLength(2);
  });

  it('waits for a payment that is not there, until it cannot be made any more', () => {
    const young = paymentIs(undefined, NOON_MS + PAYMENT_UNKNOWN_AFTER_MS);
    expect(eventsOf(...asked, young)).toHaveLength(2);
    const old = paymentIs(undefined, NOON_MS + PAYMENT_UNKNOWN_AFTER_MS + 1);
    expect(after(...asked, old)).toMatchObject({ state: 'never', isToBeForgotten: true });
    expect(after(...asked, old).outcomes.get(id(1))?.resultCode).toBe('900.100.310');
  });

  it('is decided once', () => {
    const approved = paymentIs({ kind: 'approved' });
    expect(typesOf(eventsOf(...asked, approved, approved, paymentIs(failed)))).toEqual([
      ...['RegistrationRequested', 'DetailsKept', 'RegistrationConfirmed'],
    ]);
    expect(typesOf(eventsOf(...asked, paymentIs(failed), approved))).toEqual([
      ...['RegistrationRequested', 'DetailsKept', 'RegistrationAbandoned'],
    ]);
  });

  it('is kept once', () => {
    expect(eventsOf(...asked, keeping)).toHaveLength(2);
  });

  it.each([
    ['extended', change('extension')],
    ['changed', update()],
  ] as const)('cannot be %s before that, and says that it can be deleted', (_, early) => {
    const outcome = unrecordedOutcome(early, after(...asked));
    expect(outcome).toMatchObject({ status: 'rejected', resultCode: '100.150.201' });
    expect(outcome?.resultDescription).toMatch(/payment is not decided yet; it can be deleted$/);
    expect(eventsOf(...asked, early)).toHaveLength(2);
  });

  it('never came to be where the vault had nothing left to keep', () => {
    const [requested] = asked;
    const registration = after(requested, { type: 'RecordKeeping', nowMs: NOON_MS });
    expect(registration).toMatchObject({ state: 'never', isToBeForgotten: false });
    expect(eventsOf(requested, paymentIs({ kind: 'approved' }))).toHaveLength(1);
  });

  it('is looked at again the sooner, the younger it is', () => {
    const registration = after(...asked);
    expect(dueAtMs(registration, NOON_MS, PAUSES)).toBe(NOON_MS + PAUSES.paymentMs);
    const HOUR_MS = 3_600_000;
    const later = NOON_MS + HOUR_MS;
    expect(dueAtMs(registration, later, PAUSES)).toBe(later + HOUR_MS / 4);
  });
});

describe('a registration that is deleted while its payment is not decided', () => {
  const deleted = [...asked, change('deletion')] as const;

  it('is abandoned and deleted at once, and its details are forgotten', () => {
    expect(typesOf(eventsOf(...deleted, forgetting))).toEqual([
      ...['RegistrationRequested', 'DetailsKept'],
      ...['RegistrationAbandoned', 'RegistrationDeleted', 'DetailsForgotten'],
    ]);
    const registration = after(...deleted);
    expect(registration).toMatchObject({ state: 'ended', isToBeForgotten: true });
    expect(registration.instrument).not.toHaveProperty('vaultReference');
    expect(after(...deleted, forgetting).isToBeForgotten).toBe(false);
  });

  it('answers both requests: the first one with the code of what was removed', () => {
    const { outcomes } = after(...deleted);
    expect(outcomes.get(id(1))).toMatchObject({ status: 'rejected', resultCode: '100.150.202' });
    expect(outcomes.get(id(2))).toMatchObject({ status: 'approved', resultCode: '000.100.110' });
  });

  it.each([{ kind: 'approved' }, failed] as const)(
    'waits for nothing any more, and the payment changes nothing: %j',
    (decision) => {
      const registration = after(...deleted);
      expect(registration.awaitedPayments).toEqual([]);
      expect(dueAtMs(after(...deleted, forgetting), NOON_MS, PAUSES)).toBeNull();
      expect(eventsOf(...deleted, paymentIs(decision))).toHaveLength(4);
      expect(after(...deleted, paymentIs(decision)).state).toBe('ended');
    },
  );

  it('is deleted whatever other payments it waits for', () => {
    const again = { type: 'StoreAgain', nowMs: NOON_MS + 6, paymentId: id(8) } as const;
    expect(after(...asked, again, change('deletion'))).toMatchObject({
      ...{ state: 'ended', isToBeForgotten: true, awaitedPayments: [] },
    });
  });

  it('is closed for a second deletion', () => {
    expect(unrecordedOutcome(change('deletion', 3), after(...deleted))?.resultCode).toBe(
      '100.350.101',
    );
  });
});

describe('a payment', () => {
  it('says nothing of a registration that was asked for by itself', () => {
    expect(eventsOf(request(), keeping, paymentIs(failed))).toHaveLength(2);
  });
});
