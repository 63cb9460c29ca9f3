import type { Connector, InquiryOutcome, ReversalOutcome } from '@sluice/connectors';
import type { Outcome, RecordFinding, RecoveryStep } from '@sluice/domain-payments';
import { codes } from '@sluice/result-codes';

/** What one step of recovery has found out; empty: look again later. */
export type Findings = readonly RecordFinding[];

type CallStep = Extract<RecoveryStep, { original: object }>;

/** Recovery acts for no user. */
const ACTOR = 'recovery';

/**
 * Performs a step and returns what to record. Inquiry and reversal use only the acquirer reference
 * (D-26). The refund of a late approval is not done here, because its request is recorded first.
 */
export async function findingsOf(
  step: RecoveryStep,
  connector: Connector | undefined,
  now: () => number,
): Promise<Findings> {
  switch (step.kind) {
    case 'recordNeverSent':
      return [outcome(step, { kind: 'notPerformed', reason: 'neverSent' }, now())];
    case 'recordUnknown':
      return [outcome(step, { kind: 'unknown', reason: 'noInquiry' }, now())];
    case 'openCase':
      return [openCase(step, now())];
    case 'inquire':
      return inquired(step, await inquire(connector, step), now());
    case 'reverse':
      return inquiredAndReversed(step, connector, now);
    case 'inquireLate':
      return inquiredLate(step, await inquire(connector, step), now());
    case 'undoLateApproval': {
      const answer = await reverse(connector, step);
      return answer.kind === 'reversed'
        ? [reversal(step, answer.connectorTxId, now())]
        : caseIfLast(step, now());
    }
    case 'inquireLateRefund':
      return inquiredLateRefund(step, await inquire(connector, step), now());
    // What is submitted, or asked of risk, the processor does itself.
    case 'inquireAuthentication':
    case 'refundLateApproval':
      return [];
  }
}

function inquired(
  step: Extract<RecoveryStep, { kind: 'inquire' }>,
  answer: InquiryOutcome,
  nowMs: number,
): Findings {
  switch (answer.kind) {
    case 'found': {
      const found = outcome(step, answer.outcome, nowMs);
      return answer.outcome.kind === 'pending' ? [found, ...caseIfLast(step, nowMs)] : [found];
    }
    case 'notFound':
      // Too early, it proves nothing: the request may still be under way (D-27).
      return step.notFoundIsDefinitive
        ? [outcome(step, { kind: 'notPerformed', reason: 'notFound' }, nowMs)]
        : [outcome(step, { kind: 'unknown', reason: 'notFoundYet' }, nowMs)];
    case 'unavailable':
      return [
        outcome(step, { kind: 'unknown', reason: 'inquiryUnavailable' }, nowMs),
        ...caseIfLast(step, nowMs),
      ];
  }
}

/**
 * Inquires first, because the process may have been down and nobody may have inquired yet; only
 * what the inquiry cannot answer is reversed (D-27). If it was already reversed and that answer was
 * lost, it is reversed once more: that changes nothing, and only the answer names the transaction.
 */
async function inquiredAndReversed(
  step: Extract<RecoveryStep, { kind: 'reverse' }>,
  connector: Connector | undefined,
  now: () => number,
): Promise<Findings> {
  if (step.inquireFirst) {
    const answer = await inquire(connector, step);
    if (answer.kind !== 'unavailable' && !isUndone(answer)) {
      // A pending answer begins a schedule of its own, so this is never the last attempt.
      const inquiry = {
        ...step,
        kind: 'inquire',
        last: false,
        notFoundIsDefinitive: true,
      } as const;
      return inquired(inquiry, answer, now());
    }
  }
  return reversed(step, await reverse(connector, step), now());
}

function isUndone(answer: InquiryOutcome): boolean {
  if (answer.kind !== 'found' || answer.outcome.kind !== 'declined') return false;
  return answer.outcome.resultCode === codes.timeoutReversed;
}

