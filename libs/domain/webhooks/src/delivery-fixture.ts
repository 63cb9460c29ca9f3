// Queues of deliveries for the specs of this library; no other file imports it.
import type { AttemptOutcome } from './attempt-outcome.js';
import { type DeliveryCommand, deliveryDecider } from './delivery-decider.js';
import { type DeliveryEvent, type DeliveryQueue, emptyQueue } from './delivery-queue.js';

/** 2026-01-15T12:00:00Z. */
export const NOON_MS = Date.UTC(2026, 0, 15, 12);

/** An answer with this status. */
export function answered(statusCode: number, retryAfterMs?: number): AttemptOutcome {
  return { kind: 'answered', statusCode, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Nothing came within 30 s. */
export const TIMEOUT: AttemptOutcome = { kind: 'lost', reason: 'timeout' };

/** The notification of this sequence came. */
export function accept(sequence: number, nowMs = NOON_MS): DeliveryCommand {
  return { type: 'AcceptDelivery', deliveryId: `d${sequence}`, sequence, nowMs };
}

/** Somebody is free. */
export function begin(attemptId: string, nowMs = NOON_MS): DeliveryCommand {
  return { type: 'BeginAttempt', attemptId, nowMs };
}

/** An attempt has ended. */
export function end(attemptId: string, outcome: AttemptOutcome, nowMs = NOON_MS): DeliveryCommand {
  return { type: 'EndAttempt', attemptId, outcome, schedule: 'family', nowMs };
}

/** The notification of this sequence is wanted again. */
export function resend(sequence: number, nowMs = NOON_MS): DeliveryCommand {
  return { type: 'ResendDelivery', deliveryId: `d${sequence}`, sequence, nowMs };
}

/** The queue after these commands, and what the last one did. */
export function after(...commands: readonly DeliveryCommand[]): {
  readonly queue: DeliveryQueue;
  readonly events: readonly DeliveryEvent[];
} {
  let queue = emptyQueue;
  let events: readonly DeliveryEvent[] = [];
  for (const command of commands) {
    events = deliveryDecider.decide(command, queue);
    queue = events.reduce(deliveryDecider.evolve, queue);
  }
  return { queue, events };
}
