import { describe, expect, it } from '@jest/globals';
import type { MerchantAccountId, RouteId } from '@sluice/contracts';
import type { PaymentCommand, RerouteTransaction } from './commands.js';
import { asExpired } from './outcomes.js';
import { decide } from './decide.js';
import { findTransaction, initialState } from './payment.js';
import { given, id, initiate, NOON_MS, outcome, stateAfter } from './payment-fixture.js';
import { attemptReferenceOf, nextDue, recoverySteps } from './recovery.js';
import { totals } from './totals.js';
import { capabilities, MINUTE_MS, schedule } from './recovery-fixture.js';

const routeTo = (digit: string) => ({
  ...({ rule: 'priority', candidates: 2 } as const),
  routeId: digit.repeat(32) as RouteId,
  merchantAccountId: digit.repeat(32) as MerchantAccountId,
});
const LATER_MS = NOON_MS + MINUTE_MS;
const requestTo = (connector: string, attempt: number) => ({
  ...{ connector, acquirerReference: attempt === 1 ? id(1) : attemptReferenceOf(id(1), attempt) },
  deadlineMs: LATER_MS + 22_000,
});
const reroute = (changes: Partial<RerouteTransaction> = {}): RerouteTransaction => ({
  ...{ type: 'RerouteTransaction', transactionId: id(1), nowMs: LATER_MS },
  ...{ ended: { reason: 'notReachable' }, request: requestTo('second', 2), route: routeTo('b') },
  ...changes,
});
const routed = initiate('debit', 10_000, { route: routeTo('a') });
const transactionAfter = (...commands: readonly PaymentCommand[]) =>
  findTransaction(stateAfter(...commands), id(1))!;

describe('a payment that takes a route', () => {
  it('says which in its first event, and nothing of it without routes', () => {
    given()
      .when(routed)
      .then({ type: 'PaymentInitiated', data: { route: routeTo('a') } });
    expect(decide(initiate('debit', 10_000), initialState)[0]?.data).not.toHaveProperty('route');
  });

  it('has taken none if its command was too late', () => {
    const [initiated] = asExpired(decide(routed, initialState), LATER_MS);
    expect(initiated?.data).not.toHaveProperty('route');
    expect(initiated?.data).not.toHaveProperty('request');
  });
});

describe('a requested payment whose attempt booked nothing', () => {
  it('is requested of the next acquirer, with the attempt before in mind', () => {
    given(routed)
      .when(reroute())
      .then({
        type: 'TransactionRerouted',
        data: { reason: 'notReachable', request: requestTo('second', 2), route: routeTo('b') },
      });
    expect(transactionAfter(routed, reroute())).toMatchObject({
      ...{ status: 'requested', request: requestTo('second', 2), route: routeTo('b') },
      failedAttempts: [{ reason: 'notReachable', route: routeTo('a'), endedAtMs: LATER_MS }],
    });
  });

  it('may be rerouted again, and never twice to the same reference', () => {
    given(routed, reroute())
      .when(reroute({ request: requestTo('third', 3), route: routeTo('c') }))
      .then({ type: 'TransactionRerouted' });
    given(routed, reroute()).when(reroute()).thenNothing();
  });

  it('has the outcome of the last attempt', () => {
    const { status, request } = transactionAfter(routed, reroute(), outcome(id(1), 'approved'));
    expect([status, request?.connector]).toEqual(['approved', 'second']);
  });

  it.each(['approved', 'declined', 'pending', 'notPerformed', 'unknown'] as const)(
    'is not %s by a late word of the attempt before',
    (kind) => {
      const { acquirerReference } = requestTo('first', 1);
      given(routed, reroute())
        .when({ ...outcome(id(1), kind), acquirerReference })
        .thenNothing();
      given(routed, reroute())
        .when({ ...outcome(id(1), kind), acquirerReference: `${id(1)}-2` })
        .then({ type: expect.any(String) as never });
    },
  );

  it('is neither undone nor given up by one', () => {
    const { acquirerReference } = requestTo('first', 1);
    const about = { transactionId: id(1), nowMs: LATER_MS, acquirerReference };
    const unknown = outcome(id(1), 'unknown');
    given(routed, reroute(), unknown)
      .when({ type: 'RecordReversal', connectorTxId: 'acq-1', ...about })
      .thenNothing();
    given(routed, reroute(), unknown)
      .when({ type: 'OpenCase', ...about })
      .thenNothing();
  });

  it('was not never sent: that is found where nothing was requested', () => {
    const outcome = { kind: 'notPerformed', reason: 'neverSent' } as const;
    given(routed)
      .when({ type: 'RecordOutcome', transactionId: id(1), nowMs: LATER_MS, outcome })
      .thenNothing();
  });

  it('is left to its process for a lease from the last request on, then inquired about by its reference', () => {
    const state = stateAfter(routed, reroute());
    const dueMs = nextDue(state, LATER_MS, capabilities, schedule);
    expect(dueMs).toBe(
      Math.max(
        LATER_MS + schedule.leaseMs,
        LATER_MS + 22_000 + capabilities.maxInFlightMs + schedule.clockMarginMs,
      ),
    );
    expect(recoverySteps(state, dueMs!, capabilities, schedule)).toMatchObject([
      { kind: 'inquire', acquirerReference: `${id(1)}-2` },
    ]);
  });
});

