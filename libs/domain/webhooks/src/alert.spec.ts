import { describe, expect, it } from '@jest/globals';
import {
  ALERT_EVERY_MS,
  alertDecision,
  digestDueAtMs,
  isOverAtOnce,
  type LastAlert,
  type ReceiverCondition,
} from './alert.js';
import { NOON_MS } from './subscription-fixture.js';

const HOUR_MS = 60 * 60_000;
const well: ReceiverCondition = {
  ...{ isGone: false, hasGivenUp: false, isFailing: false },
  ...{ isOn: true, isAnswering: true },
};
const failing = { ...well, isFailing: true, isAnswering: false };
const gone = { ...well, isGone: true, isOn: false, isAnswering: false };
const lastOf = (matter: LastAlert['matter'], isOver = false): LastAlert => {
  return { matter, alertedAtMs: NOON_MS, isOver };
};
const matterAfter = (last: LastAlert | undefined, condition: ReceiverCondition, afterMs: number) =>
  alertDecision(last, condition, NOON_MS + afterMs);

describe('a subscription without an alert', () => {
  it('has one of the worst that there is', () => {
    expect(alertDecision(undefined, well, NOON_MS)).toBeUndefined();
    expect(alertDecision(undefined, failing, NOON_MS)).toEqual({
      kind: 'alert',
      matter: 'failing',
    });
    expect(alertDecision(undefined, { ...failing, hasGivenUp: true }, NOON_MS)).toEqual({
      ...{ kind: 'alert', matter: 'givenUp' },
    });
    expect(alertDecision(undefined, { ...gone, hasGivenUp: true }, NOON_MS)).toEqual({
      ...{ kind: 'alert', matter: 'gone' },
    });
  });
});

describe('after an alert', () => {
  it('there is none for a day, whatever else goes wrong', () => {
    for (const condition of [failing, { ...failing, hasGivenUp: true }, gone]) {
      expect(matterAfter(lastOf('failing'), condition, ALERT_EVERY_MS - 1)).toBeUndefined();
      expect(matterAfter(lastOf('failing'), condition, ALERT_EVERY_MS)).toMatchObject({
        kind: 'alert',
      });
    }
  });

  it('there is one mail once it is well again, and the next alert a day after the last', () => {
    expect(matterAfter(lastOf('failing'), well, HOUR_MS)).toEqual({ kind: 'wellAgain' });
    expect(matterAfter(lastOf('failing', true), well, HOUR_MS)).toBeUndefined();
    expect(matterAfter(lastOf('failing', true), failing, 2 * HOUR_MS)).toBeUndefined();
    expect(matterAfter(lastOf('failing', true), failing, ALERT_EVERY_MS)).toEqual({
      ...{ kind: 'alert', matter: 'failing' },
    });
  });

  it('nothing is well because nobody calls', () => {
    const paused = { ...failing, isFailing: false };
    expect(matterAfter(lastOf('failing'), paused, HOUR_MS)).toBeUndefined();
    expect(matterAfter(lastOf('failing'), { ...well, isOn: false }, HOUR_MS)).toBeUndefined();
  });
});

describe('a subscription that was switched off', () => {
  it('is told of once, until it is on again', () => {
    expect(matterAfter(lastOf('gone'), gone, 3 * ALERT_EVERY_MS)).toBeUndefined();
    expect(matterAfter(lastOf('gone'), { ...well, isAnswering: false }, HOUR_MS)).toEqual({
      kind: 'wellAgain',
    });
    expect(matterAfter(lastOf('gone', true), gone, ALERT_EVERY_MS)).toEqual({
      ...{ kind: 'alert', matter: 'gone' },
    });
  });
});

describe('what was given up', () => {
  it('does not get well, though a receiver that fails as well does', () => {
    const givenUp = { ...well, hasGivenUp: true };
    expect(isOverAtOnce('givenUp', givenUp)).toBe(true);
    expect(isOverAtOnce('givenUp', { ...givenUp, isFailing: true })).toBe(false);
    expect(isOverAtOnce('failing', failing)).toBe(false);
  });
});

describe('the digest', () => {
  it('is due at six o’clock each day', () => {
    const six = Date.UTC(2026, 0, 15, 6);
    expect(digestDueAtMs(NOON_MS)).toBe(six);
    expect(digestDueAtMs(six)).toBe(six);
    expect(digestDueAtMs(six - 1)).toBe(Date.UTC(2026, 0, 14, 6));
  });
});
