import type { InitialOperation, ScheduleEventMetadata, ScheduleJob } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import type { Amount } from '@sluice/money';

/** What every request about a schedule says. */
interface ScheduleRequest {
  /** Of this request, and of the plan that it makes. */
  readonly transactionId: TransactionId;
  readonly metadata: ScheduleEventMetadata;
}

/** `POST /scheduling/v1/schedules` (SD). */
export interface CreateSchedule extends ScheduleRequest {
  readonly type: 'CreateSchedule';
  readonly registrationId: TransactionId;
  readonly operation: InitialOperation;
  readonly amount: Amount;
  readonly job: ScheduleJob;
  readonly parameters: Readonly<Record<string, string>>;
  /** Sealed; absent if nothing is. */
  readonly personal?: string;
}

/** `POST /scheduling/v1/schedules/{id}/reschedule` (RS). */
export interface Reschedule extends ScheduleRequest {
  readonly type: 'Reschedule';
  /** Absent: as before. */
  readonly amount?: Amount;
  /** Absent: as before. */
  readonly job?: ScheduleJob;
  /** Absent: as before. */
  readonly operation?: InitialOperation;
  /** All that the plan has from then on. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Sealed; absent if nothing is. */
  readonly personal?: string;
  readonly catchUp: CatchUp;
}

/** `POST /scheduling/v1/schedules/{id}/deschedule` (DS), with notice; `DELETE`, at once. */
export interface EndSchedule extends ScheduleRequest {
  readonly type: 'Deschedule' | 'DeleteSchedule';
}

/** The channel's setting for times that nobody was there at: one run for all of them, or none. */
export type CatchUp = 'once' | 'skip';

/** Times have come. */
export interface TakeDue {
  readonly type: 'TakeDue';
  readonly nowMs: number;
  readonly catchUp: CatchUp;
  /** Payments is about to be asked for all of them: a record less for each. */
  readonly startsThem?: true;
}

/** Payments is about to be asked for it. */
export interface StartRun {
  readonly type: 'StartRun';
  readonly nowMs: number;
  readonly runId: TransactionId;
}

/** What became of the payment of a run. */
export interface RecordRun {
  readonly type: 'RecordRun';
  readonly nowMs: number;
  readonly runId: TransactionId;
  readonly outcome: RunOutcome;
}

/** The outcome of a run. */
export type RunOutcome =
  | { readonly kind: 'performed'; readonly paymentId: TransactionId; readonly resultCode: string }
  | {
      readonly kind: 'failed';
      /** Absent if there is no payment. */
      readonly paymentId?: TransactionId;
      readonly resultCode: string;
      readonly brand?: string;
      /** `resultDetails.MerchantAdviceCode`. */
      readonly adviceCode?: string;
      /** Certainly nobody was asked, and nothing arrives later. */
      readonly wasNeverSent?: true;
    };

/** Everything that is decided about a schedule. */
export type ScheduleCommand =
  CreateSchedule | Reschedule | EndSchedule | TakeDue | StartRun | RecordRun;
