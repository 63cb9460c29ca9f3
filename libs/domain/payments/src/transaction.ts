import type {
  CardChecks,
  Instrument,
  Operation,
  Redirect,
  TransactionStatus,
} from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import type { Amount } from '@sluice/money';
import type { RecordedAgreement } from './agreements.js';
import type {
  AcquirerRequest,
  AuthenticationCompleted,
  AuthenticationPending,
  CaseReason,
  ChargebackSource,
  Decline,
  EventMetadata,
  KeptParameters,
  LateAnswer,
  NotPerformedReason,
  RerouteReason,
  ResultDetails,
  ReviewDecision,
  RiskAssessed,
  RouteTaken,
} from './events.js';

/** What is known of an approval that arrived after the end (D-27). */
export interface LateApproval {
  readonly connectorTxId: string;
  readonly receivedAtMs: number;
  /** The refund that undoes it where a reversal is too late. */
  readonly refund?: AcquirerRequest;
  readonly undoneBy?: 'reversal' | 'refund';
}

/** An attempt to perform a transaction that booked nothing, and was followed by another one. */
export interface FailedAttempt {
  readonly route?: RouteTaken;
  readonly reason: RerouteReason;
  /** When the next one was recorded, milliseconds since the epoch. */
  readonly endedAtMs: number;
  /** What its acquirer said, if that declined it. */
  readonly decline?: Decline;
}

/** One transaction of the chain: a plain record of what its events said. */
export interface Transaction extends KeptParameters, CardChecks {
  readonly id: TransactionId;
  readonly operation: Operation;
  readonly status: TransactionStatus;
  readonly resultCode: string;
  readonly resultDescription?: string;
  readonly final: boolean;
  /** Of its first event. */
  readonly metadata: EventMetadata;
  /** When its status was recorded, milliseconds since the epoch. */
  readonly changedAtMs: number;
  readonly referencedId?: TransactionId;
  readonly amount?: Amount;
  readonly releases?: Amount;
  /** Of a transaction that begins a payment. */
  readonly instrument?: Instrument;
  /** Of a transaction that refers to a payment which is not by card. */
  readonly paymentMethod?: string;
  readonly numberOfCaptures?: number;
  /** Of the last attempt, as is the route. */
  readonly request?: AcquirerRequest;
  readonly route?: RouteTaken;
  /** Absent if the first attempt is the last one. */
  readonly failedAttempts?: readonly FailedAttempt[];
  /** Of a transaction that begins a payment, as are the next ones. */
  readonly accountFingerprint?: string;
  readonly issuerCountry?: string;
  readonly agreement?: RecordedAgreement;
  /** What the rules of risk said; absent where none hold. */
  readonly assessment?: Omit<RiskAssessed, 'transactionId'>;
  /** What was decided of it under review. */
  readonly review?: ReviewDecision;
  /** The authentication that it waits for; absent once that has ended. */
  readonly awaited?: Omit<AuthenticationPending, 'transactionId' | 'redirect' | 'decline'>;
  /** The last authentication that has ended. */
  readonly authentication?: Omit<AuthenticationCompleted, 'transactionId'>;
  readonly connectorTxId?: string;
  readonly resultDetails?: ResultDetails;
  /** Where the acquirer wanted the shopper; it stays when the shopper has been there. */
  readonly redirect?: Redirect;
  readonly notPerformedReason?: NotPerformedReason;
  readonly source?: ChargebackSource;
  readonly excess?: Amount;
  readonly lateApproval?: LateApproval;
  readonly lateAnswer?: LateAnswer;
  readonly openCase?: CaseReason;
}

/** Transactions of one chain by id, in the order in which they were recorded. */
export type Transactions = ReadonlyMap<string, Transaction>;
