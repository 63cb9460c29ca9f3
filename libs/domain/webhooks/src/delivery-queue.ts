import type { AttemptOutcome } from './attempt-outcome.js';

/** One notification on its way to one subscription; its id is the same however often it is sent (R-WH-02). */
export interface Delivery {
  readonly id: string;
  /** Of the notification among those of its object. */
  readonly sequence: number;
  /** When it came, or was asked for again, milliseconds since the epoch: its life begins there. */
  readonly acceptedAtMs: number;
  /** How many attempts of the schedule have failed. */
  readonly failures: number;
  /** When the schedule wants the next one. */
  readonly scheduledAtMs: number;
  /** When the next one may begin: then, or earlier because it was hastened. */
  readonly dueAtMs: number;
  /** When the latest one ended. */
  readonly endedAtMs?: number;
  /** Until when the receiver has asked to be left alone. */
  readonly notBeforeMs?: number;
}

/** What is under way. */
export interface Attempt {
  readonly id: string;
  readonly deliveryId: string;
  readonly begunAtMs: number;
}

/**
 * What one subscription has still to be told of one object: one thing at a time, in the order in which it
 * happened, as far as the receiver answers (wire contract 9).
 */
export interface DeliveryQueue {
  /** By sequence. */
  readonly waiting: readonly Delivery[];
  readonly attempt?: Attempt;
  /** The latest that came: the stream of events is read at least once. */
  readonly latestSequence: number;
}

/** Everything that can happen to a queue; times in milliseconds since the epoch. */
export type DeliveryEvent =
  | {
      readonly type: 'DeliveryAccepted' | 'DeliveryResent';
      readonly deliveryId: string;
      readonly sequence: number;
      readonly acceptedAtMs: number;
    }
  | {
      readonly type: 'AttemptBegun';
      readonly attemptId: string;
      readonly deliveryId: string;
      readonly begunAtMs: number;
    }
  /** Whoever made it has not come back: nobody knows what came of it. */
  | { readonly type: 'AttemptLapsed'; readonly attemptId: string; readonly deliveryId: string }
  | {
      readonly type: 'AttemptEnded';
      readonly attemptId: string;
      readonly deliveryId: string;
      readonly outcome: AttemptOutcome;
      readonly endedAtMs: number;
    }
  | { readonly type: 'DeliveryAcknowledged'; readonly deliveryId: string }
  | {
      readonly type: 'DeliveryPostponed';
      readonly deliveryId: string;
      readonly failures: number;
      readonly scheduledAtMs: number;
      readonly notBeforeMs: number;
    }
  | { readonly type: 'DeliveryHastened'; readonly deliveryId: string; readonly dueAtMs: number }
  /** `overdue`: its life is over. `discarded`: its subscription wants nothing any more. */
  | {
      readonly type: 'DeliveryGivenUp';
      readonly deliveryId: string;
      readonly reason: 'overdue' | 'discarded';
    };

/** Before anything came. */
export const emptyQueue: DeliveryQueue = { waiting: [], latestSequence: -1 };

/** The state after one more event. */
export function evolveQueue(queue: DeliveryQueue, event: DeliveryEvent): DeliveryQueue {
  switch (event.type) {
    case 'DeliveryAccepted': {
      const waiting = inOrder([...queue.waiting, acceptedDelivery(event)]);
      return { ...queue, waiting, latestSequence: event.sequence };
    }
    case 'DeliveryResent':
      return { ...queue, waiting: inOrder([...queue.waiting, acceptedDelivery(event)]) };
    case 'AttemptBegun': {
      const { attemptId: id, deliveryId, begunAtMs } = event;
      return { ...queue, attempt: { id, deliveryId, begunAtMs } };
    }
    case 'AttemptLapsed':
      return withoutAttempt(queue);
    case 'AttemptEnded': {
      const { deliveryId, endedAtMs } = event;
      return changedDelivery(withoutAttempt(queue), deliveryId, { endedAtMs });
    }
    case 'DeliveryAcknowledged':
    case 'DeliveryGivenUp': {
      const waiting = queue.waiting.filter(({ id }) => id !== event.deliveryId);
      return { ...queue, waiting };
    }
    case 'DeliveryPostponed': {
      const { deliveryId, failures, scheduledAtMs, notBeforeMs } = event;
      const dueAtMs = Math.max(scheduledAtMs, notBeforeMs);
      const changes = { failures, scheduledAtMs, notBeforeMs, dueAtMs };
      return changedDelivery(queue, deliveryId, changes);
    }
    case 'DeliveryHastened':
      return changedDelivery(queue, event.deliveryId, { dueAtMs: event.dueAtMs });
  }
}

function acceptedDelivery({
  deliveryId: id,
  sequence,
  acceptedAtMs,
}: Extract<DeliveryEvent, { readonly acceptedAtMs: number }>): Delivery {
  const firstAtMs = { scheduledAtMs: acceptedAtMs, dueAtMs: acceptedAtMs };
  return { id, sequence, acceptedAtMs, failures: 0, ...firstAtMs };
}

function inOrder(deliveries: readonly Delivery[]): readonly Delivery[] {
  return [...deliveries].sort((left, right) => left.sequence - right.sequence);
}

function withoutAttempt({ attempt: _, ...rest }: DeliveryQueue): DeliveryQueue {
  return rest;
}

function changedDelivery(
  queue: DeliveryQueue,
  deliveryId: string,
  changes: Partial<Delivery>,
): DeliveryQueue {
  const waiting = queue.waiting.map((delivery) =>
    delivery.id === deliveryId ? { ...delivery, ...changes } : delivery,
  );
  return { ...queue, waiting };
}
