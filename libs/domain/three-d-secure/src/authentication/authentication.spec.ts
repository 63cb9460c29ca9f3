import { describe, expect, it } from '@jest/globals';
import { currency } from '@sluice/money';
import { decodeMessage } from '../messages/encoded-message.js';
import { answerOf, CHALLENGE_MS, challengeOf, dueAtMs } from './authentication.js';
import {
  type AuthenticationCommand,
  BEGIN_WITHIN_MS,
  DECOUPLED_MAX_MS,
  isRepeated,
  RESULT_AFTER_RETURN_MS,
} from './authentication-decider.js';
import {
  after,
  begin,
  challenged,
  ids,
  named,
  NOW_MS,
  OTHER_ID,
  response,
  result,
  returned,
  send,
} from './authentication-fixture.js';

const METHOD_URL = 'https://issuer.example/method';
const later = (ms: number) => ({ nowMs: NOW_MS + ms });

describe('the beginning', () => {
  it('is recorded once', () => {
    expect(named(begin())).toEqual(['AuthenticationBegun']);
    expect(named(begin(), begin())).toEqual([]);
  });

  it('waits for the browser as long as the security code of its card allows', () => {
    const { state } = after(begin());
    expect(dueAtMs(state)).toBe(NOW_MS + BEGIN_WITHIN_MS);
    expect(named(begin(), { type: 'EndAuthentication', ...later(BEGIN_WITHIN_MS - 1) })).toEqual(
      [],
    );
    const { last } = after(begin(), { type: 'EndAuthentication', ...later(BEGIN_WITHIN_MS) });
    expect(last[0]).toMatchObject({ data: { goesOn: false, resultCode: '100.396.103' } });
  });

  it('comes before everything else', () => {
    for (const command of [send, response(), result(), returned])
      expect(named(command)).toEqual([]);
  });
});

describe('the 3DS method', () => {
  const done = {
    ...({ type: 'RecordMethodDone', nowMs: NOW_MS } as const),
    serverTransactionId: ids.serverTransactionId,
  };

  it.each([
    ['ran', [begin({ methodUrl: METHOD_URL }), done, send], 'Y'],
    ['did not run', [begin({ methodUrl: METHOD_URL }), send], 'N'],
    ['is none', [begin(), done, send], 'U'],
  ] as const)('%s, as the issuer is told', (_what, commands, methodCompletion) => {
    expect(after(...commands).last).toMatchObject([{ data: { methodCompletion } }]);
  });

  it('is heard once, of its own transaction, and not after the issuer was asked', () => {
    const offered = begin({ methodUrl: METHOD_URL });
    expect(named(offered, done, done)).toEqual([]);
    expect(named(offered, { ...done, serverTransactionId: OTHER_ID })).toEqual([]);
    expect(named(offered, send, done)).toEqual([]);
  });

  it('is a precondition of the way to the issuer', () => {
    const { state } = after(begin({ methodUrl: METHOD_URL }));
    expect(answerOf(state)).toMatchObject({
      kind: 'redirect',
      redirect: { preconditions: [{ url: METHOD_URL, waitUntil: 'iframe#load' }] },
    });
  });
});

describe('the request', () => {
  it('is sent once', () => {
    expect(named(begin(), send)).toEqual(['RequestSent']);
    expect(named(begin(), send, send)).toEqual([]);
  });

  it('is sent once more under another id where nobody heard its answer, and then never again', () => {
    const again = { ...send, ...later(15_000) };
    const { last, state } = after(begin(), send, again);
    expect(last).toMatchObject([{ type: 'RequestSent', data: { serverTransactionId: OTHER_ID } }]);
    expect(named(begin(), send, again, response())).toEqual([]);
    expect(state?.requests).toBe(2);
    expect(named(begin(), send, again, { ...send, ...later(60_000) })).toEqual([]);
  });

  it('that nobody answers ends it', () => {
    const failed = { type: 'RecordFailure', nowMs: NOW_MS, failure: 'malformedAnswer' } as const;
    const { serverTransactionId } = ids;
    expect(after(begin(), send, { ...failed, serverTransactionId }).last).toMatchObject([
      { type: 'AuthenticationEnded', data: { resultCode: '100.390.112', flow: 'none' } },
    ]);
    expect(named(begin(), send, { ...failed, serverTransactionId: OTHER_ID })).toEqual([]);
    expect(named(begin(), { ...failed, serverTransactionId })).toEqual([]);
  });
});

