import type { ResultCode } from '@sluice/result-codes';
import { resultCodeOf } from './reason-codes.js';
import type { Reason, StatusReport, TransactionStatus } from './status-report.js';

/** Which of our transactions is asked about: the three identifiers that its file has of it. */
export interface SentTransaction {
  readonly messageId: string;
  readonly batchId: string;
  readonly endToEndId: string;
}

/** What a report says of one transaction that was sent. */
export type PaymentStatus =
  /** It will be performed, or is; a return may still follow. */
  | { readonly kind: 'accepted' | 'settled' }
  /** It was received, and nothing is decided. */
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'rejected';
      readonly resultCode: ResultCode;
      /** The bank's own reason, for support. */
      readonly reason?: Reason;
    }
  /** Withdrawn, as we have asked for. */
  | { readonly kind: 'cancelled' }
  /**
   * The bank has had it before and takes it once: what counts is what it says, or has said, of the
   * first one. Calling this a decline would lose a payment that is performed.
   */
  | { readonly kind: 'repeated' }
  /** Nothing about this one, or in a status that is not known: another report will. */
  | { readonly kind: 'unsaid' };

type Meaning = 'accepted' | 'settled' | 'pending' | 'rejected' | 'cancelled';

/** ISO's statuses (External Code Sets, payment status) that say something of every transaction. */
const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['ACTC', 'accepted'], // Its form is right.
  ['ACCP', 'accepted'], // The customer too.
  ['ACFC', 'accepted'], // And the funds.
  ['ACSP', 'accepted'], // In settlement.
  ['ACWC', 'accepted'], // With a change, as of the day.
  ['ACWP', 'accepted'], // And not yet posted.
  ['ACSC', 'settled'], // On the debtor's side.
  ['ACCC', 'settled'], // On the creditor's side.
  ['RCVD', 'pending'],
  ['PDNG', 'pending'],
  ['PATC', 'pending'], // Signatures are missing.
  ['RJCT', 'rejected'],
  ['CANC', 'cancelled'],
]);
/** Some of it so, some so: its parts say more of themselves, or nobody does. */
const PARTLY = 'PART';
/** By which a bank refuses what it has had before. */
const REPETITIONS: readonly string[] = ['DU01', 'DU02', 'DU03', 'DU04', 'DU05'];
/** Of a whole file or batch these too; of one transaction they are the debtor's bank's. */
const REPETITIONS_OF_MANY: readonly string[] = [...REPETITIONS, 'AM05', 'DUPL'];

interface Said {
  readonly status?: string;
  readonly reasons: readonly Reason[];
}

/**
 * Answers what a report says of each transaction, by the nearest that says anything: the
 * transaction itself, else its batch, else the file.
 */
export function statusesIn(report: StatusReport): (sent: SentTransaction) => PaymentStatus {
  const batches = new Map(report.batches.map((batch) => [batch.originalBatchId, batch]));
  const transactions = new Map(
    report.batches.flatMap(({ originalBatchId, transactions: some }) =>
      some.map((transaction) => [keyOf(originalBatchId, transaction), transaction] as const),
    ),
  );
  return ({ messageId, batchId, endToEndId }) => {
    if (messageId !== report.originalMessageId) return { kind: 'unsaid' };
    const transaction = transactions.get(keyOf(batchId, { originalEndToEndId: endToEndId }));
    const batch = batches.get(batchId);
    const nearest = [transaction, batch, report].find((said) => saysSomething(said));
    if (nearest === undefined) return { kind: 'unsaid' };
    return statusOf(nearest, nearest === transaction ? REPETITIONS : REPETITIONS_OF_MANY);
  };
}

function saysSomething(said: Said | undefined): said is Said & { readonly status: string } {
  return said?.status !== undefined && said.status !== PARTLY;
}

function statusOf(
  { status, reasons }: Said & { readonly status: string },
  repetitions: readonly string[],
): PaymentStatus {
  const kind = meanings.get(status) ?? 'unsaid';
  if (kind !== 'rejected') return { kind };
  if (reasons.some(({ code }) => code !== undefined && repetitions.includes(code))) {
    return { kind: 'repeated' };
  }
  const [reason] = reasons;
  const resultCode = resultCodeOf(reason?.code, 'rejected');
  return { kind, resultCode, ...(reason !== undefined && { reason }) };
}

/** No identifier has a line break. */
function keyOf(
  batchId: string,
  { originalEndToEndId = '' }: Pick<TransactionStatus, 'originalEndToEndId'>,
): string {
  return `${batchId}\n${originalEndToEndId}`;
}
