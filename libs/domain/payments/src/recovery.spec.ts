import { describe, expect, it } from '@jest/globals';
import type { PaymentCommand, RecordFinding } from './commands.js';
import { findTransaction } from './payment.js';
import {
  approved,
  eur,
  id,
  initiate,
  NOON_MS,
  outcome,
  refer,
  requestOf,
  stateAfter,
} from './payment-fixture.js';
import { authorized, debited } from './payment-states-fixture.js';
import { nextDue, type RecoveryStep, recoverySteps } from './recovery.js';
import type { SentOperation } from './sent-operations.js';
import {
  capabilities,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  schedule,
  silent,
  sweep,
} from './recovery-fixture.js';

const requested = stateAfter(initiate('debit', 10_000));
const unknown = stateAfter(initiate('debit', 10_000), outcome(id(1), 'unknown', NOON_MS + 20_000));

describe('requested, the process gone', () => {
  it('is left alone until the lease is over', () => {
    expect(nextDue(requested, NOON_MS, capabilities, schedule)).toBe(NOON_MS + MINUTE_MS);
    expect(recoverySteps(requested, NOON_MS + 59_999, capabilities, schedule)).toEqual([]);
  });
  it('has a lease that covers send window, call, flight and two clocks (D-25)', () => {
    const short = { ...schedule, leaseMs: 1 };
    expect(nextDue(requested, NOON_MS, capabilities, short)).toBe(NOON_MS + 22_000 + 20_500);
  });
  it('is then inquired, never submitted, by the reference of the request', () => {
    expect(recoverySteps(requested, NOON_MS + MINUTE_MS, capabilities, schedule)).toEqual([
      {
        kind: 'inquire',
        transactionId: id(1),
        acquirerReference: id(1),
        original: { operation: 'debit', amount: eur(10_000), mode: 'INTERNAL' },
        last: false,
        notFoundIsDefinitive: true,
      },
    ]);
  });
  it('ends approved when the acquirer has booked it', () => {
    const { state, attempts } = sweep(requested, (step, nowMs) =>
      outcome(step.transactionId, 'approved', nowMs),
    );
    expect(findTransaction(state, id(1))?.status).toBe('approved');
    expect(attempts).toEqual([{ afterMs: MINUTE_MS, kind: 'inquire' }]);
  });
  it('was never sent if its request event says so', () => {
    const { request: _, ...withoutRequest } = initiate('debit', 10_000);
    const state = stateAfter(withoutRequest as PaymentCommand);
    const [step] = recoverySteps(state, NOON_MS, capabilities, schedule);
    expect(step?.kind).toBe('recordNeverSent');
  });
  it('becomes unknown where nobody can be asked', () => {
    const { attempts } = sweep(requested, silent, { ...capabilities, canInquire: false });
    expect(attempts[0]).toEqual({ afterMs: MINUTE_MS, kind: 'recordUnknown' });
  });
});