describe('a requested payment that its acquirer has declined', () => {
  const decline = {
    ...{ resultCode: '800.100.190', connectorTxId: 'acq-1' },
    ...{ resultDetails: { AcquirerResponse: '58', MerchantAdviceCode: '22' } },
  };
  const ended = { reason: 'declined', decline } as const;
  const retried = reroute({ ended });

  it('is requested of the next acquirer, and its event says what the first one said', () => {
    given(routed)
      .when(retried)
      .then({
        type: 'TransactionRerouted',
        data: {
          ...{ reason: 'declined', decline },
          ...{ request: requestTo('second', 2), route: routeTo('b') },
        },
      });
    expect(transactionAfter(routed, retried)).toMatchObject({
      ...{ status: 'requested', request: requestTo('second', 2), route: routeTo('b') },
      failedAttempts: [{ ...ended, route: routeTo('a'), endedAtMs: LATER_MS }],
    });
  });

  it('has the outcome of the last attempt alone, and nothing of what the first acquirer said', () => {
    const approvedBySecond = transactionAfter(routed, retried, outcome(id(1), 'approved'));
    expect(approvedBySecond).toMatchObject({
      ...{ status: 'approved', resultCode: '000.100.110', connectorTxId: 'acq-1' },
      request: { connector: 'second' },
    });
    expect(approvedBySecond).not.toHaveProperty('resultDetails');
    const declinedAgain = transactionAfter(routed, retried, outcome(id(1), 'declined'));
    expect(declinedAgain).toMatchObject({ status: 'declined', resultCode: '800.100.152' });
    expect(declinedAgain).not.toHaveProperty('resultDetails');
    expect(declinedAgain).not.toHaveProperty('connectorTxId');
  });

  it('counts as used while the second acquirer has not answered, and is captured once', () => {
    const state = stateAfter(routed, retried, outcome(id(1), 'unknown'));
    expect(findTransaction(state, id(1))?.status).toBe('unknown');
    const { captured } = totals(stateAfter(routed, retried, outcome(id(1), 'approved')));
    expect(captured).toBe(10_000n);
  });

  it('is inquired about by the second reference alone once its process has died', () => {
    const state = stateAfter(routed, retried);
    const dueMs = nextDue(state, LATER_MS, capabilities, schedule);
    expect(recoverySteps(state, dueMs!, capabilities, schedule)).toMatchObject([
      { kind: 'inquire', acquirerReference: `${id(1)}-2` },
    ]);
  });
});

describe('a payment that has an outcome', () => {
  it.each(['approved', 'declined', 'pending', 'unknown', 'notPerformed'] as const)(
    'is not rerouted: %s',
    (kind) => {
      for (const command of [
        reroute(),
        reroute({ ended: { reason: 'declined', decline: { resultCode: '800.100.190' } } }),
      ]) {
        given(routed, outcome(id(1), kind))
          .when(command)
          .thenNothing();
      }
    },
  );
});