function reversed(step: CallStep, answer: ReversalOutcome, nowMs: number): Findings {
  switch (answer.kind) {
    case 'reversed':
      return [reversal(step, answer.connectorTxId, nowMs)];
    case 'notFound':
      return [outcome(step, { kind: 'notPerformed', reason: 'notFound' }, nowMs)];
    case 'unavailable':
      return caseIfLast(step, nowMs);
  }
}

function inquiredLate(step: CallStep, answer: InquiryOutcome, nowMs: number): Findings {
  const { transactionId } = step;
  if (
    answer.kind === 'notFound' ||
    (answer.kind === 'found' && answer.outcome.kind === 'declined')
  ) {
    const word = answer.kind === 'notFound' ? 'notFound' : 'declined';
    return [{ type: 'RecordLateAnswer', transactionId, nowMs, actor: ACTOR, answer: word }];
  }
  if (answer.kind === 'found' && answer.outcome.kind === 'approved') {
    return [outcome(step, answer.outcome, nowMs)];
  }
  return caseIfLast(step, nowMs);
}

function inquiredLateRefund(step: CallStep, answer: InquiryOutcome, nowMs: number): Findings {
  if (answer.kind === 'found' && answer.outcome.kind === 'approved') {
    return [lateRefund(step, answer.outcome.connectorTxId, nowMs)];
  }
  const refused = answer.kind === 'found' && answer.outcome.kind === 'declined';
  // Never sent again under another reference: a person decides (D-26).
  const isRefused = refused || answer.kind === 'notFound';
  return isRefused ? [openCase(attemptOf(step), nowMs)] : caseIfLast(step, nowMs);
}

async function inquire(
  connector: Connector | undefined,
  { acquirerReference, original }: CallStep,
): Promise<InquiryOutcome> {
  if (connector === undefined) return { kind: 'unavailable' };
  try {
    return await connector.inquire(acquirerReference, { ...callOptions(connector), original });
  } catch {
    // Connectors answer with values; a defect in one counts as no answer.
    return { kind: 'unavailable' };
  }
}

async function reverse(
  connector: Connector | undefined,
  { acquirerReference, original }: CallStep,
): Promise<ReversalOutcome> {
  if (connector === undefined) return { kind: 'unavailable' };
  try {
    return await connector.reverse(acquirerReference, { ...callOptions(connector), original });
  } catch {
    return { kind: 'unavailable' };
  }
}

function callOptions({ capabilities }: Connector) {
  return { timeoutMs: capabilities.callTimeoutMs };
}

type Subject = Pick<RecoveryStep, 'transactionId'>;

/** A transaction, and which of its attempts was asked about. */
type Attempt = Subject & Partial<Pick<CallStep, 'acquirerReference'>>;

function outcome(
  { transactionId, acquirerReference }: Attempt,
  found: Outcome,
  nowMs: number,
): RecordFinding {
  const about = { transactionId, acquirerReference, nowMs, actor: ACTOR };
  return { type: 'RecordOutcome', ...about, outcome: found };
}

function reversal(
  { transactionId, acquirerReference }: Attempt,
  connectorTxId: string,
  nowMs: number,
): RecordFinding {
  const about = { transactionId, acquirerReference, nowMs, actor: ACTOR };
  return { type: 'RecordReversal', ...about, connectorTxId };
}

/** The refund that undid a late approval. */
export function lateRefund(
  { transactionId }: Subject,
  connectorTxId: string,
  nowMs: number,
): RecordFinding {
  return { type: 'RecordLateApprovalRefund', transactionId, nowMs, actor: ACTOR, connectorTxId };
}

/** Nothing is left to try. */
export function openCase(
  { transactionId, acquirerReference }: Attempt,
  nowMs: number,
): RecordFinding {
  return { type: 'OpenCase', transactionId, acquirerReference, nowMs, actor: ACTOR };
}

function caseIfLast(step: CallStep, nowMs: number): Findings {
  return step.last ? [openCase(attemptOf(step), nowMs)] : [];
}

/** The refund of a late approval has a reference of its own: it is of no attempt. */
function attemptOf({ kind, transactionId, acquirerReference }: CallStep): Attempt {
  return kind === 'inquireLateRefund' ? { transactionId } : { transactionId, acquirerReference };
}
