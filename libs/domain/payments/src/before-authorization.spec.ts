import { describe, expect, it } from '@jest/globals';
import type { AuthenticationResult } from '@sluice/contracts';
import type {
  AwaitAuthentication,
  RecordAppChallenge,
  FirstAuthentication,
  PaymentCommand,
  RecordAuthentication,
} from './commands.js';
import { decide } from './decide.js';
import { asExpired } from './outcomes.js';
import { findTransaction, initialState } from './payment.js';
import {
  given,
  happened,
  id,
  initiate,
  NOON_MS,
  outcome,
  refer,
  requestOf,
  stateAfter,
} from './payment-fixture.js';
import { attemptReferenceOf, nextDue, recoverySteps } from './recovery.js';
import { capabilities, DAY_MS, MINUTE_MS, schedule } from './recovery-fixture.js';
import { outcomeOf } from './result.js';

const result = (changes: Partial<AuthenticationResult> = {}): AuthenticationResult => ({
  ...({ status: 'Y', flow: 'frictionless', goesOn: true, resultCode: '000.400.110' } as const),
  ...{
    liabilityShifts: true,
    proofReference: 'vault-0.p1',
    eci: '05',
    serverTransactionId: 'server-1',
  },
  ...changes,
});
const REFUSED = result({ status: 'N', goesOn: false, resultCode: '000.400.102' });
const END_MS = NOON_MS + 5 * MINUTE_MS;
const pending: FirstAuthentication = {
  ...({ kind: 'pending', authenticationId: id(1), expiresAtMs: END_MS } as const),
  resumption: { returnUrl: 'https://gateway.example/return' },
};
const completed = (ended: AuthenticationResult): FirstAuthentication => ({
  ...({ kind: 'completed', authenticationId: id(1) } as const),
  result: ended,
});
const waiting = initiate('debit', 10_000, { authentication: pending });
const REDIRECT = {
  url: 'https://gateway.example/redirects/1',
  method: 'GET',
  parameters: {},
} as const;
const ended = (changes: Partial<RecordAuthentication> = {}): RecordAuthentication => ({
  ...({ type: 'RecordAuthentication', transactionId: id(1), nowMs: NOON_MS + 1_000 } as const),
  ...{ authenticationId: id(1), result: result(), goesOnBy: { request: requestOf(id(1)) } },
  ...changes,
});
const transactionAfter = (...commands: readonly PaymentCommand[]) =>
  findTransaction(stateAfter(...commands), id(1))!;

describe('a new payment that rules were applied to', () => {
  it('says what they said, behind its first event', () => {
    given()
      .when(initiate('debit', 10_000, { assessment: { decision: 'accept', score: 7 } }))
      .then(
        { type: 'PaymentInitiated', data: { request: requestOf(id(1)) } },
        { type: 'RiskAssessed', data: { decision: 'accept', score: 7 } },
      );
  });

  it('is rejected with their code, asks nobody and authenticates nobody', () => {
    const assessment = { decision: 'reject', score: 90, resultCode: '800.120.101' } as const;
    given()
      .when(initiate('debit', 10_000, { assessment, authentication: pending }))
      .then(
        { type: 'TransactionRejected', data: { resultCode: '800.120.101' } },
        { type: 'RiskAssessed', data: assessment },
      );
  });

  it('is refused for what edge or its route says first, and then nothing else is recorded', () => {
    const assessment = { decision: 'reject', score: 90 } as const;
    given()
      .when(initiate('debit', 10_000, { assessment, rejection: '600.200.500' }))
      .thenRejected('600.200.500');
  });
});

