import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CLOCKS_FILE } from '@sluice/local-installation';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EntityClocks } from './entity-clocks.js';

const dataFolder = mkdtempSync(join(tmpdir(), 'sluice-clocks-'));
afterAll(() => {
  rmSync(dataFolder, { recursive: true });
});
beforeEach(() => {
  rmSync(join(dataFolder, CLOCKS_FILE), { force: true });
});

const STARTED_MS = Date.UTC(2031, 0, 1);
const DAY_MS = 86_400_000;
const ENTITY = 'a'.repeat(32);

/** A service with these dates; what is done takes so long, and may leave another date. */
class Dates {
  /** At which time of the entity what was done. */
  readonly done: (readonly [date: number, atMs: number])[] = [];
  clocks: EntityClocks | undefined;

  constructor(
    readonly due: number[],
    private readonly machine: { nowMs: number },
    private readonly takesMs = 0,
    private readonly leaves: (date: number) => readonly number[] = () => [],
  ) {}

  nextDueMs(): Promise<number | null> {
    return Promise.resolve(this.due.length === 0 ? null : Math.min(...this.due));
  }

  doWhatIsDue(entityId: string): Promise<number> {
    const nowMs = this.clocks?.timeOf(entityId).nowMs ?? 0;
    const taken = this.due.filter((date) => date <= nowMs);
    for (const date of taken) {
      this.due.splice(this.due.indexOf(date), 1, ...this.leaves(date));
      this.done.push([date, nowMs]);
      this.machine.nowMs += this.takesMs;
    }
    return Promise.resolve(taken.length);
  }
}

async function opened(machine = { nowMs: STARTED_MS }) {
  const clock = { now: () => machine.nowMs, monotonicMs: () => machine.nowMs };
  const clocks = await EntityClocks.open({ dataFolder, clock });
  const followed = (service: string, dates: Dates): Dates => {
    dates.clocks = clocks;
    clocks.followedBy(service, dates);
    return dates;
  };
  return { clocks, machine, followed };
}

const day = (number: number): number => STARTED_MS + number * DAY_MS;

describe('a clock that is advanced', () => {
  it('stops at each date, of whichever service, and each is done at its own time', async () => {
    const { clocks, machine, followed } = await opened();
    const monthly = followed('one', new Dates([day(30), day(60)], machine));
    const other = followed('another', new Dates([day(45), day(60), day(91)], machine));
    const advanced = await clocks.advance(ENTITY, day(90));
    expect(advanced).toMatchObject({ isThere: true, doneOnTheWay: 4, nowMs: day(90) });
    for (const [date, atMs] of [...monthly.done, ...other.done]) {
      expect(atMs - date).toBeGreaterThanOrEqual(0);
      expect(atMs - date).toBeLessThan(100);
    }
    expect(other.due).toEqual([day(91)]);
  });

  it('tells whole milliseconds, whatever dates it stops at', async () => {
    const { clocks, machine, followed } = await opened();
    followed('one', new Dates([day(1) + 0.125], machine, 700));
    followed('another', new Dates([day(2)], machine, 700));
    await clocks.advance(ENTITY, day(1) + 1);
    expect(clocks.aheadMs(ENTITY)).toBe(Math.ceil(clocks.aheadMs(ENTITY)));
  });

  it('does what the work of a date leaves to do before it goes on', async () => {
    const { clocks, machine, followed } = await opened();
    const leaves = (date: number): readonly number[] =>
      date < day(30) ? [date + 10 * DAY_MS] : [];
    const dates = followed('one', new Dates([day(10), day(30)], machine, 0, leaves));
    await clocks.advance(ENTITY, day(40));
    expect(dates.done.map(([date]) => date)).toEqual([day(10), day(20), day(30), day(30)]);
  });

  it('says after a while how far it is, and goes on when it is asked again', async () => {
    const { clocks, machine, followed } = await opened();
    const dates = followed('one', new Dates([day(1), day(2), day(3)], machine, 700));
    expect(await clocks.advance(ENTITY, day(4))).toMatchObject({ isThere: false, doneOnTheWay: 2 });
    expect(await clocks.advance(ENTITY, day(4))).toMatchObject({ isThere: true, doneOnTheWay: 1 });
    expect(dates.done).toHaveLength(3);
  });

  it('goes back for nobody, and an instant that has just passed is one where it is', async () => {
    const { clocks, machine } = await opened();
    await clocks.advance(ENTITY, day(2));
    machine.nowMs += 30_000;
    const again = await clocks.advance(ENTITY, day(2));
    expect(again).toMatchObject({ isThere: true, nowMs: day(2) + 30_000 });
    expect(await clocks.advance(ENTITY, day(1))).toBeUndefined();
    expect(clocks.timeOf(ENTITY).nowMs).toBe(day(2) + 30_000);
  });

  it('is nobody else’s to look at while it moves', async () => {
    const { clocks, machine, followed } = await opened();
    const seen: number[] = [];
    const look = (): readonly number[] => {
      seen.push(clocks.all().size, clocks.aheadMs(ENTITY));
      return [];
    };
    followed('one', new Dates([day(1)], machine, 0, look));
    await clocks.advance(ENTITY, day(2));
    expect(seen).toEqual([0, DAY_MS + 25]);
    expect(clocks.all().size).toBe(1);
  });

  it('is moved by one at a time', async () => {
    const { clocks, machine, followed } = await opened();
    const dates = followed('one', new Dates([day(1), day(2)], machine));
    await Promise.all([clocks.advance(ENTITY, day(1)), clocks.advance(ENTITY, day(3))]);
    expect(dates.done.map(([date]) => date)).toEqual([day(1), day(2)]);
  });

  it('is nobody else’s, and is as late in another process', async () => {
    const { clocks } = await opened();
    await clocks.advance(ENTITY, day(2));
    expect(clocks.aheadMs('b'.repeat(32))).toBe(0);
    const { clocks: again } = await opened();
    expect(again.all()).toEqual(new Map([[ENTITY, 2 * DAY_MS]]));
  });

  it('is the machine’s again where it follows, or all is forgotten', async () => {
    const { clocks } = await opened();
    await clocks.advance(ENTITY, day(2));
    expect(await clocks.follow(ENTITY)).toMatchObject({ aheadMs: 0, nowMs: STARTED_MS });
    await clocks.advance(ENTITY, day(2));
    await clocks.clear();
    expect([...clocks.all()]).toEqual([]);
    expect(existsSync(join(dataFolder, CLOCKS_FILE))).toBe(false);
  });
});

it.each(['[1]', '{"a": -1}', `{"${ENTITY}": 1.5}`, '{"a": "1"}', 'null', '{'])(
  'a file of clocks with %s is refused',
  async (text) => {
    writeFileSync(join(dataFolder, CLOCKS_FILE), text);
    await expect(opened()).rejects.toThrow();
  },
);
