import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { queueDueAtMs } from './delivery-decider.js';
import { accept, after, begin, end, NOON_MS, TIMEOUT } from './delivery-fixture.js';
import { DELIVERY_LIFE_MS, notificationSchedules, retryPauseMs } from './retry-schedule.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Written apart from what it judges: what a clock would say of each attempt. */
function jittered(pauseMs: number, deliveryId: string, attempt: number): number {
  const hash = createHash('sha256').update(`${deliveryId}.${attempt}`).digest('hex').slice(0, 8);
  return Math.round(pauseMs * (0.8 + 0.4 * (parseInt(hash, 16) / 0x1_0000_0000)));
}

/** Every attempt that fails at once, until it is given up. */
function instants(): number[] {
  const commands = [accept(1)];
  const found: number[] = [];
  for (;;) {
    const { queue } = after(...commands);
    if (queue.waiting.length === 0) return found;
    const atMs = queueDueAtMs(queue)!;
    found.push(atMs);
    commands.push(begin(`a${found.length}`, atMs), end(`a${found.length}`, TIMEOUT, atMs));
  }
}

describe('the schedule', () => {
  it('is at once, after 1, 2, 4, 8, 15 and 30 minutes, an hour, then daily to 30 days', () => {
    expect(notificationSchedules.family).toEqual(
      [1, 2, 4, 8, 15, 30, 60].map((minutes) => minutes * MINUTE_MS),
    );
    const expected = [NOON_MS];
    for (let attempt = 1; ; attempt += 1) {
      const pauseMs = [1, 2, 4, 8, 15, 30, 60][attempt - 1] ?? 24 * 60;
      const nextMs = expected.at(-1)! + jittered(pauseMs * MINUTE_MS, 'd1', attempt);
      if (nextMs >= NOON_MS + DELIVERY_LIFE_MS) break;
      expected.push(nextMs);
    }
    expect(instants()).toEqual(expected);
    expect(expected.length).toBeGreaterThan(7 + 24);
    expect(expected.at(-1)! - NOON_MS).toBeGreaterThan(DELIVERY_LIFE_MS - 1.2 * DAY_MS);
  });

  it('may be denser in its first day (R-WH-04)', () => {
    expect(notificationSchedules.dense.map((pauseMs) => pauseMs / 1_000)).toEqual([
      ...[5, 30, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800],
    ]);
    expect(retryPauseMs('dense', 'd1', 12)).toBe(jittered(DAY_MS, 'd1', 12));
  });

  it('of a page of results ends within the minute in which the result can be read', () => {
    const pauses = [1, 2, 3].map((attempts) => retryPauseMs('resultPage', 'd1', attempts));
    expect(pauses).toEqual([1, 2, 3].map((attempts) => jittered(15_000, 'd1', attempts)));
    const latest = pauses.length * 15_000 * 1.2;
    expect(latest).toBeLessThan(MINUTE_MS);
    const failed = { ...end('a', TIMEOUT), schedule: 'resultPage' } as const;
    const fourth = [1, 2, 3, 4].flatMap((count) => {
      const atMs = NOON_MS + count * MINUTE_MS;
      return [begin(`a${count}`, atMs), { ...failed, attemptId: `a${count}`, nowMs: atMs }];
    });
    const { queue, events } = after(accept(1), ...fourth);
    expect(events.at(-1)).toMatchObject({ type: 'DeliveryGivenUp', reason: 'overdue' });
    expect(queueDueAtMs(queue)).toBeNull();
  });

  it('is a fifth shorter or longer, spread evenly, and the same for the same id', () => {
    const pauses = Array.from({ length: 10_000 }, (_, index) =>
      retryPauseMs('family', `id-${index}`, 7),
    );
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(0.8 * HOUR_MS);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1.2 * HOUR_MS);
    for (let part = 0; part < 10; part += 1) {
      const from = (0.8 + part * 0.04) * HOUR_MS;
      const within = pauses.filter((pause) => pause >= from && pause < from + 0.04 * HOUR_MS);
      expect(Math.abs(within.length - 1_000)).toBeLessThan(150);
    }
    expect(retryPauseMs('family', 'id-1', 7)).toBe(retryPauseMs('family', 'id-1', 7));
  });
});
