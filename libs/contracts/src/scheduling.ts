import type { EntityId, TransactionId } from '@sluice/identifiers';
import type { Elsewhere } from './cells.js';
import type { AmountMessage, CommandMessage } from './messages.js';
import type { InitialOperation } from './operations.js';
import type { runSources } from './schedule-events.js';
import type {
  FixedAnswer,
  InitiatePaymentData,
  Mode,
  PaymentCommandData,
  ReferenceContext,
  RequestContext,
  TransactionOutcome,
} from './payments.js';
import type { RunSource } from './schedule-events.js';

/** What becomes of times that nobody was there at: one run for all of them, or none. */
export const missedRunChoices = ['once', 'skip'] as const;

/** What a channel says of its schedules, or a node above it. */
export interface ScheduleSettings {
  /** IANA name of the zone in which they are read. */
  readonly timeZone: string;
  readonly missedRuns: (typeof missedRunChoices)[number];
}

/** Of a channel for which nobody says anything. */
export const DEFAULT_SCHEDULE_SETTINGS: ScheduleSettings = { timeZone: 'UTC', missedRuns: 'once' };

/** The query `accounts.schedules`. */
export interface ScheduleSettingsQuery {
  readonly entityId: EntityId;
}

/** What every command to scheduling carries. */
interface ScheduleCommandData extends Omit<PaymentCommandData, 'context' | 'testDirectives'> {
  /** What refers to a schedule, and names no mode, has that of the schedule (D-64). */
  readonly context: ReferenceContext;
  /** As it was sent; what is stored has to be of it. */
  readonly paymentBrand?: string;
}

/** `POST /scheduling/v1/schedules`: `transactionId` is the id of the schedule, too. */
export interface CreateScheduleData extends ScheduleCommandData {
  readonly context: RequestContext;
  readonly registrationId: TransactionId;
  readonly operation: InitialOperation;
  readonly amount: AmountMessage;
}

/** `POST /scheduling/v1/schedules/{id}/reschedule`: what is absent stays as it is. */
export interface RescheduleData extends ScheduleCommandData {
  /** Any id of the schedule: its own, or that of a change, or of a try of a declined run. */
  readonly scheduleId: TransactionId;
  readonly operation?: InitialOperation;
  readonly amount?: AmountMessage;
}

/** `POST /scheduling/v1/schedules/{id}/deschedule`, with notice, and `DELETE`, at once. */
export interface EndScheduleData extends ScheduleCommandData {
  readonly scheduleId: TransactionId;
  readonly operation: 'deschedule' | 'deletion';
}

export type CreateSchedule = CommandMessage<'CreateSchedule', CreateScheduleData>;
export type Reschedule = CommandMessage<'Reschedule', RescheduleData>;
export type EndSchedule = CommandMessage<'EndSchedule', EndScheduleData>;
export type ScheduleCommandMessage = CreateSchedule | Reschedule | EndSchedule;

/** What can be asked of a schedule. */
export const scheduleOperations = ['schedule', 'reschedule', 'deschedule', 'deletion'] as const;

/** One of them. */
export type ScheduleOperation = (typeof scheduleOperations)[number];

/** What queries find of schedules: SD, RS and DS, which ends one with notice or at once. */
export const scheduleEntryOperations = ['schedule', 'reschedule', 'deschedule'] as const;

/** One of them. */
export type ScheduleEntryOperation = (typeof scheduleEntryOperations)[number];

/** Whether something that queries find was asked of a schedule. */
export function isScheduleEntry(operation: string): operation is ScheduleEntryOperation {
  return scheduleEntryOperations.some((each) => each === operation);
}

/** What was asked of a schedule, as queries show it. */
export interface ScheduleTransaction {
  readonly id: TransactionId;
  /** The schedule, where it is not the request that made it. */
  readonly referencedId?: TransactionId;
  /** What is charged; the first request of a schedule alone says it. */
  readonly registrationId?: TransactionId;
  readonly operation: ScheduleEntryOperation;
  readonly status: 'approved' | 'rejected';
  readonly resultCode: string;
  /** Of each run from then on. */
  readonly amount?: AmountMessage;
  readonly entityId: EntityId;
  readonly channelName: string;
  readonly mode: Mode;
  readonly ndc: string;
  /** When it was asked for, milliseconds since the epoch. */
  readonly recordedAtMs: number;
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string>>;
}

