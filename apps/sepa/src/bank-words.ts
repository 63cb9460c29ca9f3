import {
  type BankFile,
  resultCodeOf,
  type ReturnedPayment,
  returnedPaymentsIn,
  statusesIn,
} from '@sluice/connectors';
import type { Amount } from '@sluice/money';
import type { ResultCode } from '@sluice/result-codes';
import type { CaseKind, OrderState } from './schema.js';

/*
 * What a bank's word about an order means for it. Pure: the order as it is, and what is said of it.
 */

/** An order that is with the bank. */
export interface SentOrder {
  readonly reference: string;
  readonly state: OrderState;
  /** Whether we get the money; else we pay it. */
  readonly isDebit: boolean;
  readonly amount: Amount;
}

/** What a file says of one order. */
export type BankWord =
  | { readonly kind: 'accepted' }
  | {
      readonly kind: 'rejected' | 'returned';
      /** The reason of the chargeback that it becomes. */
      readonly resultCode: ResultCode;
      /** Where the bank says one. */
      readonly amount?: Amount;
      /** Whether it was a collection; absent where the bank does not say. */
      readonly isDebit?: boolean;
    };

/** What follows from it. */
export type Meaning =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'moved'; readonly state: 'accepted' }
  /** The payment is charged back. */
  | {
      readonly kind: 'takenBack';
      readonly state: 'rejected' | 'returned';
      readonly resultCode: ResultCode;
    }
  /** A person looks; of a transfer that came back with its new state. */
  | { readonly kind: 'case'; readonly what: CaseKind; readonly state?: 'rejected' | 'returned' };

/** What a word of the bank means for an order, or for none. */
export function meaningOf(order: SentOrder | undefined, word: BankWord): Meaning {
  if (order === undefined) return { kind: 'case', what: 'unknownOrder' };
  const { state } = order;
  if (word.kind === 'accepted') {
    return state === 'inFile' ? { kind: 'moved', state: 'accepted' } : { kind: 'nothing' };
  }
  // The same is in the status report, in a notification and in the statement of the day.
  if (state === 'rejected' || state === 'returned') return { kind: 'nothing' };
  if (state !== 'inFile' && state !== 'accepted') return { kind: 'case', what: 'unexpected' };
  const { amount, isDebit, resultCode } = word;
  if (isDebit !== undefined && isDebit !== order.isDebit) {
    return { kind: 'case', what: 'unexpected' };
  }
  // A return without an amount is of nothing that could be charged back.
  const isOther = amount === undefined ? word.kind === 'returned' : !isSame(amount, order.amount);
  if (isOther) return { kind: 'case', what: 'differentAmount' };
  return order.isDebit
    ? { kind: 'takenBack', state: word.kind, resultCode }
    : { kind: 'case', what: 'creditReturned', state: word.kind };
}

function isSame(one: Amount, other: Amount): boolean {
  return one.minor === other.minor && one.currency === other.currency;
}

type ReadFile = Exclude<BankFile, { readonly kind: 'refused' }>;
type StatusFile = Extract<ReadFile, { readonly kind: 'statusReport' }>;

/** What a statement or notification says of payments that came back, by our reference. */
export function returnsIn(
  file: Exclude<ReadFile, StatusFile>,
): readonly { readonly reference: string | undefined; readonly word: BankWord }[] {
  return file.reports.flatMap(returnedPaymentsIn).map((returned: ReturnedPayment) => ({
    reference: returned.endToEndId,
    word: {
      ...{ kind: 'returned', resultCode: returned.resultCode },
      isDebit: returned.method === 'directDebit',
      ...(returned.amount !== undefined && { amount: returned.amount }),
    },
  }));
}

/** An order as the file for the bank has it. */
export interface FiledReference {
  readonly reference: string;
  readonly batch: string;
}

/** What a status report says of the orders of a file; those of which it says nothing are left out. */
export function statusWordsIn(
  { report }: StatusFile,
  orders: readonly FiledReference[],
): ReadonlyMap<string, BankWord> {
  const statusOf = statusesIn(report);
  const amounts = new Map(
    report.batches.flatMap(({ transactions }) =>
      transactions.map(({ originalEndToEndId, amount }) => [originalEndToEndId ?? '', amount]),
    ),
  ) as ReadonlyMap<string, Amount | undefined>;
  const words = new Map<string, BankWord>();
  for (const { reference, batch } of orders) {
    const sent = { messageId: report.originalMessageId, batchId: batch, endToEndId: reference };
    const status = statusOf(sent);
    const amount = amounts.get(reference);
    if (status.kind === 'accepted' || status.kind === 'settled') {
      words.set(reference, { kind: 'accepted' });
    } else if (status.kind === 'rejected' || status.kind === 'cancelled') {
      const reason = status.kind === 'rejected' ? status.reason?.code : undefined;
      const resultCode = resultCodeOf(reason, 'returned');
      words.set(reference, {
        ...{ kind: 'rejected', resultCode },
        ...(amount !== undefined && { amount }),
      });
    }
  }
  return words;
}

/** References that a status report names, and its file does not have. */
export function strangersIn(
  { report }: StatusFile,
  orders: readonly FiledReference[],
): readonly string[] {
  const known = new Set(orders.map(({ reference }) => reference));
  return report.batches.flatMap(({ transactions }) =>
    transactions.flatMap(({ originalEndToEndId }) =>
      originalEndToEndId === undefined || known.has(originalEndToEndId) ? [] : [originalEndToEndId],
    ),
  );
}
