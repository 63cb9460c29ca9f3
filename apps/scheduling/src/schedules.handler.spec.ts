import { describe, expect, it } from '@jest/globals';
import { Streams } from '@sluice/aggregates';
import { DEFAULT_SCHEDULE_SETTINGS, type CreateSchedule } from '@sluice/contracts';
import { scheduleDecider } from '@sluice/domain-scheduling';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { type Opened, QueryUnavailable, Unrecorded } from '@sluice/messaging';
import { fixedClock } from '@sluice/testing';
import { type HandlerParts, SchedulesHandler } from './schedules.handler.js';
import { SchedulingMetrics } from './scheduling-metrics.js';

const transactionId = '0194670a0000abcd0000000000000001' as TransactionId;
const message: Opened<CreateSchedule> = {
  ...{ id: 'message', type: 'CreateSchedule', schemaVersion: 1, key: 'abcd' },
  ...{ correlationId: 'ndc', causationId: 'message', timeToLiveMs: 25_000 },
  data: {
    ...{ transactionId, registrationId: transactionId, operation: 'debit' },
    ...{ amount: { minor: '990', currency: 'EUR' }, parameters: {} },
    context: {
      ...{ entityId: 'a'.repeat(32) as EntityId, channelName: 'demo', ndc: 'ndc' },
      ...{ mode: 'INTERNAL', manualChargebacks: false, receivedAtMs: 0, actor: 'node' },
    },
  },
};

/** A handler that decides, and records nothing. */
function handler(charges: HandlerParts['charges']): SchedulesHandler {
  const clock = fixedClock(Date.UTC(2026, 0, 1));
  return new SchedulesHandler({
    ...{ charges, machine: clock, clock, metrics: new SchedulingMetrics() },
    streams: new Streams(scheduleDecider.initialState, 1),
    channels: { of: () => Promise.resolve(DEFAULT_SCHEDULE_SETTINGS) },
    writer: {
      accept: async (_: unknown, propose: (isMarked: boolean) => Promise<object>) => propose(false),
    } as never,
    store: {} as never,
    keys: {} as never,
  });
}

describe('a schedule that is refused', () => {
  it('is told as not recorded: by a second delivery it might be possible', async () => {
    const refusal = { resultCode: '100.150.201' };
    const reply = await handler({ refusalOf: () => Promise.resolve(refusal) }).create(message, 9e9);
    expect(reply).toBeInstanceOf(Unrecorded);
    expect(reply).toEqual(new Unrecorded({ kind: 'refused', ...refusal }));
  });

  it('is unavailable, and told as not recorded, where nobody says whether it is possible', async () => {
    const refusalOf = () => Promise.reject(new QueryUnavailable('registrations', 'noService'));
    const reply = await handler({ refusalOf }).create(message, 9e9);
    expect(reply).toEqual(new Unrecorded({ kind: 'unavailable' }));
  });
});
