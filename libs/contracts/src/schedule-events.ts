import type { TransactionId } from '@sluice/identifiers';
import { amount } from './event-codec.js';
import { type EventsOf, eventTable } from './event-table.js';
import { initialOperations } from './operations.js';
import type { PaymentEventMetadata } from './payment-events.js';
import { closed, described, formed, integer, oneOf, text, texts, type ValueOf } from './schema.js';

/** Who asked and when: what is kept of a request is the same as of a payment's. */
export type ScheduleEventMetadata = PaymentEventMetadata;

/** Units of the duration and the notice of a schedule (Interface 2.18). */
export const periodUnits = ['YEAR', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND'] as const;

/** When notice of a schedule ends it (Interface 2.18). */
export const noticeEnds = ['ANYTIME', 'DURATION_END'] as const;

/** Who plans a run: the schedule, or the merchant advice code of a declined one (wire contract 6). */
export const runSources = ['SCHEDULER', 'MACRETRY'] as const;
/** One of them. */
export type RunSource = (typeof runSources)[number];

/** Why due times have no run. */
export const skipReasons = ['missed', 'tooManyOpen', 'ended'] as const;

/** Why a declined run is not tried again. */
export const recoveryEnds = [
  ...(['recovered', 'notAdvised', 'triesOver', 'timeOver', 'tooManyOpen', 'ended'] as const),
] as const;

const transactionId = formed<TransactionId>('^[0-9a-f]{32}$');
const resultCode = formed('^[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$');
const parameters = described(texts, 'By wire name.');
const epochMs = (what: string) => described(integer, `${what}, milliseconds since the epoch.`);
const nextDueMs = epochMs('The next time after it, as the time zones were known then');

const job = closed(
  {
    expression: described(text, 'Seven fields of Quartz, with spaces between.'),
    timeZone: described(text, 'IANA name of the zone in which they are read.'),
  },
  {
    ...{ startMs: epochMs('Nothing runs before'), endMs: epochMs('Nothing runs after') },
    durationUnit: oneOf(periodUnits),
    durationNumber: integer,
    noticeUnit: oneOf(periodUnits),
    noticeNumber: integer,
    noticeCallable: oneOf(noticeEnds),
  },
);

const operation = described(oneOf(initialOperations), 'How each run charges the registration.');
const personal = described(
  text,
  'All that is personal from then on, sealed under the key of the schedule: AES-256-GCM, base64.',
);

/** When a schedule runs, and how it ends. */
export type ScheduleJob = ValueOf<typeof job>;

/**
 * Everything that can have happened to a schedule and what was made of it by rescheduling; the id of the
 * first one is the stream's (wire contract 6). The next due time is recorded, not computed again: a release
 * that knows other time zones reads an old stream as it was.
 */
export const scheduleEvents = eventTable({
  ScheduleCreated: {
    version: 1,
    description: 'A registration is to be charged at the times of a job.',
    data: closed(
      {
        ...{ transactionId, registrationId: transactionId, operation, amount, job, nextDueMs },
        parameters,
      },
      { personal },
    ),
  },
  ScheduleRejected: {
    version: 1,
    description: 'Refused before anything was planned.',
    data: closed({ transactionId, registrationId: transactionId, resultCode, parameters }),
  },
  ScheduleRescheduled: {
    version: 1,
    description: 'Another amount or job from then on; the plan before it is not active any more.',
    data: closed(
      {
        ...{ transactionId, referencedId: transactionId, resultCode, operation, amount, job },
        ...{ nextDueMs, parameters },
      },
      { personal },
    ),
  },
  ScheduleDescheduled: {
    version: 1,
    description: 'Notice was given: nothing runs after the end.',
    data: closed({
      transactionId,
      referencedId: transactionId,
      resultCode,
      endsAtMs: epochMs('The end'),
    }),
  },
  ScheduleDeleted: {
    version: 1,
    description: 'Nothing runs any more, whatever the notice.',
    data: closed({ transactionId, referencedId: transactionId, resultCode }),
  },
  RunDue: {
    version: 1,
    description: 'A time has come: the registration is to be charged once for it.',
    data: closed(
      {
        runId: described(transactionId, 'Made of plan and time; the id of the payment as well.'),
        planId: described(transactionId, 'Of the schedule, the reschedule or the recovery.'),
        ...{ dueMs: epochMs('The time'), amount, source: oneOf(runSources) },
      },
      {
        nextDueMs,
        recoveredRunId: described(transactionId, 'The declined run that this one tries again.'),
      },
    ),
  },
  RunsSkipped: {
    version: 1,
    description: 'Times that have no run.',
    data: closed(
      {
        planId: transactionId,
        ...{ firstDueMs: epochMs('The first of them'), lastDueMs: epochMs('The last of them') },
        ...{ count: integer, reason: oneOf(skipReasons) },
      },
      { nextDueMs },
    ),
  },
  RunStarted: {
    version: 1,
    description: 'Payments may have been asked for it from then on.',
    data: closed({ runId: transactionId }),
  },
  RunPerformed: {
    version: 1,
    description: 'The registration was charged.',
    data: closed({ runId: transactionId, paymentId: transactionId, resultCode }),
  },
  RunFailed: {
    version: 1,
    description: 'The registration was not charged.',
    data: closed(
      { runId: transactionId, resultCode },
      { paymentId: transactionId, adviceCode: text },
    ),
  },
  RunCancelled: {
    version: 1,
    description: 'The schedule ended before payments were asked.',
    data: closed({ runId: transactionId }),
  },
  RecoveryPlanned: {
    version: 1,
    description:
      'A declined run is tried again when its merchant advice code allows it, or one that nobody could be asked for.',
    data: closed(
      {
        recoveryId: described(transactionId, 'A plan of its own.'),
        runId: described(transactionId, 'The run of the schedule that was declined first.'),
        tryNumber: described(integer, 'From 1.'),
        dueMs: epochMs('When'),
      },
      {
        source: described(
          oneOf(runSources),
          'SCHEDULER where nobody could be asked; absent: MACRETRY.',
        ),
      },
    ),
  },
  RecoveryEnded: {
    version: 1,
    description: 'A declined run is not tried again.',
    data: closed({ runId: transactionId, reason: oneOf(recoveryEnds) }),
  },
  ScheduleEnded: {
    version: 1,
    description: 'Nothing is due any more, and nothing is open.',
    data: closed({ scheduleId: transactionId }),
  },
});

/** The data of each event of a schedule, by its name. */
export type ScheduleEvents = EventsOf<typeof scheduleEvents>;