describe('the answer of the issuer', () => {
  it.each([
    ['Y', '05', true],
    ['A', '06', true],
    ['N', '07', false],
    ['U', '07', false],
  ] as const)('%s ends it with the ECI %s', (status, eci, goesOn) => {
    const { last, state } = after(begin(), send, response({ status, proofReference: 'proof' }));
    expect(last.map(({ type }) => type)).toEqual(['ResponseReceived', 'AuthenticationEnded']);
    const answer = answerOf(state);
    expect(answer).toMatchObject({ result: { status, eci, goesOn, flow: 'frictionless' } });
    // A cryptogram of nothing proves nothing.
    expect('result' in answer && answer.result.proofReference).toBe(goesOn ? 'proof' : undefined);
  });

  it('proves nothing where its ECI contradicts its status', () => {
    const answered = response({ eci: '07', proofReference: 'proof' });
    const answer = answerOf(after(begin(), send, answered).state);
    expect(answer).toMatchObject({
      result: { status: 'Y', goesOn: false, liabilityShifts: false },
    });
    expect(answer).not.toHaveProperty('result.proofReference');
  });

  it('proves who the shopper is without a payment, and shifts no liability', () => {
    const answered = response({ eci: '05', proofReference: 'proof' });
    expect(answerOf(after(begin({ category: '02' }), send, answered).state)).toMatchObject({
      result: { goesOn: true, liabilityShifts: false, proofReference: 'proof', eci: '05' },
    });
  });

  it('is about so much alone where less was asked about than is paid: proven, and no liability shifts', () => {
    const answered = response({ status: 'A', proofReference: 'proof' });
    const amount = { minor: 5_000n, currency: currency('EUR') };
    const short = { ...begin(), coverage: { amount, isShort: true } };
    expect(answerOf(after(short, send, answered).state)).toMatchObject({
      result: {
        ...{ goesOn: true, liabilityShifts: false, eci: '06', proofReference: 'proof' },
        authenticated: { minor: '5000', currency: 'EUR' },
      },
    });
    const refused = answerOf(after(short, send, response({ status: 'N' })).state);
    expect(refused).not.toHaveProperty('result.authenticated');
  });

  it('counts once, after the request, and of its own transaction', () => {
    expect(named(begin(), response())).toEqual([]);
    expect(named(begin(), send, response({ serverTransactionId: OTHER_ID }))).toEqual([]);
    expect(named(begin(), send, response(), response({ status: 'N' }))).toEqual([]);
  });

  it('asks nobody elsewhere where nobody allowed that, and nobody who is not there', () => {
    for (const [terms, status] of [
      [{}, 'D'],
      [{ channel: '03' }, 'C'],
    ] as const) {
      expect(after(begin(terms), send, response({ status })).last.at(-1)).toMatchObject({
        data: { resultCode: '100.390.112', goesOn: false },
      });
    }
  });
});

describe('a challenge', () => {
  it('sends the browser to the issuer with CReq', () => {
    const { state } = after(begin({ challengeWindow: '02' }), send, challenged);
    const answer = challengeOf(state);
    if (answer?.kind !== 'redirect') throw new Error('no redirect');
    expect(answer.redirect).toMatchObject({
      url: 'https://issuer.example/challenge',
      method: 'POST',
    });
    expect(decodeMessage(answer.redirect.parameters['creq'] ?? '')).toEqual({
      value: {
        ...{ messageType: 'CReq', messageVersion: '2.2.0', challengeWindowSize: '02' },
        ...{ threeDSServerTransID: ids.serverTransactionId, acsTransID: ids.acsTransactionId },
      },
    });
  });

  it('ends with the result that the issuer tells, before or after the browser is back', () => {
    for (const commands of [[], [returned]]) {
      const { state, last } = after(begin(), send, challenged, ...commands, result());
      expect(last.map(({ type }) => type)).toEqual(['ResultReceived', 'AuthenticationEnded']);
      expect(answerOf(state)).toMatchObject({ result: { flow: 'challenge', status: 'Y' } });
    }
  });

  it.each(['serverTransactionId', 'dsTransactionId', 'acsTransactionId'] as const)(
    'takes no result with another %s',
    (name) => expect(named(begin(), send, challenged, result({ [name]: OTHER_ID }))).toEqual([]),
  );

  it('is ended by a result of its own that is wrong, and by none of another transaction', () => {
    const refused = { type: 'RefuseResult', nowMs: NOW_MS, ...ids } as const;
    expect(after(begin(), send, challenged, refused).last).toMatchObject([
      { data: { goesOn: false, resultCode: '100.390.112', flow: 'challenge' } },
    ]);
    expect(named(begin(), send, challenged, refused, result())).toEqual([]);
    expect(named(begin(), send, refused)).toEqual([]);
    for (const name of Object.keys(ids)) {
      expect(named(begin(), send, challenged, { ...refused, [name]: OTHER_ID })).toEqual([]);
    }
  });

  it('is ended by the browser’s return alone a while later, and not with a success', () => {
    const { last } = after(begin(), send, challenged, returned, {
      ...({ type: 'EndAuthentication', ...later(RESULT_AFTER_RETURN_MS) } as const),
    });
    expect(last).toMatchObject([{ data: { goesOn: false, resultCode: '100.396.103' } }]);
  });

  it('is prolonged by no return, and shortened by none of another transaction', () => {
    expect(named(begin(), send, challenged, returned, { ...returned, ...later(1) })).toEqual([]);
    expect(named(begin(), send, challenged, { ...returned, acsTransactionId: OTHER_ID })).toEqual(
      [],
    );
    expect(named(begin(), send, challenged, { ...returned, ...later(CHALLENGE_MS - 1) })).toEqual(
      [],
    );
  });

  it.each([
    ['01', '100.396.101'],
    ['03', '100.396.103'],
    ['04', '100.396.103'],
    ['05', '100.396.103'],
    ['06', '100.380.401'],
    ['08', '100.396.103'],
  ])('that ended early for %s ends with %s', (challengeCancel, resultCode) => {
    const { state } = after(begin(), send, challenged, result({ status: 'N', challengeCancel }));
    expect(answerOf(state)).toMatchObject({
      result: { goesOn: false, resultCode, challengeCancel },
    });
  });

  it('knows a result that is told again, and no other one', () => {
    const { state } = after(begin(), send, challenged, result());
    if (state === undefined) throw new Error('nothing began');
    expect(named(begin(), send, challenged, result(), result())).toEqual([]);
    expect(isRepeated(result(), state)).toBe(true);
    expect(isRepeated(result({ status: 'N' }), state)).toBe(false);
    expect(isRepeated(result({ acsTransactionId: OTHER_ID }), state)).toBe(false);
  });
});