describe('a debit whose outcome is unknown', () => {
  it('is inquired on schedule, reversed from resolveBy on, and becomes a case (R-UNK-04)', () => {
    const { state, attempts } = sweep(unknown, silent);
    const unknownAtMs = 20_000;
    const resolveBy = unknownAtMs + schedule.resolveByMs;
    expect(attempts).toEqual([
      { afterMs: 25_000, kind: 'inquire' },
      { afterMs: 42_500, kind: 'inquire' },
      { afterMs: 50_000, kind: 'inquire' },
      { afterMs: unknownAtMs + 2 * MINUTE_MS, kind: 'inquire' },
      { afterMs: unknownAtMs + 10 * MINUTE_MS, kind: 'inquire' },
      ...[0, ...schedule.inquireAfterMs].map((afterMs) => ({
        afterMs: resolveBy + afterMs,
        kind: 'reverse',
      })),
    ]);
    expect(findTransaction(state, id(1))).toMatchObject({
      status: 'unknown',
      openCase: 'unresolved',
    });
  });
  it('takes "not found" for an answer only when nothing can be under way any more', () => {
    const early = stateAfter(initiate('debit', 10_000), outcome(id(1), 'unknown', NOON_MS + 1_000));
    const at = (afterMs: number) =>
      recoverySteps(early, NOON_MS + afterMs, capabilities, schedule)[0];
    expect(at(6_000)).toMatchObject({ kind: 'inquire', notFoundIsDefinitive: false });
    expect(at(42_499)).toMatchObject({ notFoundIsDefinitive: false });
    expect(at(42_500)).toMatchObject({ notFoundIsDefinitive: true });
    const due = nextDue(early, NOON_MS + 31_000, capabilities, schedule);
    expect(due).toBe(NOON_MS + 42_500);
  });
  it('counts that from when its own process gave the call up, by the settings it had', () => {
    const request = { ...requestOf(id(1)), deadlineMs: NOON_MS + 60_000 };
    const slow = stateAfter(initiate('debit', 10_000, { request }), outcome(id(1), 'unknown'));
    const at = (afterMs: number) =>
      recoverySteps(slow, NOON_MS + afterMs, capabilities, schedule)[0];
    expect(at(80_499)).toMatchObject({ notFoundIsDefinitive: false });
    expect(at(80_500)).toMatchObject({ notFoundIsDefinitive: true });
  });
  it('is not reversed before maxInFlightMs however short resolveBy is', () => {
    const steps = recoverySteps(
      stateAfter(initiate('debit', 10_000), outcome(id(1), 'unknown', NOON_MS + 100)),
      NOON_MS + 42_499,
      capabilities,
      { ...schedule, resolveByMs: 200 },
    );
    expect(steps.map((step) => step.kind)).toEqual(['inquire']);
  });
  it('is asked about directly before each reversal, however late the sweeper comes (D-27)', () => {
    for (const afterMs of [HOUR_MS, 30 * DAY_MS]) {
      const [step] = recoverySteps(unknown, NOON_MS + afterMs, capabilities, schedule);
      expect(step).toMatchObject({ kind: 'reverse', inquireFirst: true });
    }
    const mute = { ...capabilities, canInquire: false };
    const [blind] = recoverySteps(unknown, NOON_MS + HOUR_MS, mute, schedule);
    expect(blind).toMatchObject({ kind: 'reverse', inquireFirst: false });
  });
  it('ends reversed when the acquirer names what it undid, and is asked once more', () => {
    const { state, attempts } = sweep(unknown, (step, nowMs) => {
      const { transactionId } = step;
      if (step.kind === 'reverse') {
        return { type: 'RecordReversal', transactionId, nowMs, connectorTxId: 'r' };
      }
      if (step.kind === 'inquireLate') {
        return { type: 'RecordLateAnswer', transactionId, nowMs, answer: 'notFound' };
      }
      return undefined;
    });
    expect(findTransaction(state, id(1))).toMatchObject({
      status: 'reversedAfterUnknown',
      resultCode: '900.100.301',
      lateAnswer: 'notFound',
    });
    const reversedAtMs = 20_000 + schedule.resolveByMs;
    expect(attempts.slice(-2)).toEqual([
      { afterMs: reversedAtMs, kind: 'reverse' },
      { afterMs: reversedAtMs + HOUR_MS, kind: 'inquireLate' },
    ]);
  });
  it('is only inquired where nothing can be reversed', () => {
    const { attempts } = sweep(unknown, silent, { ...capabilities, canReverse: false });
    expect(new Set(attempts.map((attempt) => attempt.kind))).toEqual(new Set(['inquire']));
  });
  it('is reversed on schedule where nobody can be asked, and becomes a case that is not silent', () => {
    const { state, attempts } = sweep(unknown, silent, { ...capabilities, canInquire: false });
    const fromMs = 20_000 + schedule.resolveByMs;
    expect(attempts).toEqual(
      [0, ...schedule.inquireAfterMs].map((afterMs) => ({
        afterMs: fromMs + afterMs,
        kind: 'reverse',
      })),
    );
    expect(findTransaction(state, id(1))).toMatchObject({
      status: 'unknown',
      openCase: 'unresolved',
    });
  });
  it('is a case at once where the acquirer can do nothing', () => {
    const none = { ...capabilities, canReverse: false, canInquire: false };
    const { state } = sweep(unknown, silent, none);
    expect(findTransaction(state, id(1))?.openCase).toBe('unresolved');
  });
});

