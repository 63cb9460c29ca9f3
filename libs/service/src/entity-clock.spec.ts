import { describe, expect, it } from '@jest/globals';
import { EntityClock, noSetClocks } from './entity-clock.js';

const NOON_MS = Date.UTC(2031, 0, 1, 12);
const machine = { now: () => NOON_MS };
const [ahead, other] = ['a'.repeat(32), 'b'.repeat(32)];
const clocks = {
  aheadMs: (entityId: string) => (entityId === ahead ? 5_000 : 0),
  all: () => new Map([[ahead, 5_000]]),
};

describe('how late it is', () => {
  it('is said for an entity by its own clock, and for all others by the machine’s', () => {
    const clock = new EntityClock(machine, clocks);
    expect(clock.now(ahead)).toBe(NOON_MS + 5_000);
    expect(clock.now(other)).toBe(NOON_MS);
    expect(clock.nowOf({ metadata: { entityId: ahead } })).toBe(NOON_MS + 5_000);
    expect(clock.nowOf(undefined)).toBe(NOON_MS);
  });

  it('is the same instant by the other clock, both ways', () => {
    const clock = new EntityClock(machine, clocks);
    expect(clock.ofMachine(ahead, NOON_MS)).toBe(clock.now(ahead));
    expect(clock.byMachine(ahead, clock.now(ahead))).toBe(NOON_MS);
    expect([clock.ofMachine(other, 1), clock.byMachine(other, 1)]).toEqual([1, 1]);
  });

  it('is as late for everybody where nobody sets clocks', () => {
    const clock = new EntityClock(machine, noSetClocks);
    expect([clock.now(ahead), noSetClocks.all().size]).toEqual([NOON_MS, 0]);
  });
});