describe('a payment under review', () => {
  const assessment = { decision: 'review', score: 30 } as const;
  const reviewed = initiate('authorization', 10_000, { assessment });
  const authorized = [reviewed, outcome(id(1), 'approved')];
  const decided = (decision: 'released' | 'rejected') =>
    ({ type: 'DecideReview', transactionId: id(1), nowMs: NOON_MS, decision }) as const;

  it('is approved with the code of a review, whatever the acquirer calls it', () => {
    const named = {
      ...outcome(id(1), 'approved'),
      outcome: { kind: 'approved', connectorTxId: 'a', resultCode: '000.100.110' },
    } as const;
    for (const approval of [outcome(id(1), 'approved'), named]) {
      expect(transactionAfter(reviewed, approval)).toMatchObject({
        ...{ status: 'approved', resultCode: '000.400.000' },
      });
    }
  });

  it('is not captured until somebody has released it, and then as any other', () => {
    const capture = refer('capture', id(2), id(1), 10_000);
    given(...authorized)
      .when(capture)
      .thenRejected('700.400.570');
    given(...authorized, decided('released'))
      .when(capture)
      .then({ type: 'TransactionRequested' });
    expect(transactionAfter(...authorized, decided('released')).resultCode).toBe('000.100.110');
  });

  it('is never captured once it was rejected, and can be reversed before and after', () => {
    given(...authorized, decided('rejected'))
      .when(refer('capture', id(2), id(1), 10_000))
      .thenRejected('700.400.510');
    const reversal = refer('reversal', id(2), id(1));
    given(...authorized)
      .when(reversal)
      .then({ type: 'TransactionRequested' });
    given(...authorized, decided('rejected'))
      .when(reversal)
      .then({ type: 'TransactionRequested' });
  });

  it('says that it was rejected, and that it was approved, whatever is given back', () => {
    const rejected = [...authorized, decided('rejected')];
    const reversed = [...rejected, refer('reversal', id(2), id(1)), outcome(id(2), 'approved')];
    for (const commands of [rejected, reversed]) {
      expect(transactionAfter(...commands)).toMatchObject({
        ...{ status: 'approved', resultCode: '000.400.100' },
      });
    }
  });

  it('is decided once', () => {
    given(...authorized, decided('released'))
      .when(decided('rejected'))
      .thenNothing();
    given(initiate('authorization', 10_000)).when(decided('released')).thenNothing();
  });
});

describe('a new payment whose shopper was authenticated at once', () => {
  it('goes to the acquirer in the same breath', () => {
    given()
      .when(initiate('debit', 10_000, { authentication: completed(result()) }))
      .then(
        { type: 'PaymentInitiated', data: { request: requestOf(id(1)) } },
        { type: 'AuthenticationCompleted', data: { status: 'Y', eci: '05' } },
      );
  });

  it('ends without a request where the channel does not go on', () => {
    given()
      .when(initiate('debit', 10_000, { authentication: completed(REFUSED) }))
      .then(
        { type: 'TransactionRejected', data: { resultCode: '000.400.102' } },
        { type: 'AuthenticationCompleted', data: { status: 'N' } },
      );
  });
});

const CHALLENGE: RecordAppChallenge['appChallenge'] = {
  ...({ version: '2.2.0', serverTransactionId: 's', dsTransactionId: 'd' } as const),
  ...{ acsTransactionId: 'a', sdkTransactionId: 'k', acsReferenceNumber: 'ACS' },
  ...{ acsSignedContent: 'a.b.c', acsRenderingType: { acsInterface: '01', acsUiTemplate: '01' } },
};

