// Fixed schedules for the specs of this library; no other file imports it.
import type { ScheduleEventMetadata, ScheduleJob } from '@sluice/contracts';
import { type EntityId, type TransactionId, transactionIdOfRun } from '@sluice/identifiers';
import { fromMessage } from '@sluice/money';
import type { CreateSchedule, EndSchedule, Reschedule, ScheduleCommand } from './commands.js';
import type { Schedule, ScheduleEvent, ScheduleStreamState } from './schedule.js';
import { scheduleDecider } from './schedule-decider.js';

/** 2026-01-15T12:00:00Z. */
export const NOON_MS = Date.UTC(2026, 0, 15, 12);

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const amount = fromMessage({ minor: '990', currency: 'EUR' });

/** Every day at midnight of UTC. */
export const daily: ScheduleJob = { expression: '0 0 0 * * ? *', timeZone: 'UTC' };

/** A fixed id. */
export function id(number: number): TransactionId {
  return `0194670a0000abcd${number.toString(16).padStart(16, '0')}` as TransactionId;
}

/** Midnight so many days after the schedule was created. */
export function midnight(day: number): number {
  return Date.UTC(2026, 0, 15 + day);
}

/** The run of the fixed schedule at that midnight. */
export function runOf(day: number): TransactionId {
  return transactionIdOfRun(id(1), midnight(day));
}

/** Who asks, and when. */
export function metadata(recordedAtMs: number): ScheduleEventMetadata {
  return {
    recordedAtMs,
    entityId: '8a8294174b7ecb28014b9699220015ca' as EntityId,
    ...{ channelName: 'demo', ndc: 'ndc-1', mode: 'INTERNAL', actor: 'token-node' },
    ...{ correlationId: 'ndc-1', causationId: 'message-1' },
  };
}

/** The first request of a schedule. */
export function create(job: ScheduleJob = daily): CreateSchedule {
  return {
    ...{ type: 'CreateSchedule', transactionId: id(1), registrationId: id(99), amount, job },
    ...{ operation: 'debit', parameters: {}, metadata: metadata(NOON_MS) },
  };
}

/** Another job or amount. */
export function reschedule(number: number, nowMs: number, job?: ScheduleJob): Reschedule {
  return {
    ...{ type: 'Reschedule', transactionId: id(number), parameters: {}, catchUp: 'once' },
    ...{ metadata: metadata(nowMs), ...(job && { job }) },
  };
}

/** Notice, or the end at once. */
export function end(type: EndSchedule['type'], number: number, nowMs: number): EndSchedule {
  return { type, transactionId: id(number), metadata: metadata(nowMs) };
}

/** The events of commands one after another. */
export function eventsOf(...commands: readonly ScheduleCommand[]): readonly ScheduleEvent[] {
  const events: ScheduleEvent[] = [];
  let state: ScheduleStreamState = scheduleDecider.initialState;
  for (const command of commands) {
    const decided = scheduleDecider.decide(command, state);
    state = decided.reduce<ScheduleStreamState>(scheduleDecider.evolve, state);
    events.push(...decided);
  }
  return events;
}

/** The state after them. */
export function after(...commands: readonly ScheduleCommand[]): Schedule {
  const state = eventsOf(...commands).reduce<ScheduleStreamState>(
    scheduleDecider.evolve,
    scheduleDecider.initialState,
  );
  if (state === undefined) throw new Error('There is no schedule.');
  return state;
}
