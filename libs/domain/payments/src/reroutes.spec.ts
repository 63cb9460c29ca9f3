import { describe, expect, it } from '@jest/globals';
import type { MerchantAccountId, RouteId } from '@sluice/contracts';
import type { PaymentCommand, RerouteTransaction } from './commands.js';
import { asExpired } from './outcomes.js';
import { decide } from './decide.js';
import { findTransaction, initialState } from './payment.js';
import { given, id, initiate, NOON_MS, outcome, stateAfter } from './payment-fixture.js';
import { attemptReferenceOf, nextDue, recoverySteps } from './recovery.js';
import { capabilities, MINUTE_MS, schedule } from './recovery-fixture.js';

const routeTo = (digit: string) => ({
  ...({ rule: 'priority', candidates: 2 } as const),
  routeId: digit.repeat(32) as RouteId,
  merchantAccountId: digit.repeat(32) as MerchantAccountId,
});
const LATER_MS = NOON_MS + MINUTE_MS;
const requestTo = (connector: string, attempt: number) => ({
  ...{ connector, acquirerReference: attemptReferenceOf(id(1), attempt) },
  deadlineMs: LATER_MS + 22_000,
});
const reroute = (changes: Partial<RerouteTransaction> = {}): RerouteTransaction => ({
  ...{ type: 'RerouteTransaction', transactionId: id(1), nowMs: LATER_MS, reason: 'notReachable' },
  ...{ request: requestTo('second', 2), route: routeTo('b') },
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
      failedAttempts: [{ reason: 'notReachable', route: routeTo('a') }],
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

describe('a payment that has an outcome', () => {
  it.each(['approved', 'declined', 'pending', 'unknown', 'notPerformed'] as const)(
    'is not rerouted: %s',
    (kind) => {
      given(routed, outcome(id(1), kind))
        .when(reroute())
        .thenNothing();
    },
  );
});