describe('a payment whose shopper is being authenticated', () => {
  it('is pending, and no acquirer has been asked', () => {
    given().when(waiting).then({ type: 'PaymentInitiated' }, { type: 'AuthenticationPending' });
    expect(happened(waiting)[0]?.data).not.toHaveProperty('request');
    expect(transactionAfter(waiting)).toMatchObject({ status: 'pending', awaited: {} });
  });

  it('has ended where its command was too late, and then waits for nobody', () => {
    const events = asExpired(decide(waiting, initialState), END_MS);
    expect(events.map(({ type }) => type)).toEqual([
      ...['PaymentInitiated', 'TransactionNotPerformed'],
    ]);
  });

  it('asks the acquirer once the issuer has said yes: once, however often that is heard', () => {
    given(waiting)
      .when(ended())
      .then({ type: 'AuthenticationCompleted' }, { type: 'AuthorizationRequested' });
    given(waiting, ended()).when(ended()).thenNothing();
    expect(transactionAfter(waiting, ended())).toMatchObject({
      ...{ status: 'requested', request: requestOf(id(1)), authentication: { eci: '05' } },
    });
  });

  it('is declined with the reason of the authentication, and a yes that comes later is too late', () => {
    given(waiting)
      .when(ended({ result: REFUSED }))
      .then(
        { type: 'AuthenticationCompleted' },
        { type: 'TransactionDeclined', data: { resultCode: '000.400.102' } },
      );
    given(waiting, ended({ result: REFUSED }))
      .when(ended())
      .thenNothing();
  });

  it('is not moved by the word of another authentication, nor by an acquirer', () => {
    given(waiting)
      .when(ended({ authenticationId: id(9) }))
      .thenNothing();
    given(waiting)
      .when(outcome(id(1), 'approved'))
      .thenNothing();
  });

  it('is not performed where no acquirer is left', () => {
    const { goesOnBy: _, ...alone } = ended();
    given(waiting)
      .when(alone)
      .then(
        { type: 'AuthenticationCompleted' },
        { type: 'TransactionNotPerformed', data: { reason: 'unsupported' } },
      );
  });

  it('tells its app what to go on with, once, where the issuer took its time', () => {
    const appChallenge = { ...CHALLENGE };
    const late: RecordAppChallenge = {
      ...({ type: 'RecordAppChallenge', transactionId: id(1), nowMs: NOON_MS + 500 } as const),
      ...{ authenticationId: id(1), expiresAtMs: END_MS + 1, appChallenge },
    };
    given(waiting).when(late).then({ type: 'AuthenticationPending', data: { appChallenge } });
    given(waiting, late).when(late).thenNothing();
    given(waiting)
      .when({ ...late, authenticationId: id(9) })
      .thenNothing();
    given(waiting, ended()).when(late).thenNothing();
    const transaction = transactionAfter(waiting, late);
    expect(transaction).toMatchObject({ status: 'pending', awaited: { expiresAtMs: END_MS + 1 } });
    expect(outcomeOf(transaction)).toMatchObject({ appChallenge });
    const over = transactionAfter(waiting, late, ended());
    expect(outcomeOf(over)).not.toHaveProperty('appChallenge');
  });

  it('is asked about on the schedule of inquiries, and when its time is over', () => {
    const state = stateAfter(waiting);
    const dueMs = nextDue(state, NOON_MS, capabilities, schedule);
    expect(dueMs).toBe(NOON_MS + (schedule.inquireAfterMs[0] ?? 0));
    expect(recoverySteps(state, dueMs ?? 0, capabilities, schedule)).toEqual([
      {
        ...{ kind: 'inquireAuthentication', transactionId: id(1) },
        ...{ authenticationId: id(1), isOver: false, last: false },
      },
    ]);
    const lateMs = END_MS + schedule.clockMarginMs;
    expect(nextDue(state, lateMs - 1, capabilities, schedule)).toBe(lateMs);
    expect(recoverySteps(state, lateMs, capabilities, schedule)).toMatchObject([
      { isOver: true, last: false },
    ]);
  });

  it.each([
    ['often where no browser comes back', undefined, [5_000, 10_000, 15_000, 20_000], 30],
    ['on the schedule alone where one does', REDIRECT, [5_000, 30_000, 120_000], 4],
  ] as const)('is asked about %s', (_, redirect, first, most) => {
    const way = redirect && { redirect };
    const state = stateAfter(initiate('debit', 10_000, { authentication: { ...pending, ...way } }));
    const overMs = END_MS + schedule.clockMarginMs;
    const asked: number[] = [];
    let nowMs = NOON_MS;
    while (nowMs < overMs) {
      nowMs = nextDue(state, nowMs, capabilities, schedule) ?? NaN;
      asked.push(nowMs - NOON_MS);
    }
    expect(asked.slice(0, first.length)).toEqual(first);
    expect(asked.at(-1)).toBe(overMs - NOON_MS);
    expect(asked.length).toBeLessThanOrEqual(most);
  });

  it('is asked about for a day more where nobody answers, ever more rarely', () => {
    const state = stateAfter(waiting);
    const lateMs = END_MS + schedule.clockMarginMs;
    const asked: number[] = [];
    for (let nowMs = lateMs; ; nowMs = nextDue(state, nowMs, capabilities, schedule) ?? NaN) {
      asked.push(nowMs - lateMs);
      const [step] = recoverySteps(state, nowMs, capabilities, schedule);
      if (step?.kind === 'inquireAuthentication' && step.last) break;
    }
    expect(asked.slice(0, 3)).toEqual([0, 5_000, 10_000]);
    expect(asked.at(-1)).toBe(DAY_MS);
    expect(asked.length).toBeLessThan(60);
    const gaps = asked.slice(1).map((atMs, index) => atMs - (asked[index] ?? 0));
    // Whoever brings risk back waits at most as long again as a part of the outage.
    expect(gaps.every((gapMs, index) => gapMs <= Math.max(5_000, (asked[index] ?? 0) / 4))).toBe(
      true,
    );
  });

  it('is then a request as any other, left to whoever made it for a lease', () => {
    const state = stateAfter(waiting, ended());
    const [step] = recoverySteps(state, END_MS * 2, capabilities, schedule);
    expect(step).toMatchObject({ kind: 'inquire', acquirerReference: id(1) });
  });
});

