import { describe, expect, it } from '@jest/globals';
import { eventFields } from './event-fields-fixture.js';
import { eventSchemas } from './event-table.js';
import { scheduleEvents } from './schedule-events.js';

describe('the events of a schedule', () => {
  it('have no field for card numbers, security codes, secrets or clear personal data', () => {
    // Whoever adds a field decides here that it may leave the service.
    expect(eventFields(scheduleEvents)).toEqual([
      ...['adviceCode', 'amount', 'count', 'currency', 'dueMs', 'durationNumber', 'durationUnit'],
      ...['endMs', 'endsAtMs', 'expression', 'firstDueMs', 'job', 'lastDueMs', 'minor'],
      ...['nextDueMs', 'noticeCallable', 'noticeNumber', 'noticeUnit', 'operation', 'parameters'],
      ...['paymentId', 'personal', 'planId', 'reason', 'recoveredRunId', 'recoveryId'],
      ...['referencedId', 'registrationId', 'resultCode', 'runId', 'scheduleId', 'source'],
      ...['startMs', 'timeZone', 'transactionId', 'tryNumber'],
    ]);
    const sealed = eventSchemas(scheduleEvents).flatMap(
      ({ data }) => data.properties?.['personal'] ?? [],
    );
    expect(sealed.map(({ type }) => type)).toEqual(['string', 'string']);
  });
});
