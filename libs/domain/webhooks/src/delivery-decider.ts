import type { Decider } from '@sluice/contracts';
import {
  ATTEMPT_TIMEOUT_MS,
  type AttemptOutcome,
  isAcknowledged,
  isNotWanted,
  wantedPauseMs,
} from './attempt-outcome.js';
import {
  type Delivery,
  type DeliveryEvent,
  type DeliveryQueue,
  emptyQueue,
  evolveQueue,
} from './delivery-queue.js';
import { DELIVERY_LIFE_MS, retryPauseMs, type RetryScheduleName } from './retry-schedule.js';

/**
 * From when on an attempt counts as lost with its process: later than it can last with both secrets
 * tried, so that no two for one object are ever under way.
 */
export const ATTEMPT_LAPSES_AFTER_MS = 2 * ATTEMPT_TIMEOUT_MS + 15_000;

/** A receiver that fails is not tried again sooner, whatever happens: that is the family's first pause. */
export const HASTENED_AFTER_MS = 60_000;

/** What is decided about the queue of one object for one subscription; times in milliseconds since the epoch. */
export type DeliveryCommand =
  /** Something happened to the object. */
  | {
      readonly type: 'AcceptDelivery';
      readonly deliveryId: string;
      readonly sequence: number;
      readonly nowMs: number;
    }
  /** Somebody is free to make an attempt; the event `AttemptBegun` says of which. */
  | { readonly type: 'BeginAttempt'; readonly attemptId: string; readonly nowMs: number }
  | {
      readonly type: 'EndAttempt';
      readonly attemptId: string;
      readonly outcome: AttemptOutcome;
      readonly schedule: RetryScheduleName;
      readonly nowMs: number;
    }
  /** The receiver is there again: what waits for it need not wait until its time (R-WH-06). */
  | { readonly type: 'HastenDeliveries'; readonly nowMs: number }
  /** Somebody wants it sent, whatever became of it. */
  | {
      readonly type: 'ResendDelivery';
      readonly deliveryId: string;
      readonly sequence: number;
      readonly nowMs: number;
    }
  /** Nobody may be free for what is over: the receiver's breaker is open, or the subscription paused. */
  | { readonly type: 'GiveUpOverdue'; readonly nowMs: number }
  /** The subscription is disabled or removed. */
  | { readonly type: 'DiscardDeliveries' };

/** What a queue of deliveries does: pure functions over its events. */
export const deliveryDecider: Decider<DeliveryCommand, DeliveryQueue, DeliveryEvent> = {
  initialState: emptyQueue,
  decide,
  evolve: evolveQueue,
};

function decide(command: DeliveryCommand, queue: DeliveryQueue): DeliveryEvent[] {
  switch (command.type) {
    case 'AcceptDelivery':
      return accepted(command, queue);
    case 'BeginAttempt':
      return begun(command, queue);
    case 'EndAttempt':
      return ended(command, queue);
    case 'HastenDeliveries':
      return hastened(queue, command.nowMs);
    case 'ResendDelivery':
      return resent(command, queue);
    case 'GiveUpOverdue':
      return overdue(queue, command.nowMs);
    case 'DiscardDeliveries':
      return queue.waiting.map(({ id }) => givenUp(id, 'discarded'));
  }
}

/**
 * When somebody has to look at a queue, milliseconds since the epoch; null if never: for the next attempt, for
 * one whose process may be gone, or to give up what nobody may attempt.
 */
export function queueDueAtMs({ waiting, attempt }: DeliveryQueue): number | null {
  if (attempt !== undefined) return attempt.begunAtMs + ATTEMPT_LAPSES_AFTER_MS;
  const [first] = waiting;
  return first === undefined ? null : Math.min(first.dueAtMs, endOfLifeMs(first));
}

type CommandOf<Type extends DeliveryCommand['type']> = Extract<
  DeliveryCommand,
  { readonly type: Type }
>;

/** The same again is told by its sequence: the stream of events comes in order, and at least once. */
function accepted(
  { deliveryId, sequence, nowMs }: CommandOf<'AcceptDelivery'>,
  queue: DeliveryQueue,
): DeliveryEvent[] {
  if (sequence <= queue.latestSequence) return [];
  const acceptance: DeliveryEvent = {
    ...{ type: 'DeliveryAccepted', deliveryId, sequence },
    acceptedAtMs: nowMs,
  };
  // It would wait for a day behind one that has failed for long, though its receiver may be there again.
  return [acceptance, ...hastened(queue, nowMs)];
}

function begun(
  { attemptId, nowMs }: CommandOf<'BeginAttempt'>,
  queue: DeliveryQueue,
): DeliveryEvent[] {
  const { attempt } = queue;
  const lapse = attempt === undefined ? [] : lapsed(attempt, nowMs);
  if (attempt !== undefined && lapse.length === 0) return [];
  const over = overdue(queue, nowMs);
  const [first] = queue.waiting.filter((delivery) => !isOverdue(delivery, nowMs));
  if (first === undefined || first.dueAtMs > nowMs) return [...lapse, ...over];
  const begin: DeliveryEvent = {
    ...{ type: 'AttemptBegun', attemptId, deliveryId: first.id },
    begunAtMs: nowMs,
  };
  return [...lapse, ...over, begin];
}

