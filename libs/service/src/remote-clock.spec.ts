import { afterEach, describe, expect, it } from '@jest/globals';
import { CLOCK_MARGIN_MS, RemoteClock } from './remote-clock.js';

const NOON_MS = Date.UTC(2026, 0, 15, 12);

/** A database, a network and a process, each with its time in the test's hand. */
class Machines {
  monotonicMs = 1_000;
  databaseMs = NOON_MS;
  toDatabaseMs = 0;
  fromDatabaseMs = 0;
  readonly warned: object[] = [];
  clock: RemoteClock | undefined;

  pass(milliseconds: number): void {
    this.monotonicMs += milliseconds;
    this.databaseMs += milliseconds;
  }

  async start(): Promise<RemoteClock> {
    this.clock = await RemoteClock.start({
      ask: () => {
        this.pass(this.toDatabaseMs);
        const answer = this.databaseMs;
        this.pass(this.fromDatabaseMs);
        return Promise.resolve(answer);
      },
      whose: 'the database',
      clock: { monotonicMs: () => this.monotonicMs },
      logger: { warn: (fields: object) => void this.warned.push(fields) },
    });
    return this.clock;
  }
}

let machines = new Machines();

afterEach(() => {
  machines.clock?.close();
  machines = new Machines();
});

describe("the database's clock", () => {
  it('goes on by the monotonic clock, whatever the machine thinks it is', async () => {
    const clock = await machines.start();
    machines.pass(1_234);
    expect(clock.now()).toBe(NOON_MS + 1_234);
    expect(machines.warned).toEqual([]);
  });

  it.each([
    [0, 0],
    [0, 200],
    [200, 0],
    [100, 150],
  ])('is wrong by no more than its answers took: %i ms there, %i ms back', async (there, back) => {
    machines.toDatabaseMs = there;
    machines.fromDatabaseMs = back;
    const clock = await machines.start();
    for (let looks = 0; looks < 5; looks += 1) {
      expect(Math.abs(clock.now() - machines.databaseMs)).toBeLessThanOrEqual(there + back);
      machines.pass(1_000);
      await clock.look();
    }
  });

  it('does not tremble with the network, and learns from every quick answer', async () => {
    machines.fromDatabaseMs = 200;
    const clock = await machines.start();
    const offset = () => clock.now() - machines.monotonicMs;
    const first = offset();
    machines.fromDatabaseMs = 240;
    await clock.look();
    expect(offset()).toBe(first);
    machines.fromDatabaseMs = 2;
    await clock.look();
    expect(Math.abs(clock.now() - machines.databaseMs)).toBeLessThanOrEqual(2);
  });

  it('believes no answer that took too long', async () => {
    const clock = await machines.start();
    machines.toDatabaseMs = CLOCK_MARGIN_MS;
    expect(await clock.look()).toBe(false);
    expect(clock.now()).toBe(machines.databaseMs);
  });

  it('follows a clock that was set, and says when it was set forward', async () => {
    const clock = await machines.start();
    expect(clock.steppedForwardAtMs).toBe(Number.NEGATIVE_INFINITY);
    machines.pass(500);
    machines.databaseMs += 60_000;
    await clock.look();
    expect(clock.now()).toBe(machines.databaseMs);
    expect(clock.steppedForwardAtMs).toBe(machines.monotonicMs);
    machines.pass(500);
    machines.databaseMs -= 60_000;
    await clock.look();
    expect(clock.now()).toBe(machines.databaseMs);
    expect(clock.steppedForwardAtMs).toBe(machines.monotonicMs - 500);
    expect(machines.warned).toEqual([{ stepMs: 60_000 }, { stepMs: -60_000 }]);
  });
});

describe('a clock that is only heard of by the way', () => {
  let nowMs = 0;
  const heardOf = (): RemoteClock =>
    new RemoteClock({
      ask: () => Promise.reject(new Error('nobody asks')),
      whose: 'the broker',
      clock: { monotonicMs: () => nowMs },
      logger: undefined,
    });

  it('is unknown before, and then as early as it can be', () => {
    const clock = heardOf();
    expect(clock.isKnown).toBe(false);
    nowMs = 2_000;
    clock.heard({ askedMs: 1_000, saidMs: NOON_MS, answeredMs: 2_000 });
    expect(clock.isKnown).toBe(true);
    expect(clock.now()).toBe(NOON_MS);
  });

  it('moves no further than each reading says, however long that took', () => {
    const clock = heardOf();
    nowMs = 2_000;
    clock.heard({ askedMs: 1_000, saidMs: NOON_MS, answeredMs: 2_000 });
    clock.heard({ askedMs: 1_900, saidMs: NOON_MS + 500, answeredMs: 2_000 });
    expect(clock.now()).toBe(NOON_MS + 500);
    clock.heard({ askedMs: 0, saidMs: NOON_MS, answeredMs: 2_000 });
    expect(clock.now()).toBe(NOON_MS + 500);
  });
});
