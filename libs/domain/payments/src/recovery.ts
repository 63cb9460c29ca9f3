import type { Mode, Operation } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import type { Amount } from '@sluice/money';
import { type InquireAuthentication, planInquiring } from './authentication-inquiries.js';
import { type AcquirerRequest, isOpen } from './events.js';
import { findTransaction, type PaymentState, transactionsOf } from './payment.js';
import { isSent, type SentOperation } from './sent-operations.js';
import type { Transaction } from './transaction.js';

/** When recovery does what; all in milliseconds, settings of the service (D-28). */
export interface RecoverySchedule {
  /** How long after its request event a call may still send its first byte (D-25). */
  readonly sendWindowMs: number;
  /** How long a request belongs to the process that committed it. */
  readonly leaseMs: number;
  /** When to inquire, counted from when the outcome became unknown or pending; ascending. */
  readonly inquireAfterMs: readonly number[];
  /** When inquiry has had its chance and what may be booked is reversed (D-27). */
  readonly resolveByMs: number;
  /** When to ask once more after an end that rests on an inquiry or a reversal (D-27). */
  readonly lateInquiryAfterMs: number;
  /** By how much the clocks of two processes may differ. */
  readonly clockMarginMs: number;
}

/** What recovery has to know about a connector. */
export interface RecoveryCapabilities {
  readonly canInquire: boolean;
  readonly canReverse: boolean;
  /** The longest time after sending at which a request may still be booked, in milliseconds. */
  readonly maxInFlightMs: number;
  reversalCutOffMs(recordedAtMs: number): number;
}

interface Step<Kind extends string> {
  readonly kind: Kind;
  readonly transactionId: TransactionId;
}

/** What the acquirer was asked to do, as its request event has it: answers are held against it. */
export interface SentRequest {
  readonly operation: SentOperation;
  readonly amount: Amount;
  readonly mode: Mode;
}

interface CallStep<Kind extends string> extends Step<Kind> {
  readonly acquirerReference: string;
  readonly original: SentRequest;
  /** No later attempt is planned: unanswered, it becomes a case (R-UNK-04). */
  readonly last: boolean;
}

/** Asks what became of a request. */
export interface Inquire extends CallStep<'inquire'> {
  /** Before this "not found" proves nothing: the request may still be on its way (D-27). */
  readonly notFoundIsDefinitive: boolean;
}

/** Undoes what may be booked, by its reference. */
export interface Reverse extends CallStep<'reverse'> {
  /**
   * That time has passed does not prove that inquiries were made: perhaps no process was running.
   * So each reversal directly follows an inquiry without an answer (D-27). False only if the
   * acquirer supports no inquiry.
   */
  readonly inquireFirst: boolean;
}

/** What the sweeper has to do about one transaction. It never submits a sale again (D-26). */
export type RecoveryStep =
  | Inquire
  | Reverse
  /** Asks once more after the end. */
  | CallStep<'inquireLate'>
  /** Undoes an approval that came too late, by its reference. */
  | CallStep<'undoLateApproval'>
  /** The same where a reversal is no longer possible: refund it once. */
  | CallStep<'refundLateApproval'>
  /** A refund of a late approval was requested: ask what became of it, never send it again. */
  | CallStep<'inquireLateRefund'>
  /** No request was ever committed for sending: nothing can have happened. */
  | Step<'recordNeverSent'>
  /**
   * The caller is gone and the acquirer supports no inquiry: the outcome is unknown from now on.
   */
  | (Step<'recordUnknown'> & Pick<CallStep<'inquire'>, 'acquirerReference'>)
  /** The shopper is being authenticated: asks how that ended. */
  | InquireAuthentication
  /** Nothing is left to try. */
  | Step<'openCase'>;

/** Recovery's plan for one transaction: what to do at which instants, ascending. */
interface Plan {
  readonly attemptsMs: readonly number[];
  step(nowMs: number, last: boolean): RecoveryStep;
}