function lapsed(
  { id, deliveryId, begunAtMs }: NonNullable<DeliveryQueue['attempt']>,
  nowMs: number,
): DeliveryEvent[] {
  if (nowMs < begunAtMs + ATTEMPT_LAPSES_AFTER_MS) return [];
  return [{ type: 'AttemptLapsed', attemptId: id, deliveryId }];
}

/** What comes of an attempt that lapsed is not heard: another one is or was under way. */
function ended(
  { attemptId, outcome, schedule, nowMs }: CommandOf<'EndAttempt'>,
  { attempt, waiting }: DeliveryQueue,
): DeliveryEvent[] {
  if (attempt?.id !== attemptId) return [];
  const { deliveryId } = attempt;
  const end: DeliveryEvent = {
    ...{ type: 'AttemptEnded', attemptId, deliveryId, outcome },
    endedAtMs: nowMs,
  };
  const delivery = waiting.find(({ id }) => id === deliveryId);
  if (delivery === undefined) return [end];
  if (isAcknowledged(outcome)) return [end, { type: 'DeliveryAcknowledged', deliveryId }];
  if (isNotWanted(outcome)) return [end, givenUp(deliveryId, 'discarded')];
  return [end, afterFailure(delivery, wantedPauseMs(outcome), { schedule, nowMs })];
}

/** An attempt that was made before its time counts for nothing: it must not shorten how long is tried. */
function afterFailure(
  delivery: Delivery,
  pauseMs: number,
  { schedule, nowMs }: { readonly schedule: RetryScheduleName; readonly nowMs: number },
): DeliveryEvent {
  const { id: deliveryId, scheduledAtMs: beforeMs } = delivery;
  const counts = nowMs >= beforeMs;
  const failures = delivery.failures + (counts ? 1 : 0);
  const scheduledAtMs = counts ? nowMs + retryPauseMs(schedule, deliveryId, failures) : beforeMs;
  if (scheduledAtMs >= endOfLifeMs(delivery)) return givenUp(deliveryId, 'overdue');
  const notBeforeMs = nowMs + pauseMs;
  return { type: 'DeliveryPostponed', deliveryId, failures, scheduledAtMs, notBeforeMs };
}

/** Only the first one waits for its own time: the others wait for it. */
function hastened({ waiting, attempt }: DeliveryQueue, nowMs: number): DeliveryEvent[] {
  const [first] = waiting;
  if (first?.endedAtMs === undefined || attempt !== undefined) return [];
  const { id: deliveryId, endedAtMs, notBeforeMs = 0 } = first;
  const dueAtMs = Math.max(nowMs, endedAtMs + HASTENED_AFTER_MS, notBeforeMs);
  return dueAtMs < first.dueAtMs ? [{ type: 'DeliveryHastened', deliveryId, dueAtMs }] : [];
}

/** What is over begins a new life, in its old place among what waits: the newest state stays the last. */
function resent(
  { deliveryId, sequence, nowMs }: CommandOf<'ResendDelivery'>,
  { waiting, attempt }: DeliveryQueue,
): DeliveryEvent[] {
  if (attempt?.deliveryId === deliveryId) return [];
  const delivery = waiting.find(({ id }) => id === deliveryId);
  if (delivery === undefined) {
    return [{ type: 'DeliveryResent', deliveryId, sequence, acceptedAtMs: nowMs }];
  }
  if (delivery.dueAtMs <= nowMs) return [];
  return [{ type: 'DeliveryHastened', deliveryId, dueAtMs: nowMs }];
}

function overdue({ waiting, attempt }: DeliveryQueue, nowMs: number): DeliveryEvent[] {
  return waiting
    .filter((delivery) => isOverdue(delivery, nowMs) && !isUnderWay(delivery, attempt, nowMs))
    .map(({ id }) => givenUp(id, 'overdue'));
}

/** What may be acknowledged this moment is not given up. */
function isUnderWay({ id }: Delivery, attempt: DeliveryQueue['attempt'], nowMs: number): boolean {
  return attempt?.deliveryId === id && nowMs < attempt.begunAtMs + ATTEMPT_LAPSES_AFTER_MS;
}

function isOverdue(delivery: Delivery, nowMs: number): boolean {
  return nowMs >= endOfLifeMs(delivery);
}

function endOfLifeMs({ acceptedAtMs }: Delivery): number {
  return acceptedAtMs + DELIVERY_LIFE_MS;
}

function givenUp(deliveryId: string, reason: 'overdue' | 'discarded'): DeliveryEvent {
  return { type: 'DeliveryGivenUp', deliveryId, reason };
}