describe('a payment that the issuer declines for want of an authentication', () => {
  const decline = { resultCode: '300.100.100', connectorTxId: 'acq-1' };
  const softly: AwaitAuthentication = {
    ...({ type: 'AwaitAuthentication', transactionId: id(1), nowMs: NOON_MS + 500 } as const),
    ...{ authenticationId: id(9), expiresAtMs: END_MS, resumption: {}, decline },
  };
  const debit = initiate('debit', 10_000);
  const second = { ...requestOf(id(1)), acquirerReference: attemptReferenceOf(id(1), 2) };

  it('waits for the shopper, with the decline in mind', () => {
    given(debit).when(softly).then({ type: 'AuthenticationPending', data: { decline } });
    expect(transactionAfter(debit, softly)).toMatchObject({
      ...{ status: 'pending', failedAttempts: [{ reason: 'declined', decline }] },
    });
    expect(transactionAfter(debit, softly)).not.toHaveProperty('request');
  });

  it('is asked of the acquirer again, under a reference of its own', () => {
    const again = ended({ authenticationId: id(9), goesOnBy: { request: second } });
    expect(transactionAfter(debit, softly, again)).toMatchObject({
      ...{ status: 'requested', request: second },
    });
  });

  it('is asked again in the same breath where the issuer needs no shopper after all', () => {
    const atOnce = { ...softly, ended: { result: result(), goesOnBy: { request: second } } };
    given(debit)
      .when(atOnce)
      .then(
        { type: 'AuthenticationPending', data: { decline } },
        { type: 'AuthenticationCompleted', data: { authenticationId: id(9), eci: '05' } },
        { type: 'AuthorizationRequested', data: { request: second } },
      );
    const transaction = transactionAfter(debit, atOnce);
    expect(transaction).toMatchObject({
      ...{ status: 'requested', request: second, authentication: { authenticationId: id(9) } },
      failedAttempts: [{ reason: 'declined', decline }],
    });
    expect(transaction).not.toHaveProperty('awaited');
    given(debit, atOnce).when(atOnce).thenNothing();
  });

  it('ends with the reason of an authentication that fails at once', () => {
    given(debit)
      .when({ ...softly, ended: { result: REFUSED } })
      .then(
        { type: 'AuthenticationPending' },
        { type: 'AuthenticationCompleted' },
        { type: 'TransactionDeclined', data: { resultCode: '000.400.102' } },
      );
  });

  it('waits for nobody once it has an outcome', () => {
    given(debit, outcome(id(1), 'declined'))
      .when(softly)
      .thenNothing();
    given(debit, softly).when(softly).thenNothing();
  });
});
