import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ATTEMPT_LAPSES_AFTER_MS, deliveryDecider, queueDueAtMs } from './delivery-decider.js';
import { accept, answered, begin, end, NOON_MS, resend, TIMEOUT } from './delivery-fixture.js';
import { type DeliveryEvent, type DeliveryQueue, emptyQueue } from './delivery-queue.js';
import { DELIVERY_LIFE_MS } from './retry-schedule.js';

/** Attempts are counted here as the receiver sees them: from when they begin until they end or can last no longer. */
interface World {
  queue: DeliveryQueue;
  nowMs: number;
  attempts: number;
  sequence: number;
  readonly accepted: Set<string>;
  readonly over: Map<string, 'acknowledged' | 'overdue'>;
  /** In the order in which they were acknowledged, resent ones aside. */
  readonly acknowledged: number[];
  readonly resent: Set<string>;
  underWay: { readonly id: string; readonly beganAtMs: number } | undefined;
}

type Step =
  | { readonly kind: 'happens' | 'begins' | 'crashes' | 'hastens' | 'overdue' | 'repeats' }
  | { readonly kind: 'ends'; readonly code: number }
  | { readonly kind: 'resends'; readonly which: number }
  | { readonly kind: 'passes'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Step>({ kind: 'happens' }) },
  { weight: 6, arbitrary: fc.constant<Step>({ kind: 'begins' }) },
  {
    weight: 5,
    arbitrary: fc.constantFrom(200, 204, 302, 410, 429, 500, 0).map((code) => ({
      ...{ kind: 'ends' as const, code },
    })),
  },
  fc.constantFrom<Step[]>({ kind: 'crashes' }, { kind: 'hastens' }, { kind: 'repeats' }),
  fc.constant<Step>({ kind: 'overdue' }),
  fc.nat(10).map((which) => ({ kind: 'resends' as const, which })),
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(1, 1_000, 29_000, 61_000, ATTEMPT_LAPSES_AFTER_MS, 3_600_000, 86_400_000)
      .map((ms) => ({ kind: 'passes' as const, ms })),
  },
);

function note(world: World, event: DeliveryEvent): void {
  switch (event.type) {
    case 'DeliveryAccepted':
      world.accepted.add(event.deliveryId);
      return;
    case 'DeliveryResent':
      world.resent.add(event.deliveryId);
      world.over.delete(event.deliveryId);
      return;
    case 'AttemptBegun':
      // Never two at once: whatever crashed can have lasted no longer than this.
      if (world.underWay !== undefined) {
        const { beganAtMs } = world.underWay;
        expect(world.nowMs).toBeGreaterThanOrEqual(beganAtMs + ATTEMPT_LAPSES_AFTER_MS);
      }
      // The first of what waits, always.
      expect(event.deliveryId).toBe(world.queue.waiting[0]?.id);
      world.underWay = { id: event.attemptId, beganAtMs: world.nowMs };
      return;
    case 'DeliveryAcknowledged':
      world.over.set(event.deliveryId, 'acknowledged');
      if (!world.resent.has(event.deliveryId)) {
        world.acknowledged.push(Number(event.deliveryId.slice(1)));
      }
      return;
    case 'DeliveryGivenUp': {
      const { acceptedAtMs } = world.queue.waiting.find(({ id }) => id === event.deliveryId)!;
      // The last failure gives up what would be tried again too late: within a day, a fifth more.
      expect(world.nowMs).toBeGreaterThan(acceptedAtMs + DELIVERY_LIFE_MS - 1.2 * 86_400_000);
      world.over.set(event.deliveryId, 'overdue');
      return;
    }
    case 'AttemptLapsed':
    case 'AttemptEnded':
    case 'DeliveryPostponed':
    case 'DeliveryHastened':
      return;
  }
}

function does(world: World, command: Parameters<typeof deliveryDecider.decide>[0]): void {
  for (const event of deliveryDecider.decide(command, world.queue)) {
    note(world, event);
    world.queue = deliveryDecider.evolve(world.queue, event);
  }
}

function goes(world: World, next: Step): void {
  switch (next.kind) {
    case 'happens':
      world.sequence += 1;
      return does(world, accept(world.sequence, world.nowMs));
    case 'repeats':
      return does(world, accept(world.sequence, world.nowMs));
    case 'begins':
      world.attempts += 1;
      return does(world, begin(`a${world.attempts}`, world.nowMs));
    case 'ends': {
      if (world.underWay === undefined) return;
      const { id } = world.underWay;
      does(world, end(id, next.code === 0 ? TIMEOUT : answered(next.code), world.nowMs));
      world.underWay = undefined;
      return;
    }
    case 'crashes':
      // Nobody says what came of it; it is still under way at the receiver.
      return;
    case 'hastens':
      return does(world, { type: 'HastenDeliveries', nowMs: world.nowMs });
    case 'overdue':
      return does(world, { type: 'GiveUpOverdue', nowMs: world.nowMs });
    case 'resends':
      if (world.accepted.has(`d${next.which}`)) does(world, resend(next.which, world.nowMs));
      return;
    case 'passes':
      world.nowMs += next.ms;
  }
}

function isOrdered(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > numbers[index - 1]!);
}

describe('whatever happens in whichever order', () => {
  it('deliveries of an object are never two at once, acknowledged in order, and none is lost', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
        const world: World = {
          ...{ queue: emptyQueue, nowMs: NOON_MS, attempts: 0, sequence: 0, underWay: undefined },
          ...{ accepted: new Set(), over: new Map(), acknowledged: [], resent: new Set() },
        };
        for (const next of steps) {
          goes(world, next);
          const waiting = world.queue.waiting.map(({ id }) => id);
          // Each is either waiting or over, never both, never neither.
          expect([...waiting, ...world.over.keys()].sort()).toEqual([...world.accepted].sort());
          expect(isOrdered(world.queue.waiting.map(({ sequence }) => sequence))).toBe(true);
        }
        expect(isOrdered(world.acknowledged)).toBe(true);
        arrivesAtLast(world);
      }),
      { seed: 18, numRuns: 1_000 },
    );
  });
});

/** A receiver that answers from now on is told everything that waits, by looking when it is due alone. */
function arrivesAtLast(world: World): void {
  world.underWay = undefined;
  const waiting = world.queue.waiting.map(({ id }) => id);
  for (let turn = 0; world.queue.waiting.length > 0; turn += 1) {
    expect(turn).toBeLessThan(3 * waiting.length + 3);
    world.nowMs = Math.max(world.nowMs, queueDueAtMs(world.queue)!);
    goes(world, { kind: 'begins' });
    const { attempt } = world.queue;
    if (attempt !== undefined) goes(world, { kind: 'ends', code: 200 });
  }
  expect(queueDueAtMs(world.queue)).toBeNull();
  for (const id of waiting) expect(world.over.has(id)).toBe(true);
}