/**
 * Undone at `resolveBy`: a charge or hold nobody can confirm. All others are only inquired (D-24 to
 * D-28).
 */
const REVERSED_WHEN_UNKNOWN: readonly Operation[] = [
  'authorization',
  'debit',
  'rebill',
  'incrementalAuthorization',
];

/** Operations that took money, so they can be refunded when they are too old to be reversed. */
const REFUNDABLE: readonly Operation[] = ['debit', 'capture', 'rebill', 'receipt'];

/** What is due now, per transaction; empty when the sweeper came too early. */
export function recoverySteps(
  state: PaymentState,
  nowMs: number,
  capabilities: RecoveryCapabilities,
  schedule: RecoverySchedule,
): readonly RecoveryStep[] {
  const steps: RecoveryStep[] = [];
  for (const transaction of transactionsOf(state).values()) {
    const plan = planFor(transaction, nowMs, capabilities, schedule);
    if (plan === undefined || (plan.attemptsMs[0] ?? nowMs) > nowMs) continue;
    const last = (plan.attemptsMs.at(-1) ?? nowMs) <= nowMs;
    steps.push(plan.step(nowMs, last));
  }
  return steps;
}

/**
 * What to ask when the shopper comes back from the acquirer; undefined if nothing is to be found out. A
 * payment that ended without success is asked about too: a shopper may cancel, go back and pay.
 */
export function inquiryOnReturn(state: PaymentState, id: TransactionId): Inquire | undefined {
  const transaction = findTransaction(state, id);
  if (transaction?.redirect === undefined || transaction.request === undefined) return undefined;
  const { status, lateApproval, request } = transaction;
  if (status === 'approved' || lateApproval !== undefined) return undefined;
  const { acquirerReference } = request;
  const original = sentRequest(transaction);
  const step = { kind: 'inquire', transactionId: id, acquirerReference, original } as const;
  return { ...step, last: false, notFoundIsDefinitive: false };
}

/**
 * When the sweeper has to look at the payment again after now, milliseconds since the epoch, or
 * `null` when nothing is open. Attempts are instants computed from the events, so that nobody has
 * to record them; a plan whose last instant has passed without an end is due at once.
 */
export function nextDue(
  state: PaymentState,
  nowMs: number,
  capabilities: RecoveryCapabilities,
  schedule: RecoverySchedule,
): number | null {
  let due: number | null = null;
  for (const transaction of transactionsOf(state).values()) {
    const plan = planFor(transaction, nowMs, capabilities, schedule);
    if (plan === undefined) continue;
    const next = plan.attemptsMs.find((attemptMs) => attemptMs > nowMs) ?? nowMs;
    if (due === null || next < due) due = next;
  }
  return due;
}

function planFor(
  transaction: Transaction,
  nowMs: number,
  capabilities: RecoveryCapabilities,
  schedule: RecoverySchedule,
): Plan | undefined {
  const { status, lateApproval, openCase } = transaction;
  if (lateApproval !== undefined) {
    if (lateApproval.undoneBy !== undefined || openCase === 'lateApprovalNotUndone') {
      return undefined;
    }
    return planUndoing(transaction, lateApproval.receivedAtMs, capabilities, schedule);
  }
  if (status === 'requested') return planRequested(transaction, capabilities, schedule);
  if (openCase === 'unresolved') return undefined;
  if (transaction.awaited !== undefined) return planInquiring(transaction, nowMs, schedule);
  if (isOpen(status)) return planUnresolved(transaction, nowMs, capabilities, schedule);
  return planLateInquiry(transaction, capabilities, schedule);
}