describe('what payments waits for', () => {
  const expiryOf = (...commands: readonly AuthenticationCommand[]) => {
    const answer = answerOf(after(...commands).state);
    return 'expiresAtMs' in answer ? answer.expiresAtMs - NOW_MS : undefined;
  };

  it('lasts until a challenge would be over that has not begun yet', () => {
    expect(expiryOf(begin())).toBeGreaterThan(BEGIN_WITHIN_MS + CHALLENGE_MS);
    expect(expiryOf(begin(), send)).toBeGreaterThan(CHALLENGE_MS);
    expect(expiryOf(begin(), send, challenged)).toBeGreaterThan(CHALLENGE_MS);
  });

  it('is over before the vault forgets a security code', () => {
    const half = 30 * 60_000;
    for (const commands of [[begin()], [begin(), send], [begin(), send, challenged]]) {
      expect(expiryOf(...commands)).toBeLessThan(half);
    }
    const decoupled = begin({ decoupledMs: DECOUPLED_MAX_MS });
    expect(expiryOf(decoupled)).toBeLessThan(half);
    expect(expiryOf(decoupled, send)).toBeLessThan(half);
  });

  it('does not end sooner because the shopper came back', () => {
    expect(expiryOf(begin(), send, challenged, returned)).toBe(expiryOf(begin(), send, challenged));
  });
});

describe('an authentication elsewhere', () => {
  const decoupled = begin({ decoupledMs: 60_000 });

  it('waits for the result without the browser', () => {
    const { state } = after(decoupled, send, response({ status: 'D' }));
    expect(answerOf(state)).toEqual({ kind: 'waiting', expiresAtMs: NOW_MS + 2 * 60_000 });
    expect(
      answerOf(after(decoupled, send, response({ status: 'D' }), result()).state),
    ).toMatchObject({ result: { flow: 'decoupled', status: 'Y' } });
  });
});

describe('ids in the other case', () => {
  const upper = {
    serverTransactionId: ids.serverTransactionId.toUpperCase(),
    dsTransactionId: 'AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE',
    acsTransactionId: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
  };
  const told = { ...upper, acsTransactionId: upper.acsTransactionId.toUpperCase() };
  const asked = response({ status: 'C', acsUrl: 'https://issuer.example/challenge', ...upper });

  it('are of the same transaction', () => {
    const begun = [begin({ methodUrl: METHOD_URL })];
    const done = { type: 'RecordMethodDone', nowMs: NOW_MS, ...upper } as const;
    expect(named(...begun, done)).toEqual(['MethodDone']);
    const back = { ...returned, ...told };
    expect(named(...begun, send, asked, back)).toEqual(['ShopperReturned']);
    const failed = { type: 'RecordFailure', nowMs: NOW_MS, ...upper } as const;
    expect(named(...begun, send, { ...failed, failure: 'malformedAnswer' })).toEqual([
      'AuthenticationEnded',
    ]);
  });

  it('end it, and are known when they are told again', () => {
    const ended = [
      begin(),
      send,
      asked,
      result({ ...told, dsTransactionId: told.dsTransactionId.toLowerCase() }),
    ];
    expect(named(...ended)).toEqual(['ResultReceived', 'AuthenticationEnded']);
    const { state } = after(...ended);
    expect(state && isRepeated({ ...told, status: 'Y' }, state)).toBe(true);
    expect(state && isRepeated({ ...told, status: 'N' }, state)).toBe(false);
    expect(state && isRepeated({ ...told, status: 'Y', acsTransactionId: OTHER_ID }, state)).toBe(
      false,
    );
  });
});
