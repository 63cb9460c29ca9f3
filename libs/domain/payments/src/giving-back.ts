import { type Amount } from '@sluice/money';
import type { TransactionId } from '@sluice/identifiers';
import { isOpen } from './events.js';
import { findTransaction, type PaymentState } from './payment.js';
import { authorizationRest, captureRest, ledgerOf, type Ledger } from './totals.js';
import type { Transaction } from './transaction.js';
import { authorizing } from './transitions.js';

/** What is to be done so that a shopper has the money of a rejected payment again. */
export type GivingBack =
  /** Nothing is left of it: it was given back, taken back, or never taken. */
  | { readonly kind: 'done' }
  /** The outcome of something is open, or it is too soon to try again. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'reverse'; readonly transactionId: TransactionId }
  | { readonly kind: 'refund'; readonly transactionId: TransactionId; readonly amount: Amount }
  /** Nothing is left to try: a person has to see to it. */
  | { readonly kind: 'giveUp'; readonly amount: Amount };

const MINUTE_MS = 60_000;

/**
 * How long after a try that nobody performed, because no connection came about, say, the next one is made. Each
 * further one is longer, so an acquirer that is away for half a day is not given up.
 */
export const TRY_AGAIN_AFTER_MS = [1, 5, 30, 2 * 60, 12 * 60].map((each) => each * MINUTE_MS);

/** What is left of a transaction: in what is reserved, or in what was taken. */
interface Rest {
  readonly minor: bigint;
  /** Something that is under way will change it. */
  readonly isMoving: boolean;
  /** A part of what was taken has gone another way, so it cannot be reversed as a whole. */
  readonly isBroken: boolean;
}

/**
 * The next step to give back what a payment has taken, after somebody has rejected it: a reversal where that is
 * possible, else a refund of what is left. Pure: of the transactions that `tryIds` name, the ones that are there
 * were tried, and the first one that is not is the next.
 */
export function givingBack(
  state: PaymentState,
  {
    transactionId,
    tryIds,
    nowMs,
  }: {
    readonly transactionId: TransactionId;
    readonly tryIds: readonly TransactionId[];
    readonly nowMs: number;
  },
): GivingBack {
  const given = findTransaction(state, transactionId);
  if (given?.amount === undefined || given.status !== 'approved') return { kind: 'done' };
  const { amount, operation } = given;
  const rest = restOf(given, ledgerOf(state));
  // The shopper was paid; nothing of that can be called back.
  if (rest === undefined) return { kind: 'giveUp', amount };
  const tries = tryIds.flatMap((id) => findTransaction(state, id) ?? []);
  if (rest.isMoving || tries.some(({ status }) => isOpen(status))) return { kind: 'wait' };
  if (rest.minor <= 0n) return { kind: 'done' };
  const left = { ...amount, minor: rest.minor };
  const refusals = tries.filter(({ status }) => status === 'rejected' || status === 'declined');
  const isRefundable = !authorizing.includes(operation);
  const isLastRefused = refusals.some((each) => !isRefundable || each.operation === 'refund');
  const nextId = tryIds[tries.length];
  if (isLastRefused || nextId === undefined) return { kind: 'giveUp', amount: left };
  if (isTooSoon(tries.at(-1), tries.length, nowMs)) return { kind: 'wait' };
  const isToBeRefunded = isRefundable && (rest.isBroken || refusals.length > 0);
  return isToBeRefunded
    ? { kind: 'refund', transactionId: nextId, amount: left }
    : { kind: 'reverse', transactionId: nextId };
}

/** After a no there is another way to try at once; where nobody was asked, it is the same one again. */
function isTooSoon(last: Transaction | undefined, tried: number, nowMs: number): boolean {
  if (last === undefined || last.status === 'rejected' || last.status === 'declined') return false;
  return nowMs < last.changedAtMs + (TRY_AGAIN_AFTER_MS[tried - 1] ?? 0);
}

function restOf({ id, operation }: Transaction, ledger: Ledger): Rest | undefined {
  if (authorizing.includes(operation)) {
    const { authorization } = ledger;
    const { captureOpen, captureLate, releaseOpen, releaseLate, increaseOpen } = authorization;
    const moving = captureOpen + captureLate + releaseOpen + releaseLate + increaseOpen;
    const isMoving = moving > 0n || authorization.reauthorizationsOpen > 0;
    return { minor: authorizationRest(ledger), isMoving, isBroken: false };
  }
  const capture = ledger.captures.get(id);
  if (capture === undefined) return undefined;
  const { reversalOpen, reversalLate, refundOpen, refundLate, captured } = capture;
  const minor = captureRest(capture);
  const isMoving = reversalOpen + reversalLate + refundOpen + refundLate > 0n;
  return { minor, isMoving, isBroken: minor < captured };
}
