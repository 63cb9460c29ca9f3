import { amountOf, CURRENCY } from './amounts.js';
import type { Answer } from './gateway.js';
import type { Print } from './prints.js';

/** So many of one print. */
export interface Line {
  readonly print: Print;
  readonly quantity: number;
}

/** The form in which an order is paid. */
export interface Checkout {
  readonly id: string;
  /** The hash of its script. */
  readonly integrity: string;
}

/** What a shopper has asked for; the basket may change, this does not. */
export interface Order {
  /** The merchantTransactionId of its payments: each order has its own. */
  readonly id: string;
  readonly lines: readonly Line[];
  readonly totalCents: number;
  /** Who it is for, by the names of the interface. */
  readonly details: Readonly<Record<string, string>>;
  /** Whether the card is kept that is typed for it. */
  readonly keepsCard: boolean;
  readonly checkout: Checkout;
  outcome: Outcome;
}

/** An order before there is a form for it. */
export type NewOrder = Omit<Order, 'checkout' | 'outcome'>;

/** What has become of an order. */
export type Outcome =
  /** Nobody has paid yet. */
  | { readonly kind: 'open' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'approved'; readonly receipt: string; readonly registrationId?: string }
  | { readonly kind: 'declined'; readonly code: string };

/** The shop delivers at once, so it charges at once. */
export const PAYMENT_TYPE = 'DB';
const REVERSAL_TYPE = 'RV';
/** There is none: a card that was removed, a checkout that is over, or whose success was told. */
export const NOT_THERE = '200.300.404';
/** More than the two reads in a minute that are promised. */
export const READ_TOO_OFTEN = '800.120.100';
/** The published patterns of result codes; a few approvals want a person to look at them later. */
const APPROVED =
  /^(?:000\.000\.|000\.100\.1|000\.[36]|000\.400\.1[12]0|000\.400\.0[^3]|000\.400\.100)/;
const PENDING = /^(?:000\.200|800\.400\.5|100\.400\.500)/;

/** Whether a result code is that of a success. */
export function isApproved(code: string): boolean {
  return APPROVED.test(code);
}

/** What all of a basket or an order costs. */
export function totalCents(lines: readonly Line[]): number {
  return lines.reduce((sum, { print, quantity }) => sum + print.priceCents * quantity, 0);
}

/** What an answer means for an order. */
export function outcomeOf(order: Order, answer: Answer): Outcome {
  const { code } = answer.result;
  if (PENDING.test(code)) return { kind: 'pending' };
  if (!isApproved(code)) return { kind: 'declined', code };
  // An approval of something else pays for nothing here: a person has to look.
  if (!isOf(order, answer)) return { kind: 'pending' };
  const { id = '', shortId: receipt = id, registrationId } = answer;
  return { kind: 'approved', receipt, ...(registrationId !== undefined && { registrationId }) };
}

/**
 * What all that was paid for an order, and given back, means for it. Each try of the shopper is a payment,
 * and the newest decides: the gateway begins another one only where the one before was declined, or was
 * given up, and reverses what is approved of those.
 * @param transactions the newest payment first
 */
export function outcomeOfAll(order: Order, transactions: readonly Answer[]): Outcome {
  const payments = transactions.filter(({ paymentType }) => paymentType === PAYMENT_TYPE);
  const kept = payments.filter((payment) => !isReversed(payment, transactions));
  const [newest] = payments;
  const isKept = newest !== undefined && kept.includes(newest);
  const outcome = isKept ? outcomeOf(order, newest) : NO_PAYMENT;
  // What was given up is not paid, and its money is on the way back until the reversal is there.
  const isHeld = outcome.kind === 'declined' && kept.some(({ result }) => isApproved(result.code));
  return isHeld ? { kind: 'pending' } : outcome;
}

const NO_PAYMENT: Outcome = { kind: 'declined', code: NOT_THERE };

function isReversed({ id }: Answer, transactions: readonly Answer[]): boolean {
  return transactions.some(
    ({ paymentType, referencedId, result }) =>
      paymentType === REVERSAL_TYPE && referencedId === id && isApproved(result.code),
  );
}

function isOf(order: Order, answer: Answer): boolean {
  return (
    answer.merchantTransactionId === order.id &&
    answer.amount === amountOf(order.totalCents) &&
    answer.currency === CURRENCY
  );
}
