import { describe, expect, it } from '@jest/globals';
import { ATTEMPT_LAPSES_AFTER_MS, HASTENED_AFTER_MS, queueDueAtMs } from './delivery-decider.js';
import {
  accept,
  after,
  answered,
  begin,
  end,
  NOON_MS,
  resend,
  TIMEOUT,
} from './delivery-fixture.js';
import type { DeliveryEvent } from './delivery-queue.js';
import { DELIVERY_LIFE_MS } from './retry-schedule.js';

const LATER_MS = NOON_MS + 5_000;
const LAPSED_MS = NOON_MS + ATTEMPT_LAPSES_AFTER_MS;
const OVER_MS = NOON_MS + DELIVERY_LIFE_MS;

const begunOf = (events: readonly DeliveryEvent[]) =>
  events.flatMap((event) => (event.type === 'AttemptBegun' ? [event.deliveryId] : []));
const idsOf = ({ queue }: ReturnType<typeof after>) => queue.waiting.map(({ id }) => id);

describe('a delivery', () => {
  it('is attempted at once, and over with any 2xx', () => {
    expect(queueDueAtMs(after(accept(1)).queue)).toBe(NOON_MS);
    expect(begunOf(after(accept(1), begin('a')).events)).toEqual(['d1']);
    const { queue, events } = after(accept(1), begin('a'), end('a', answered(204)));
    expect(events.map(({ type }) => type)).toEqual(['AttemptEnded', 'DeliveryAcknowledged']);
    expect(queue).toEqual({ waiting: [], latestSequence: 1 });
    expect(queueDueAtMs(queue)).toBeNull();
  });

  it('is accepted once, also after it is over', () => {
    expect(after(accept(1), accept(1)).events).toEqual([]);
    expect(after(accept(2), begin('a'), end('a', answered(200)), accept(1)).events).toEqual([]);
  });

  it.each([answered(301), answered(401), answered(410), answered(500), TIMEOUT])(
    'is kept after %j, with how often it failed',
    (outcome) => {
      const { queue } = after(accept(1), begin('a'), end('a', outcome, LATER_MS));
      expect(queue.waiting).toMatchObject([{ id: 'd1', failures: 1, endedAtMs: LATER_MS }]);
      expect(queueDueAtMs(queue)).toBeGreaterThan(LATER_MS);
    },
  );

  it('is not attempted before its time', () => {
    const failed = [accept(1), begin('a'), end('a', TIMEOUT)];
    const dueAtMs = queueDueAtMs(after(...failed).queue) ?? 0;
    expect(after(...failed, begin('b', dueAtMs - 1)).events).toEqual([]);
    expect(begunOf(after(...failed, begin('b', dueAtMs)).events)).toEqual(['d1']);
  });

  it('waits as long as its receiver wants, and no longer than an hour', () => {
    const dueAfter = (status: number, retryAfterMs: number) =>
      queueDueAtMs(after(accept(1), begin('a'), end('a', answered(status, retryAfterMs))).queue)!;
    expect(dueAfter(429, 600_000)).toBe(NOON_MS + 600_000);
    expect(dueAfter(503, 24 * 3_600_000)).toBe(NOON_MS + 3_600_000);
    expect(dueAfter(503, -1)).toBeLessThan(NOON_MS + 80_000);
    expect(dueAfter(500, 600_000)).toBeLessThan(NOON_MS + 80_000);
  });

  it('is given up after 30 days, whether somebody could attempt it or not', () => {
    const overdue = { type: 'DeliveryGivenUp', deliveryId: 'd1', reason: 'overdue' };
    const before = after(accept(1), { type: 'GiveUpOverdue', nowMs: OVER_MS - 1 });
    expect(before.events).toEqual([]);
    expect(after(accept(1), { type: 'GiveUpOverdue', nowMs: OVER_MS }).events).toEqual([overdue]);
    expect(after(accept(1), begin('a', OVER_MS)).events).toEqual([overdue]);
    const lastFailure = end('a', TIMEOUT, OVER_MS + 1);
    const last = after(accept(1), begin('a', OVER_MS - 1), lastFailure);
    expect(last.events.at(-1)).toEqual(overdue);
  });

  it('that nobody wants told any more is given up at once', () => {
    const notWanted = { kind: 'notSent', reason: 'notWanted' } as const;
    const { queue, events } = after(accept(1), begin('a'), end('a', notWanted));
    expect(events.at(-1)).toEqual({
      ...{ type: 'DeliveryGivenUp', deliveryId: 'd1', reason: 'discarded' },
    });
    expect(queueDueAtMs(queue)).toBeNull();
  });

  it('that may be acknowledged this moment is not given up', () => {
    const begun = [accept(1), begin('a', OVER_MS - 1)];
    expect(after(...begun, { type: 'GiveUpOverdue', nowMs: OVER_MS }).events).toEqual([]);
  });

  it('is discarded with its subscription, and an attempt that is under way ends for nothing', () => {
    const discarded = [accept(1), accept(2), begin('a'), { type: 'DiscardDeliveries' } as const];
    expect(after(...discarded).events).toMatchObject([
      { deliveryId: 'd1', reason: 'discarded' },
      { deliveryId: 'd2', reason: 'discarded' },
    ]);
    const { queue, events } = after(...discarded, end('a', answered(200)));
    expect(events.map(({ type }) => type)).toEqual(['AttemptEnded']);
    expect(queue).toEqual({ waiting: [], latestSequence: 2 });
  });
});