/** A request without outcome: its process counts as dead when the lease is over. */
function planRequested(
  transaction: Transaction,
  capabilities: RecoveryCapabilities,
  schedule: RecoverySchedule,
): Plan {
  const { id: transactionId, request, changedAtMs } = transaction;
  if (request === undefined) {
    const attemptsMs = [changedAtMs];
    return { attemptsMs, step: () => ({ kind: 'recordNeverSent', transactionId }) };
  }
  const leaseOverMs = Math.max(
    changedAtMs + schedule.leaseMs,
    definitiveFromMs(request, capabilities, schedule),
  );
  if (!capabilities.canInquire) {
    const { acquirerReference } = request;
    const step = () => ({ kind: 'recordUnknown', transactionId, acquirerReference }) as const;
    return { attemptsMs: [leaseOverMs], step };
  }
  const step = inquiry(transaction, request, capabilities, schedule);
  // An unanswered inquiry here makes the outcome unknown, and that has a plan of its own.
  return { attemptsMs: [leaseOverMs], step: (nowMs) => step(nowMs, false) };
}

/** Pending or unknown: inquire, and at `resolveBy` undo what may be undone (D-27). */
function planUnresolved(
  transaction: Transaction,
  nowMs: number,
  capabilities: RecoveryCapabilities,
  schedule: RecoverySchedule,
): Plan {
  const { id: transactionId, request, status, operation, changedAtMs } = transaction;
  if (request === undefined) {
    return { attemptsMs: [changedAtMs], step: () => ({ kind: 'recordNeverSent', transactionId }) };
  }
  const { acquirerReference } = request;
  const definitiveMs = definitiveFromMs(request, capabilities, schedule);
  // One inquiry at the instant from which "not found" is proof, whatever the schedule.
  const inquireAtMs = capabilities.canInquire
    ? [...instants(changedAtMs, schedule.inquireAfterMs), definitiveMs]
        .filter((atMs) => atMs > changedAtMs)
        .sort((left, right) => left - right)
    : [];
  const inquire = inquiry(transaction, request, capabilities, schedule);
  const original = sentRequest(transaction);
  const reversed =
    status === 'unknown' && capabilities.canReverse && REVERSED_WHEN_UNKNOWN.includes(operation);
  if (reversed) {
    const reverseFromMs = Math.max(changedAtMs + schedule.resolveByMs, definitiveMs);
    const earlier = inquireAtMs.filter((atMs) => atMs < reverseFromMs);
    const reversals = [reverseFromMs, ...instants(reverseFromMs, schedule.inquireAfterMs)];
    const inquireFirst = capabilities.canInquire;
    return {
      attemptsMs: [...earlier, ...reversals],
      step: (atMs, last) =>
        atMs >= reverseFromMs
          ? { kind: 'reverse', transactionId, acquirerReference, original, last, inquireFirst }
          : inquire(atMs, last),
    };
  }
  if (inquireAtMs.length > 0) return { attemptsMs: inquireAtMs, step: inquire };
  return { attemptsMs: [nowMs], step: () => ({ kind: 'openCase', transactionId }) };
}

/**
 * One more inquiry after an end that rests on the acquirer's word and not on our own knowledge
 * (D-27), or on a shopper's, who may go back to the acquirer's page and pay after all.
 */
function planLateInquiry(
  transaction: Transaction,
  capabilities: RecoveryCapabilities,
  schedule: RecoverySchedule,
): Plan | undefined {
  const { id: transactionId, status, request, notPerformedReason, lateAnswer } = transaction;
  const shopperMayPay = status === 'declined' && transaction.redirect !== undefined;
  const uncertainEnd =
    shopperMayPay || status === 'reversedAfterUnknown' || notPerformedReason === 'notFound';
  if (!uncertainEnd || !capabilities.canInquire) return undefined;
  if (request === undefined || lateAnswer !== undefined) return undefined;
  const { acquirerReference } = request;
  const fromMs = transaction.changedAtMs + schedule.lateInquiryAfterMs;
  const asked = { transactionId, acquirerReference, original: sentRequest(transaction) };
  return {
    attemptsMs: [fromMs, ...instants(fromMs, schedule.inquireAfterMs)],
    step: (_nowMs, last) => ({ kind: 'inquireLate', ...asked, last }),
  };
}

/**
 * The first look at it: a moment that is still to come when the approval is recorded. One that is over by then is
 * taken for an attempt that was made, and the next one would be seconds later.
 */
const UNDO_AFTER_MS = 500;

