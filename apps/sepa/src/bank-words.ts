import {
  type BankFile,
  type PlainMovement,
  plainMovementsIn,
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
  /** Booked, and not called a return; `isDebit`: we were debited. */
  | { readonly kind: 'booked'; readonly isDebit: boolean }
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
  if (word.kind === 'booked') return meaningOfBooking(order, word);
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

/** As it was asked for, it means nothing; the other way, the money is gone and nobody says why. */
function meaningOfBooking(
  order: SentOrder | undefined,
  { isDebit }: Extract<BankWord, { readonly kind: 'booked' }>,
): Meaning {
  if (order?.isDebit !== isDebit) return { kind: 'nothing' };
  return order.state === 'rejected' || order.state === 'returned'
    ? { kind: 'nothing' }
    : { kind: 'case', what: 'unexplained' };
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

/** What it says was booked and does not call a return, by our reference. */
export function bookingsIn(
  file: Exclude<ReadFile, StatusFile>,
): readonly { readonly reference: string; readonly word: BankWord }[] {
  return file.reports
    .flatMap(plainMovementsIn)
    .map(({ endToEndId: reference, method }: PlainMovement) => ({
      reference,
      word: { kind: 'booked', isDebit: method === 'directDebit' },
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

/**
 * Whether a status report refuses orders because the bank has had them before. It is so where the file
 * was brought twice; where it was not, the bank has mistaken it for another one and performs nothing.
 */
export function isRepetitionIn({ report }: StatusFile, orders: readonly FiledReference[]): boolean {
  const statusOf = statusesIn(report);
  const { originalMessageId: messageId } = report;
  return orders.some(
    ({ reference, batch }) =>
      statusOf({ messageId, batchId: batch, endToEndId: reference }).kind === 'repeated',
  );
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
