import { describe, expect, it } from '@jest/globals';
import { chosenOffset, positionOf } from './positions.js';
import { isInScope, parseTopicScope } from './topic-scope.js';

const NOW_MS = Date.UTC(2031, 4, 4, 12);

describe('the position of a replay', () => {
  it('is one of the eight selectors', () => {
    expect(positionOf({ toEarliest: true }, NOW_MS)).toEqual({ kind: 'earliest' });
    expect(positionOf({ toLatest: true }, NOW_MS)).toEqual({ kind: 'latest' });
    expect(positionOf({ toCurrent: true }, NOW_MS)).toEqual({ kind: 'current' });
    expect(positionOf({ toOffset: '12' }, NOW_MS)).toEqual({ kind: 'offset', offset: 12n });
    expect(positionOf({ shiftBy: '-100' }, NOW_MS)).toEqual({ kind: 'shift', offset: -100n });
    expect(positionOf({ shiftBy: '+7' }, NOW_MS)).toEqual({ kind: 'shift', offset: 7n });
    expect(positionOf({ fromFile: 'plan.csv' }, NOW_MS)).toEqual({
      kind: 'file',
      path: 'plan.csv',
    });
    const instant = { kind: 'instant', milliseconds: NOW_MS - 3_600_000 };
    expect(positionOf({ toDatetime: '2031-05-04T11:00:00.000' }, NOW_MS)).toEqual(instant);
    expect(positionOf({ byDuration: 'PT1H' }, NOW_MS)).toEqual(instant);
  });

  it('is exactly one', () => {
    expect(() => positionOf({}, NOW_MS)).toThrow(/Say where to: one of --to-datetime/);
    const two = { toEarliest: true, toOffset: '1' } as const;
    expect(() => positionOf(two, NOW_MS)).toThrow(/Only one position/);
  });

  it.each([{ toOffset: '-1' }, { toOffset: '1.5' }, { shiftBy: 'back' }, { byDuration: '1h' }])(
    'is refused when it is no such thing: %j',
    (flags) => {
      expect(() => positionOf(flags, NOW_MS)).toThrow(/is no /);
    },
  );
});

describe('a partition from 10 to 20 in which the group stands at 15', () => {
  const partition = { current: 15n, low: 10n, high: 20n, atInstant: 12n };
  it.each([
    [{ kind: 'earliest' }, 10n, false],
    [{ kind: 'latest' }, 20n, false],
    [{ kind: 'current' }, 15n, false],
    [{ kind: 'offset', offset: 11n }, 11n, false],
    [{ kind: 'offset', offset: 3n }, 10n, true],
    [{ kind: 'offset', offset: 99n }, 20n, true],
    [{ kind: 'shift', offset: -2n }, 13n, false],
    [{ kind: 'shift', offset: -100n }, 10n, true],
    [{ kind: 'instant', milliseconds: 0 }, 12n, false],
  ] as const)('goes on after %j at %s', (position, offset, isAdjusted) => {
    expect(chosenOffset(position, partition)).toEqual({ offset, isAdjusted });
  });

  it('has no position to shift when the group never read it, and its end is the current one', () => {
    const unread = { low: 10n, high: 20n };
    expect(chosenOffset({ kind: 'shift', offset: -1n }, unread)).toBeUndefined();
    expect(chosenOffset({ kind: 'current' }, unread)?.offset).toBe(20n);
  });
});

describe('the topics of a replay', () => {
  it('are whole, or some partitions', () => {
    expect(parseTopicScope('a.b-c_1')).toEqual({ topic: 'a.b-c_1' });
    const scopes = [parseTopicScope('a:0,2'), parseTopicScope('b')];
    expect(isInScope(scopes, 'a', 2)).toBe(true);
    expect(isInScope(scopes, 'a', 1)).toBe(false);
    expect(isInScope(scopes, 'b', 1)).toBe(true);
    expect(isInScope(scopes, 'c', 0)).toBe(false);
    expect(isInScope('all', 'c', 0)).toBe(true);
  });

  it.each(['', ':1', 'a:', 'a:x', 'a:1:2', 'a b'])('are not "%s"', (text) => {
    expect(() => parseTopicScope(text)).toThrow();
  });
});