const ascending = (left: number, right: number): number => left - right;

/** A late approval is undone at once, and again until the acquirer confirms it. */
function planUndoing(
  transaction: Transaction,
  receivedAtMs: number,
  capabilities: RecoveryCapabilities,
  schedule: RecoverySchedule,
): Plan | undefined {
  const { id: transactionId, request, lateApproval, operation, metadata } = transaction;
  if (request === undefined) return undefined;
  const refund = lateApproval?.refund;
  if (refund !== undefined) {
    const { acquirerReference } = refund;
    const original = { ...sentRequest(transaction), operation: 'refund' } as const;
    const fromMs = definitiveFromMs(refund, capabilities, schedule);
    return {
      attemptsMs: [fromMs, ...instants(fromMs, schedule.inquireAfterMs)],
      step: (_nowMs, last) =>
        capabilities.canInquire
          ? { kind: 'inquireLateRefund', transactionId, acquirerReference, original, last }
          : { kind: 'openCase', transactionId },
    };
  }
  const { acquirerReference } = request;
  const original = sentRequest(transaction);
  const cutOffMs = capabilities.reversalCutOffMs(metadata.recordedAtMs);
  return {
    attemptsMs: instants(receivedAtMs, [
      0,
      ...[UNDO_AFTER_MS, ...schedule.inquireAfterMs].sort(ascending),
    ]),
    step: (nowMs, last) => {
      if (REFUNDABLE.includes(operation) && (nowMs >= cutOffMs || !capabilities.canReverse)) {
        return { kind: 'refundLateApproval', transactionId, acquirerReference, original, last };
      }
      return capabilities.canReverse
        ? { kind: 'undoLateApproval', transactionId, acquirerReference, original, last }
        : { kind: 'openCase', transactionId };
    },
  };
}

/** Whatever has a request has an amount, and is something that an acquirer is asked for. */
function sentRequest({ id, operation, amount, metadata }: Transaction): SentRequest {
  if (!isSent(operation) || amount === undefined)
    throw new Error(`Nothing of transaction ${id} was sent`);
  return { operation, amount, mode: metadata.mode };
}

function inquiry(
  transaction: Transaction,
  request: AcquirerRequest,
  capabilities: RecoveryCapabilities,
  schedule: RecoverySchedule,
): (nowMs: number, last: boolean) => Inquire {
  const definitiveMs = definitiveFromMs(request, capabilities, schedule);
  const original = sentRequest(transaction);
  return (nowMs, last) => ({
    kind: 'inquire',
    transactionId: transaction.id,
    acquirerReference: request.acquirerReference,
    original,
    last,
    notFoundIsDefinitive: nowMs >= definitiveMs,
  });
}

/**
 * The instant from which nothing that was sent can still arrive at the acquirer: the longest time
 * in flight, counted from the last instant at which a byte may have left. The process that sent it
 * has recorded that instant, by its own settings: its first byte left within the send window, and
 * after the call's time it gave the call up.
 */
function definitiveFromMs(
  { deadlineMs }: AcquirerRequest,
  { maxInFlightMs }: RecoveryCapabilities,
  { clockMarginMs }: RecoverySchedule,
): number {
  return deadlineMs + maxInFlightMs + clockMarginMs;
}

function instants(fromMs: number, offsetsMs: readonly number[]): number[] {
  return offsetsMs.map((offsetMs) => fromMs + offsetMs);
}

/** The acquirer reference of a transaction: its own id, unique and known before it is sent. */
export function acquirerReferenceOf(transactionId: TransactionId): string {
  return transactionId;
}

/**
 * The acquirer reference of a further attempt, from 2: no reference is sent twice, whoever is asked.
 */
export function attemptReferenceOf(transactionId: TransactionId, attempt: number): string {
  return `${transactionId}-${attempt}`;
}

/** The acquirer reference of the refund that undoes a late approval. */
export function lateRefundReferenceOf(transactionId: TransactionId): string {
  return `${transactionId}-late`;
}
