import { describe, expect, it } from '@jest/globals';
import { schedules } from './schedules.projection.js';
import type { TransactionRow } from './transactions.projection.js';

type Event = Parameters<typeof schedules.fold>[1];

const ID = '0194670a0000abcd0000000000000001';
const CHANGE_ID = '0194670a0000abcd0000000000000002';
/** Of a change before it, which the request has named. */
const OTHER_ID = '0194670a0000abcd0000000000000003';
const REGISTRATION_ID = '0194670a0000abcd00000000000000aa';
const metadata = {
  ...{ recordedAtMs: 1_790_000_000_000, entityId: 'e'.repeat(32), channelName: 'demo' },
  ...{ ndc: 'ndc-1', mode: 'LIVE', actor: 'a', correlationId: 'c', causationId: 'c' },
};
const created = {
  ...{ transactionId: ID, registrationId: REGISTRATION_ID, operation: 'debit', nextDueMs: 1 },
  ...{ amount: { minor: '990', currency: 'EUR' }, job: { expression: '* * * * * ? *' } },
  ...{ parameters: { merchantTransactionId: 'plan-4711' }, personal: 'sealed' },
};
const change = { transactionId: CHANGE_ID, referencedId: OTHER_ID, resultCode: '000.000.000' };

/** The rows after these events, by their keys. */
function rowsOf(...events: readonly (readonly [type: string, data: object])[]) {
  const rows: Record<string, TransactionRow> = {};
  for (const [type, data] of events) {
    const event = { streamId: ID, version: 1, schemaVersion: 1, type, data, metadata } as Event;
    const key = schedules.keyOf(event);
    rows[key] = schedules.fold(rows[key], event);
  }
  return rows;
}

describe('the row of a schedule', () => {
  it('shows what it charges, and the stored account that it is linked with', () => {
    expect(rowsOf(['ScheduleCreated', created])[ID]).toMatchObject({
      ...{ streamId: ID, operation: 'schedule', status: 'approved', resultCode: '000.000.000' },
      ...{ amountMinor: '990', currency: 'EUR', linkedId: REGISTRATION_ID, referencedId: null },
      ...{ merchantTransactionId: 'plan-4711', personal: 'sealed', mode: 'LIVE' },
    });
  });

  it('of one that was refused says why', () => {
    const { transactionId, registrationId, parameters } = created;
    const refused = { transactionId, registrationId, parameters, resultCode: '100.250.100' };
    expect(rowsOf(['ScheduleRejected', refused])[ID]).toMatchObject({
      ...{ status: 'rejected', resultCode: '100.250.100', amountMinor: null, personal: null },
    });
  });

  it.each([
    ['ScheduleRescheduled', 'reschedule', { ...created, ...change }, '990'],
    ['ScheduleDescheduled', 'deschedule', { ...change, endsAtMs: 2 }, null],
    ['ScheduleDeleted', 'deschedule', change, null],
  ])('leaves %s a row of its own', (type, operation, data, amountMinor) => {
    const rows = rowsOf(['ScheduleCreated', created], [type, data]);
    expect(Object.keys(rows)).toEqual([ID, CHANGE_ID]);
    expect(rows[CHANGE_ID]).toMatchObject({ operation, referencedId: ID, amountMinor });
  });

  it('is not changed by what becomes of its runs', () => {
    const run = { runId: REGISTRATION_ID, planId: ID, dueMs: 1, source: 'SCHEDULER' };
    const more = [
      ['RunDue', { ...run, amount: created.amount }],
      ['RunStarted', run],
      ['RunFailed', { ...run, resultCode: '800.100.155' }],
      ['RecoveryEnded', { ...run, reason: 'notAdvised' }],
      ['ScheduleEnded', { scheduleId: ID }],
    ] as const;
    expect(rowsOf(['ScheduleCreated', created], ...more)).toEqual(
      rowsOf(['ScheduleCreated', created]),
    );
  });

  it('needs its beginning', () => {
    expect(() => rowsOf(['RunStarted', { runId: ID }])).toThrow('Nothing was begun');
  });
});
