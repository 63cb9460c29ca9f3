import { describe, expect, it } from '@jest/globals';
import { secretsToTry, type Subscription } from './subscription.js';
import { refusalOf, SECRET_OVERLAP_MAX_MS, SECRET_OVERLAP_MS } from './subscription-decider.js';
import {
  add,
  after,
  by,
  confirm,
  eventsOf,
  namesOf,
  NOON_MS,
  rotate,
  test,
} from './subscription-fixture.js';

const active = [add(), test(200)] as const;
const END_MS = NOON_MS + SECRET_OVERLAP_MS;

const tried = (subscription: Subscription, atMs: number) =>
  secretsToTry(subscription, atMs).map(({ id, sealed }) => [id, sealed]);
const FIRST = ['first', 'sealed first'];
const SECOND = ['second', 'sealed second'];

describe('a secret', () => {
  it('is the only one before it is rotated', () => {
    expect(tried(after(...active), NOON_MS)).toEqual([FIRST]);
  });

  it('that is new is recorded sealed, with who wanted it and how long the other one is valid', () => {
    expect(eventsOf(...active, rotate('second')).at(-1)).toEqual({
      type: 'SecretRotated',
      data: {
        ...{ subscriptionId: 'a'.repeat(32), secretId: 'second', sealedSecret: 'sealed second' },
        overlapEndsAtMs: END_MS,
      },
      metadata: by('operator-2'),
    });
  });

  it('is tried behind the one before, which a receiver may know alone, until it is confirmed', () => {
    const rotated = [...active, rotate('second')];
    expect(tried(after(...rotated), NOON_MS)).toEqual([FIRST, SECOND]);
    expect(tried(after(...rotated, confirm('second')), NOON_MS)).toEqual([SECOND, FIRST]);
  });

  it('is the only one at the end of the overlap', () => {
    const rotated = after(...active, rotate('second'));
    expect(tried(rotated, END_MS - 1)).toHaveLength(2);
    expect(tried(rotated, END_MS)).toEqual([SECOND]);
  });

  it('is confirmed once, and the one before it not at all', () => {
    const rotated = [...active, rotate('second')];
    expect(namesOf(...rotated, confirm('first'))).toEqual(namesOf(...rotated));
    const confirmed = [...rotated, confirm('second')];
    expect(namesOf(...confirmed).at(-1)).toBe('SecretConfirmed');
    expect(namesOf(...confirmed, confirm('second'))).toEqual(namesOf(...confirmed));
    expect(namesOf(...active, confirm('first'))).toEqual(namesOf(...active));
  });

  it('that somebody else knows is replaced at once, also during an overlap', () => {
    expect(tried(after(...active, rotate('second', 0)), NOON_MS)).toEqual([SECOND]);
    const twice = after(...active, rotate('second'), rotate('third', 0, NOON_MS + 1));
    expect(tried(twice, NOON_MS + 1)).toEqual([['third', 'sealed third']]);
  });

  it('is not rotated with an overlap while two are valid, and is afterwards', () => {
    const rotated = after(...active, rotate('second'));
    expect(refusalOf(rotate('third', 1, END_MS - 1), rotated)).toBe('rotationUnderWay');
    const third = [...active, rotate('second'), rotate('third', SECRET_OVERLAP_MS, END_MS)];
    expect(tried(after(...third), END_MS)).toEqual([SECOND, ['third', 'sealed third']]);
  });

  it('has no overlap longer than a week, or before its beginning', () => {
    const state = after(...active);
    expect(refusalOf(rotate('second', SECRET_OVERLAP_MAX_MS), state)).toBeUndefined();
    for (const overlapMs of [SECRET_OVERLAP_MAX_MS + 1, -1, Number.NaN, Infinity]) {
      expect(refusalOf(rotate('second', overlapMs), state)).toBe('overlapTooLong');
    }
  });

  it('is rotated once by a command that comes twice', () => {
    const once = [...active, rotate('second')];
    expect(refusalOf(rotate('second'), after(...once))).toBeUndefined();
    expect(namesOf(...once, rotate('second'))).toEqual(namesOf(...once));
  });
});