/** The answer to `scheduling.transaction`: nothing for an unknown or a foreign id. */
export interface ScheduleTransactionAnswer {
  readonly transaction?: ScheduleTransaction;
}

/** What a request about a schedule came to: what a reply carries (D-15). */
export interface ScheduleOutcome {
  readonly id: TransactionId;
  /** The schedule, where the request is not the one that made it. */
  readonly referencedId?: TransactionId;
  readonly operation: ScheduleOperation;
  readonly resultCode: string;
}

/** A try of a declined run that is planned, or of one that nobody could be asked for. */
export interface RecoveryPlanView {
  readonly source: (typeof runSources)[number];
  readonly id: TransactionId;
  /** The payment that was declined first. */
  readonly paymentId: TransactionId;
  readonly dueMs: number;
  readonly amount: AmountMessage;
}

/** How a schedule stands, as far as its events say it in clear. */
export interface ScheduleState {
  readonly id: TransactionId;
  readonly registrationId: TransactionId;
  /** Whether anything is due yet. */
  readonly isActive: boolean;
  /** Absent of one that was refused. */
  readonly amount?: AmountMessage;
  /** The request that the plan is of: the first one, or that of the last change. */
  readonly planId?: TransactionId;
  /** Milliseconds since the epoch; absent if nothing is due any more. */
  readonly nextDueMs?: number;
  /** After notice: nothing is due later, milliseconds since the epoch. */
  readonly endsAtMs?: number;
  readonly recoveries: readonly RecoveryPlanView[];
}

/** A schedule as its stream has it: what a read shows. */
export interface ScheduleView extends ScheduleState {
  readonly entityId: EntityId;
  /** As it was named when the schedule was made. */
  readonly channelName: string;
  /** Whose doing the latest change is: that of a merchant or of a time, or that of a declined run. */
  readonly source: RunSource;
  readonly mode: Mode;
  /** The request that made it. */
  readonly outcome: ScheduleOutcome;
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string>>;
  /** Where it was asked for by the id of a try: that one, whether it is still to be made or not. */
  readonly recovery?: RecoveryPlanView & { readonly isActive: boolean };
}

/** What scheduling answers to a command. */
export type ScheduleReply =
  | {
      readonly kind: 'outcome';
      readonly outcome: ScheduleOutcome;
      readonly schedule: ScheduleState;
    }
  /** The idempotency key is taken; edge compares the fingerprint. */
  | {
      readonly kind: 'keyTaken';
      readonly fingerprint: string;
      readonly answer: FixedAnswer;
      readonly first?: Extract<ScheduleReply, { readonly kind: 'outcome' }>;
    }
  /** Nothing was recorded: the registration or the job allows no such schedule. */
  | { readonly kind: 'refused'; readonly resultCode: string; readonly problem?: string }
  /** No such schedule of this channel. */
  | { readonly kind: 'notFound' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'unavailable' }
  /** There are no cells of scheduling; the word is the same for all who take commands. */
  | Elsewhere;

/** The query `scheduling.schedule`. */
export interface ScheduleQuery {
  /** Any id of the schedule: its own, or that of a change. */
  readonly scheduleId: TransactionId;
  /** The tenant that asks; another one's schedule is answered like an unknown one. */
  readonly entityId: EntityId;
  /** As it was after this event of its stream; absent: as it is now. */
  readonly atVersion?: number;
}

/** Its answer: nothing for an unknown id, and the same for a foreign one. */
export interface ScheduleAnswer {
  readonly schedule?: ScheduleView;
}

/** The query `scheduling.schedulesOfRegistration`. */
export interface SchedulesOfRegistrationQuery {
  readonly registrationId: TransactionId;
  readonly entityId: EntityId;
}

/** Its answer, in the order of their ids. */
export interface SchedulesOfRegistrationAnswer {
  readonly schedules: readonly ScheduleView[];
}

/**
 * The query `payments.charge`: a payment that no merchant asks for at this moment. The asker has written
 * its id down; asked again, it is the same payment.
 */
export interface ChargeQuery {
  readonly transactionId: TransactionId;
  readonly payment: Omit<InitiatePaymentData, 'personal' | 'idempotency' | 'transactionId'>;
  readonly personal: Readonly<Record<string, string>>;
}

/** Its answer; `again`: nobody knows yet what becomes of it. */
export type ChargeAnswer =
  { readonly kind: 'decided'; readonly outcome: TransactionOutcome } | { readonly kind: 'again' };
