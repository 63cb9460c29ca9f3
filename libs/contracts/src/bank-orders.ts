import type { TransactionId } from '@sluice/identifiers';
import type { AmountMessage } from './messages.js';
import type { Mode } from './payments.js';

/** What a bank is told to do, and what only prepares or undoes it. */
export const bankOperations = [
  'authorization',
  'debit',
  'capture',
  'credit',
  'refund',
  'reversal',
] as const;

/** One of them. */
export type BankOperation = (typeof bankOperations)[number];

/** Whether a collection is the only one of its mandate, or one of several. */
export type BankSequence = 'OOFF' | 'RCUR';

/** By which a mandate is found and compared: keyed hashes of the vault, so that nobody reads it. */
export interface MandateMarks {
  /** Of its id alone. */
  readonly id: string;
  /** Of all that it says: its id, the day of its signature, account and holder. */
  readonly terms: string;
}

/**
 * Why nothing is collected by a mandate any more: it was for one collection, which was made; or another
 * account, holder or day of signature was collected from by it.
 */
export type MandateRefusal = 'mandateIsUsed' | 'mandateDiffers';

/** The query `sepa.placeOrder`; asked again, the same order is answered. */
export interface PlaceOrderQuery {
  /** Unique per order; in the file it is the `EndToEndId`, by which the bank speaks of it. */
  readonly reference: string;
  readonly operation: BankOperation;
  readonly amount: AmountMessage;
  readonly mode: Mode;
  /** By whose clock it is due (page 0078). Payments of an older version do not say it. */
  readonly entityId?: string;
  /** The name under which the installation knows whose account it is. */
  readonly creditor: string;
  /** Of an order that begins a payment: what the vault holds the shopper's account under. */
  readonly heldReference?: string;
  /** Of any other: the order that it refers to. */
  readonly originalReference?: string;
  /** The one that the request alone would have; what was collected by the mandate may change it. */
  readonly sequence?: BankSequence;
  /** Of an order that begins collections. Payments of an older version do not say it. */
  readonly mandate?: MandateMarks;
  /** The day on which it is due, `2026-12-01`; absent: as soon as the bank can. */
  readonly dueOn?: string;
}

/** The queries `sepa.order` and `sepa.cancelOrder`. */
export interface OrderQuery {
  readonly reference: string;
}

/** What has become of an order. */
export type OrderAnswer =
  | { readonly kind: 'approved'; readonly id: string }
  | {
      readonly kind: 'declined';
      readonly id: string;
      readonly resultCode: string;
      readonly reason?: MandateRefusal;
    }
  /** It was taken back before it was in a file: the bank never hears of it. */
  | { readonly kind: 'cancelled'; readonly id: string }
  /** Nothing was recorded, for this reason. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** There is no such order, and none is being placed. */
  | { readonly kind: 'notFound' }
  /** It is being placed just now, or is with the bank and cannot be taken back. */
  | { readonly kind: 'underWay' };

/** The query `payments.bankReturn`: the bank has taken a payment back. */
export interface BankReturnQuery {
  /** Of the chargeback that it becomes; the same one asks for the same chargeback. */
  readonly transactionId: TransactionId;
  /** The payment's transaction that was taken back. */
  readonly referencedId: TransactionId;
  readonly amount: AmountMessage;
  /** The reason, `000.100.2xx`. */
  readonly resultCode: string;
}

/** Who records the chargebacks that banks report: in the place of the node that owns a token. */
export const BANK_ACTOR = 'sepa';

/** What payments made of it. */
export type BankReturnAnswer =
  | { readonly kind: 'recorded' }
  /** It cannot be recorded, for the reason of this code. */
  | { readonly kind: 'refused'; readonly resultCode: string }
  /** There is no such transaction. */
  | { readonly kind: 'notFound' }
  /** Nothing was recorded: ask again. */
  | { readonly kind: 'again' };