describe('an outcome that became unknown', () => {
  // "Not found" proves something from 42.5 s on.
  it.each([42_500, 60_000])('after %s ms is inquired on schedule from then on', (afterMs) => {
    const state = stateAfter(
      initiate('debit', 10_000),
      outcome(id(1), 'unknown', NOON_MS + afterMs),
    );
    const atMs = NOON_MS + afterMs;
    expect(recoverySteps(state, atMs, capabilities, schedule)).toEqual([]);
    expect(recoverySteps(state, atMs + 4_999, capabilities, schedule)).toEqual([]);
    expect(nextDue(state, atMs, capabilities, schedule)).toBe(atMs + 5_000);
  });
  it('is recorded as never sent where its request says so', () => {
    const { request: _, ...withoutRequest } = initiate('debit', 10_000);
    const state = stateAfter(withoutRequest as PaymentCommand, outcome(id(1), 'unknown'));
    expect(recoverySteps(state, NOON_MS + 100, capabilities, schedule)).toEqual([
      { kind: 'recordNeverSent', transactionId: id(1) },
    ]);
    expect(recoverySteps(state, NOON_MS + 99, capabilities, schedule)).toEqual([]);
  });
  it('is a case, and no step that nobody can take, where the acquirer can do nothing', () => {
    const none = { ...capabilities, canReverse: false, canInquire: false };
    const steps = recoverySteps(unknown, NOON_MS + 20_000, none, schedule);
    expect(steps).toEqual([{ kind: 'openCase', transactionId: id(1) }]);
  });
});

/** What comes before each operation that is sent, and what recovery may do about it. */
const sent: Record<
  SentOperation,
  { readonly before: readonly PaymentCommand[]; reversed: boolean; refundable: boolean }
> = {
  authorization: { before: [], reversed: true, refundable: false },
  debit: { before: [], reversed: true, refundable: true },
  credit: { before: [], reversed: false, refundable: false },
  capture: { before: authorized, reversed: false, refundable: true },
  reversal: { before: authorized, reversed: false, refundable: false },
  refund: { before: debited, reversed: false, refundable: false },
  rebill: { before: debited, reversed: true, refundable: true },
  receipt: { before: authorized, reversed: false, refundable: true },
  incrementalAuthorization: { before: authorized, reversed: true, refundable: false },
  reauthorization: { before: authorized, reversed: false, refundable: false },
};

describe.each(Object.keys(sent) as readonly SentOperation[])('a %s', (operation) => {
  const { before, reversed, refundable } = sent[operation];
  const [transactionId, command] =
    operation === 'authorization' || operation === 'debit' || operation === 'credit'
      ? [id(1), initiate(operation, 10_000)]
      : [id(2), refer(operation, id(2), id(1), 10_000)];

  it(`whose outcome is unknown is inquired, ${reversed ? 'then' : 'never'} reversed`, () => {
    const state = stateAfter(...before, command, outcome(transactionId, 'unknown'));
    const kinds = new Set(sweep(state, silent).attempts.map(({ kind }) => kind));
    expect([...kinds]).toEqual(reversed ? ['inquire', 'reverse'] : ['inquire']);
  });

  it(`approved past the cut-off of reversals is ${refundable ? 'refunded' : 'reversed'}`, () => {
    const lateMs = NOON_MS + DAY_MS;
    const late = [
      outcome(transactionId, 'notPerformed'),
      outcome(transactionId, 'approved', lateMs),
    ];
    const state = stateAfter(...before, command, ...late);
    const kind = refundable ? 'refundLateApproval' : 'undoLateApproval';
    expect(recoverySteps(state, lateMs, capabilities, schedule)).toMatchObject([{ kind }]);
  });
});

