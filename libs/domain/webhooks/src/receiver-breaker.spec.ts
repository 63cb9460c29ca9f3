import { describe, expect, it } from '@jest/globals';
import { type AttemptOutcome, isGone, isOutage, mayKnowOtherSecret } from './attempt-outcome.js';
import { ATTEMPT_LAPSES_AFTER_MS } from './delivery-decider.js';
import { answered, NOON_MS, TIMEOUT } from './delivery-fixture.js';
import {
  afterBegin,
  afterEnd,
  closedBreaker,
  isThereAgain,
  mayBegin,
  OPEN_MAX_MS,
  OPEN_MS,
  OPENS_AFTER_FAILURES,
  opensWayAtMs,
  type ReceiverBreaker,
  receiverOf,
  REFUSES_ALL_AFTER_MS,
} from './receiver-breaker.js';

const ended = (breaker: ReceiverBreaker, outcome: AttemptOutcome, atMs = NOON_MS, id = 'a') =>
  afterEnd(breaker, { attemptId: id, outcome }, atMs);

const failing = (times: number, from = closedBreaker): ReceiverBreaker =>
  Array.from({ length: times }).reduce<ReceiverBreaker>((one) => ended(one, TIMEOUT), from);

const open = failing(OPENS_AFTER_FAILURES);
const REOPENS_MS = NOON_MS + OPEN_MS;

describe('the breaker of a receiver', () => {
  it('lets everything pass while it is closed, also after some failures', () => {
    const breaker = failing(OPENS_AFTER_FAILURES - 1);
    expect([mayBegin(breaker, NOON_MS), opensWayAtMs(breaker)]).toEqual([true, 0]);
    expect(afterBegin(breaker, 'a', NOON_MS)).toBe(breaker);
  });

  it('opens after so many failures in a row, and not after as many among successes', () => {
    expect([mayBegin(open, NOON_MS), opensWayAtMs(open)]).toEqual([false, REOPENS_MS]);
    const mixed = ended(failing(OPENS_AFTER_FAILURES - 1), answered(200));
    expect(mayBegin(failing(OPENS_AFTER_FAILURES - 1, mixed), NOON_MS)).toBe(true);
  });

  it('lets one attempt pass when it is half open, and the next when that is lost', () => {
    expect([mayBegin(open, REOPENS_MS - 1), mayBegin(open, REOPENS_MS)]).toEqual([false, true]);
    const probed = afterBegin(open, 'p', REOPENS_MS);
    expect(mayBegin(probed, REOPENS_MS + 1)).toBe(false);
    expect(mayBegin(probed, REOPENS_MS + ATTEMPT_LAPSES_AFTER_MS)).toBe(true);
  });

  it('closes with any answer that is no outage, whoever has it', () => {
    const probed = afterBegin(open, 'p', REOPENS_MS);
    expect(ended(probed, answered(401), REOPENS_MS, 'p')).toMatchObject(closedBreaker);
    expect(ended(open, answered(200), NOON_MS, 'before')).toBe(closedBreaker);
  });

  it('opens for twice as long each time, up to ten minutes', () => {
    let breaker = open;
    const pauses: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      const atMs = opensWayAtMs(breaker);
      breaker = ended(afterBegin(breaker, 'p', atMs), TIMEOUT, atMs, 'p');
      pauses.push(opensWayAtMs(breaker) - atMs);
    }
    expect(pauses.slice(0, 4)).toEqual([2, 4, 8, 16].map((times) => times * OPEN_MS));
    expect(pauses.slice(4)).toEqual([OPEN_MAX_MS, OPEN_MAX_MS, OPEN_MAX_MS]);
  });

  it('stays as it is when attempts from before it opened fail, too', () => {
    expect(ended(open, TIMEOUT, NOON_MS + 20_000, 'before')).toBe(open);
    const probed = afterBegin(open, 'p', REOPENS_MS);
    expect(ended(probed, TIMEOUT, REOPENS_MS, 'before')).toBe(probed);
  });

  it('stays open as long as the receiver wants', () => {
    const asked = ended(failing(OPENS_AFTER_FAILURES - 1), answered(503, 20 * 60_000));
    expect(opensWayAtMs(asked)).toBe(NOON_MS + 20 * 60_000);
  });

  it('says that its receiver is there again after an outage, and with an acknowledgement after refusals alone', () => {
    expect(isThereAgain(open, answered(401), NOON_MS)).toBe(true);
    expect(isThereAgain(open, TIMEOUT, NOON_MS)).toBe(false);
    expect(isThereAgain(closedBreaker, answered(200), NOON_MS)).toBe(false);
    const refusing = (times: number): ReceiverBreaker =>
      Array.from({ length: times }).reduce<ReceiverBreaker>(
        (one) => ended(one, answered(404)),
        closedBreaker,
      );
    const LATER_MS = NOON_MS + REFUSES_ALL_AFTER_MS;
    const refused = refusing(OPENS_AFTER_FAILURES);
    expect(isThereAgain(refused, answered(200), LATER_MS)).toBe(true);
    expect(isThereAgain(refused, answered(404), LATER_MS)).toBe(false);
    // It may refuse a few notifications for what they are, one after another.
    expect(isThereAgain(refused, answered(200), LATER_MS - 1)).toBe(false);
    expect(isThereAgain(refusing(OPENS_AFTER_FAILURES - 1), answered(200), LATER_MS)).toBe(false);
    expect(ended(refused, answered(200))).toBe(closedBreaker);
  });

  it('is of a scheme, host and port', () => {
    expect(receiverOf(new URL('https://shop.example/a?b'))).toBe('https://shop.example');
    expect(receiverOf(new URL('https://shop.example:8443/a'))).toBe('https://shop.example:8443');
  });
});

describe('the outcome of an attempt', () => {
  it.each([
    [TIMEOUT, true],
    [{ kind: 'notSent', reason: 'notReachable' } as const, true],
    [answered(500), true],
    [answered(599), true],
    [answered(429), true],
    [answered(200), false],
    [answered(301), false],
    [answered(404), false],
    [answered(499), false],
  ])('%j is an outage: %s', (outcome, isOne) => {
    expect(isOutage(outcome)).toBe(isOne);
  });

  it.each([
    [answered(401), true],
    [answered(404), true],
    [answered(500), true],
    [answered(302), true],
    [answered(200), false],
    [answered(410), false],
    [answered(429), false],
    [answered(503), false],
    [TIMEOUT, false],
  ])('%j may be because of the secret: %s', (outcome, mayBe) => {
    expect(mayKnowOtherSecret(outcome)).toBe(mayBe);
  });

  it('is that it is gone with 410 alone', () => {
    expect([answered(410), answered(404), TIMEOUT].map(isGone)).toEqual([true, false, false]);
  });
});