describe('deliveries of one object', () => {
  it('are attempted one at a time, the earliest first', () => {
    expect(after(accept(1), accept(2), begin('a'), begin('b')).events).toEqual([]);
    const first = [accept(1), accept(2), begin('a'), end('a', answered(200))];
    expect(begunOf(after(...first, begin('b')).events)).toEqual(['d2']);
  });

  it('wait for the one before', () => {
    const failed = [accept(1), accept(2), begin('a'), end('a', TIMEOUT)];
    expect(after(...failed, begin('b', NOON_MS + 30_000)).events).toEqual([]);
  });

  it('go on behind one that is given up', () => {
    const { events } = after(accept(1), accept(2, LATER_MS), begin('a', OVER_MS));
    expect(events.map(({ type }) => type)).toEqual(['DeliveryGivenUp', 'AttemptBegun']);
    expect(begunOf(events)).toEqual(['d2']);
  });
});

describe('an attempt', () => {
  it('that does not come back counts as lost with its process, and only then is made again', () => {
    const begun = [accept(1), begin('a')];
    expect(queueDueAtMs(after(...begun).queue)).toBe(LAPSED_MS);
    expect(after(...begun, begin('b', LAPSED_MS - 1)).events).toEqual([]);
    const { events, queue } = after(...begun, begin('b', LAPSED_MS));
    expect(events.map(({ type }) => type)).toEqual(['AttemptLapsed', 'AttemptBegun']);
    expect(queue.waiting).toMatchObject([{ failures: 0 }]);
  });

  it('that lapsed says nothing any more, nor does one that has ended', () => {
    const again = [accept(1), begin('a'), begin('b', LAPSED_MS)];
    expect(after(...again, end('a', answered(200), LAPSED_MS)).events).toEqual([]);
    expect(after(accept(1), begin('a'), end('a', TIMEOUT), end('a', TIMEOUT)).events).toEqual([]);
  });

  it('is not made of nothing', () => {
    expect(after(begin('a')).events).toEqual([]);
  });
});

describe('a delivery that waits for its time', () => {
  const HOUR_MS = 3_600_000;
  // Five failures: the next one is 15 minutes later, more or less.
  const failing = [
    accept(1),
    ...[0, 1, 2, 3, 4].flatMap((count) => {
      const atMs = NOON_MS + count * HOUR_MS;
      return [begin(`a${count}`, atMs), end(`a${count}`, TIMEOUT, atMs)];
    }),
  ];
  const endedAtMs = NOON_MS + 4 * HOUR_MS;
  const soonMs = endedAtMs + 2 * HASTENED_AFTER_MS;

  it('is hastened by what happens next to its object, so that this is told soon (R-WH-06)', () => {
    const { queue } = after(...failing, accept(2, soonMs));
    expect(queueDueAtMs(queue)).toBe(soonMs);
    expect(begunOf(after(...failing, accept(2, soonMs), begin('b', soonMs)).events)).toEqual([
      'd1',
    ]);
  });

  it('is hastened when its receiver is there again', () => {
    const { queue } = after(...failing, { type: 'HastenDeliveries', nowMs: soonMs });
    expect(queueDueAtMs(queue)).toBe(soonMs);
  });

  it('is never hastened to within a minute of the attempt before, or against the wish of its receiver', () => {
    expect(queueDueAtMs(after(...failing, accept(2, endedAtMs + 1)).queue)).toBe(
      endedAtMs + HASTENED_AFTER_MS,
    );
    const wish = end('a', answered(429, HOUR_MS));
    expect(queueDueAtMs(after(accept(1), begin('a'), wish, accept(2)).queue)).toBe(
      NOON_MS + HOUR_MS,
    );
  });

  it('is none the worse for an attempt that was hastened in vain', () => {
    const scheduledAtMs = queueDueAtMs(after(...failing).queue);
    const hastened = [accept(2, soonMs), begin('b', soonMs), end('b', TIMEOUT, soonMs)];
    const { queue } = after(...failing, ...hastened);
    expect(queue.waiting[0]).toMatchObject({ failures: 5, dueAtMs: scheduledAtMs });
  });

  it('is not hastened while it is attempted, or where it is due', () => {
    const hasten = { type: 'HastenDeliveries', nowMs: NOON_MS } as const;
    expect(after(accept(1), hasten).events).toEqual([]);
    expect(after(accept(1), begin('a'), hasten).events).toEqual([]);
    expect(after(hasten).events).toEqual([]);
  });
});

describe('sending again', () => {
  it('begins a new life of what is over, under the same id', () => {
    const over = [accept(1), begin('a'), end('a', answered(200))];
    const { queue, events } = after(...over, resend(1, LATER_MS));
    expect(events).toMatchObject([{ type: 'DeliveryResent', deliveryId: 'd1' }]);
    expect(queue.waiting).toMatchObject([{ id: 'd1', acceptedAtMs: LATER_MS, failures: 0 }]);
  });

  it('puts it before what is newer and waits, so that the newest stays the last', () => {
    const over = [accept(1), begin('a'), end('a', answered(200)), accept(2), accept(3)];
    expect(idsOf(after(...over, resend(1)))).toEqual(['d1', 'd2', 'd3']);
  });

  it('takes nothing away from what comes with a later sequence, or from that one itself', () => {
    expect(idsOf(after(accept(1), resend(5), accept(2)))).toEqual(['d1', 'd2', 'd5']);
  });

  it('of what waits makes it due', () => {
    const failed = [accept(1), begin('a'), end('a', TIMEOUT)];
    expect(queueDueAtMs(after(...failed, resend(1, LATER_MS)).queue)).toBe(LATER_MS);
    expect(after(accept(1), resend(1)).events).toEqual([]);
  });

  it('of what is under way is done already', () => {
    expect(after(accept(1), begin('a'), resend(1)).events).toEqual([]);
  });
});