describe('whatever recovery asks or undoes', () => {
  const request = { ...requestOf(id(1)), acquirerReference: 'sent-under-this' };
  const debit = initiate('debit', 10_000, { request });
  const lateMs = NOON_MS + DAY_MS;
  const notFound = [debit, outcome(id(1), 'notPerformed')];
  const lateApproval = (nowMs: number) => [...notFound, outcome(id(1), 'approved', nowMs)];
  const reversed: RecordFinding = {
    type: 'RecordReversal',
    transactionId: id(1),
    nowMs: NOON_MS,
    connectorTxId: 'r',
  };
  const refundRequested: RecordFinding = {
    type: 'RequestLateApprovalRefund',
    transactionId: id(1),
    nowMs: lateMs,
    request: { ...request, acquirerReference: 'refunded-under-this' },
  };

  it.each<[RecoveryStep['kind'], readonly PaymentCommand[], afterMs: number, reference: string]>([
    ['inquire', [debit], MINUTE_MS, 'sent-under-this'],
    ['inquire', [debit, outcome(id(1), 'unknown')], MINUTE_MS, 'sent-under-this'],
    ['inquire', [debit, outcome(id(1), 'pending')], MINUTE_MS, 'sent-under-this'],
    ['reverse', [debit, outcome(id(1), 'unknown')], HOUR_MS, 'sent-under-this'],
    ['inquireLate', notFound, DAY_MS, 'sent-under-this'],
    ['inquireLate', [debit, reversed], DAY_MS, 'sent-under-this'],
    ['undoLateApproval', lateApproval(NOON_MS + HOUR_MS), HOUR_MS, 'sent-under-this'],
    ['refundLateApproval', lateApproval(lateMs), DAY_MS, 'sent-under-this'],
    [
      'inquireLateRefund',
      [...lateApproval(lateMs), refundRequested],
      DAY_MS + MINUTE_MS,
      'refunded-under-this',
    ],
  ])(
    '%s names the reference that was recorded before sending, and what was asked (D-24)',
    (kind, before, afterMs, acquirerReference) => {
      const state = stateAfter(...before);
      const steps = recoverySteps(state, NOON_MS + afterMs, capabilities, schedule);
      const operation = kind === 'inquireLateRefund' ? 'refund' : 'debit';
      const original = { operation, amount: eur(10_000), mode: 'INTERNAL' };
      expect(steps).toMatchObject([{ kind, transactionId: id(1), acquirerReference, original }]);
    },
  );
});

describe('what is undone by its reference', () => {
  const original = { operation: 'debit', amount: { minor: 10_000n, currency: 'EUR' } };
  const notFound = outcome(id(1), 'notPerformed');
  const lateApproval = outcome(id(1), 'approved', NOON_MS + HOUR_MS);

  it.each<[RecoveryStep['kind'], readonly PaymentCommand[]]>([
    ['reverse', [outcome(id(1), 'unknown')]],
    ['undoLateApproval', [notFound, lateApproval]],
  ])('is told again to whoever wants it: %s', (kind, after) => {
    const state = stateAfter(initiate('debit', 10_000), ...after);
    const steps = recoverySteps(state, NOON_MS + HOUR_MS, capabilities, schedule);
    expect(steps).toMatchObject([{ kind, original }]);
  });
});

describe('pending', () => {
  it('is inquired and never reversed, because the acquirer has answered', () => {
    const state = stateAfter(initiate('debit', 10_000), outcome(id(1), 'pending'));
    const { attempts } = sweep(state, (step, nowMs) =>
      nowMs > NOON_MS + HOUR_MS
        ? outcome(step.transactionId, 'approved', nowMs)
        : outcome(step.transactionId, 'pending', nowMs),
    );
    expect(new Set(attempts.map((attempt) => attempt.kind))).toEqual(new Set(['inquire']));
  });
});

describe('several open transactions', () => {
  it('are due at the earliest of them, and only what is due is done', () => {
    const state = stateAfter(
      ...approved(initiate('authorization', 10_000)),
      refer('capture', id(2), id(1), 1_000),
      outcome(id(2), 'unknown', NOON_MS + 100),
      refer('capture', id(3), id(1), 1_000),
    );
    expect(nextDue(state, NOON_MS, capabilities, schedule)).toBe(NOON_MS + 5_100);
    const steps = recoverySteps(state, NOON_MS + 5_100, capabilities, schedule);
    expect(steps.map((step) => step.transactionId)).toEqual([id(2)]);
  });
  it('are due at the earliest, whichever of them came first', () => {
    const state = stateAfter(
      ...approved(initiate('authorization', 10_000)),
      refer('capture', id(2), id(1), 1_000),
      refer('capture', id(3), id(1), 1_000),
      outcome(id(3), 'unknown', NOON_MS + 100),
    );
    expect(nextDue(state, NOON_MS, capabilities, schedule)).toBe(NOON_MS + 5_100);
  });
  it('need nobody once they are final', () => {
    const state = stateAfter(...approved(initiate('debit', 10_000)));
    expect(nextDue(state, NOON_MS, capabilities, schedule)).toBeNull();
  });
});
