import type { Amount } from '@sluice/money';
import type { ResultCode } from '@sluice/result-codes';
import type { AccountReport, Entry, EntryTransaction } from './account-report.js';
import { present } from './file-element.js';
import { resultCodeOf } from './reason-codes.js';
import type { Reason } from './status-report.js';

/** A payment whose money went back: a collection that was debited again, or a transfer that returned. */
export interface ReturnedPayment {
  /** Ours, by which the payment is found; some banks leave it out, and then a person has to. */
  readonly endToEndId?: string;
  readonly batchId?: string;
  readonly mandateId?: string;
  /** `directDebit`: we were debited. `creditTransfer`: we were credited. */
  readonly method: 'directDebit' | 'creditTransfer';
  /** What was once paid: as it was asked for where the bank says so, else what was booked. */
  readonly amount?: Amount;
  /** What was booked, with charges that the bank has added. */
  readonly bookedAmount?: Amount;
  readonly bookedOn?: string;
  /** The bank's own name for it: the same return is in a notification and in a statement. */
  readonly bankReference?: string;
  readonly reason: Reason;
  /** The reason of the chargeback. */
  readonly resultCode: ResultCode;
}

/**
 * What a statement or notification says has come back. Only what is booked counts, and a copy as well:
 * what it repeats may never have arrived. A return is told by its reason's element, which a bank fills
 * for nothing else.
 */
export function returnedPaymentsIn(report: AccountReport): readonly ReturnedPayment[] {
  return report.entries
    .filter(({ status }) => status === 'booked')
    .flatMap((entry) =>
      entry.transactions.flatMap((transaction) => returnedPayment(entry, transaction) ?? []),
    );
}

/** A booked movement that names one of ours, and that the bank does not call a return. */
export interface PlainMovement {
  readonly endToEndId: string;
  readonly method: ReturnedPayment['method'];
}

/**
 * What was booked without a reason of a return, by `method` as if it was one: a bank need not give that
 * element, and then the direction alone tells that money of ours went back.
 */
export function plainMovementsIn(report: AccountReport): readonly PlainMovement[] {
  return report.entries
    .filter(({ status }) => status === 'booked')
    .flatMap(({ transactions }) =>
      transactions.flatMap(({ endToEndId, direction, returned }) =>
        endToEndId === undefined || returned !== undefined
          ? []
          : [{ endToEndId, method: methodOf(direction) }],
      ),
    );
}

function methodOf(direction: EntryTransaction['direction']): ReturnedPayment['method'] {
  return direction === 'debit' ? 'directDebit' : 'creditTransfer';
}

function returnedPayment(entry: Entry, transaction: EntryTransaction): ReturnedPayment | undefined {
  const { amount, batchId, endToEndId, mandateId, returned } = transaction;
  if (returned === undefined) return undefined;
  return {
    ...present({
      endToEndId,
      batchId,
      mandateId,
      amount: transaction.instructedAmount ?? amount,
      bookedAmount: amount,
      bookedOn: entry.bookedOn,
      bankReference: transaction.bankReference ?? entry.bankReference,
    }),
    method: methodOf(transaction.direction),
    reason: returned,
    resultCode: resultCodeOf(returned.code, 'returned'),
  };
}
