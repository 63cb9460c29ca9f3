import type { ReferenceOperation } from '@sluice/contracts';
import { type Amount, isOnWire } from '@sluice/money';
import { codes } from '@sluice/result-codes';
import type { ReferToTransaction } from './commands.js';
import { isOpen } from './events.js';
import { findTransaction, initialTransaction, type PaymentState } from './payment.js';
import { agreementOf, countedAuthorizations } from './agreements.js';
import { isUnderReview } from './before-authorization.js';
import {
  type BrokenTerm,
  brokenTerm,
  brokenTermRefusal,
  termsIn,
} from './standing-instruction-terms.js';
import {
  authorizationRest,
  capturedTransactionOf,
  captureRest,
  chainRest,
  ledgerOf,
  type CaptureTotals,
  type Ledger,
} from './totals.js';
import type { Transaction } from './transaction.js';
import { authorizing, notSuccessfulCode, transitions } from './transitions.js';

/** The verdict of the rules on a reference: refused with a code, or allowed for this amount. */
export type Ruling =
  | {
      readonly kind: 'refused';
      readonly resultCode: string;
      /** What is recorded beside the code, where its own text does not say enough. */
      readonly resultDescription?: string;
    }
  | { readonly kind: 'allowed'; readonly amount: Amount; readonly releases?: Amount };

/** A payment and one reference to it: the input of every amount rule. */
export interface ReferenceCase {
  readonly command: ReferToTransaction;
  readonly state: PaymentState;
  readonly ledger: Ledger;
  readonly referenced: Transaction;
}

/** They take or reserve money. */
const TAKING: readonly ReferenceOperation[] = [
  ...(['capture', 'receipt', 'rebill', 'incrementalAuthorization', 'reauthorization'] as const),
];

/** Refused with this code. */
export function refused(resultCode: string): Ruling {
  return { kind: 'refused', resultCode };
}

/**
 * The checks that are the same for every reference, in the order of D-29; `undefined` when none
 * objects and only the amount remains to be looked at.
 */
export function refusalBeforeAmount(
  operation: ReferenceOperation,
  { command, state, ledger, referenced }: ReferenceCase,
): Ruling | undefined {
  if (command.rejection !== undefined) return refused(command.rejection);
  if ('manualChargebacks' in command && !command.manualChargebacks) {
    return refused(codes.manualChargebackNotAllowed);
  }
  if (isOpen(referenced.status)) return refused(codes.referencePending);
  const transition = transitions[operation][referenced.operation];
  if (transition !== 'allowed') return refused(transition.refused);
  if (referenced.status !== 'approved') return refused(notSuccessfulCode(operation));
  const first = initialTransaction(state);
  const currency = command.amount?.currency ?? command.currency;
  if (currency !== undefined && currency !== first.amount?.currency) {
    return refused(codes.currencyDiffers);
  }
  if (command.metadata.mode !== first.metadata.mode) return refused(codes.modeDiffers);
  // Until somebody has looked at it, money is only given back.
  if (TAKING.includes(operation) && isUnderReview(first)) return refused(codes.referencePending);
  if (TAKING.includes(operation) && first.review === 'rejected') {
    return refused(notSuccessfulCode(operation));
  }
  return undoingRefusal(operation, { command, state, ledger, referenced });
}

/** Refunds and reversals end with a chargeback, reversals with the cut-off (D-29, D-30). */
function undoingRefusal(
  operation: ReferenceOperation,
  { command, ledger, referenced }: ReferenceCase,
): Ruling | undefined {
  if (operation !== 'refund' && operation !== 'reversal') return undefined;
  const capture = ledger.captures.get(referenced.id);
  if (capture === undefined) return undefined;
  if (capture.chargedBack > 0n) return refused(codes.chargedBack);
  const cutOffMs = command.rules.reversalCutOffMs(referenced.metadata.recordedAtMs);
  if (operation === 'reversal' && command.metadata.recordedAtMs >= cutOffMs) {
    return refused(codes.tooLateToReverse);
  }
  return undefined;
}

/** Amount, FINAL and numberOfCaptures of a capture or receipt. */
export function ruleCapture({ command, state, ledger }: ReferenceCase): Ruling {
  const { authorization } = ledger;
  if (authorization.reauthorizationsOpen > 0) return refused(codes.referencePending);
  const amount = amountOf(command);
  const limit = initialTransaction(state).numberOfCaptures;
  const tooMany = limit !== undefined && authorization.captures >= limit;
  if (authorization.capturesClosed || tooMany || amount.minor > authorizationRest(ledger)) {
    return refused(codes.captureImpossible);
  }
  return allowedIfPositive(amount, codes.captureImpossible);
}

/** A reversal releases what is open of an authorization, or undoes a whole capture (D-30). */
export function ruleReversal(reference: ReferenceCase): Ruling {
  return authorizing.includes(reference.referenced.operation)
    ? ruleRelease(reference)
    : ruleUndoingCapture(reference);
}

function ruleRelease(reference: ReferenceCase): Ruling {
  const { command, state, ledger } = reference;
  const { authorization } = ledger;
  // The outcome of any of these would change what can be released (R-UNK-02).
  if (
    authorization.captureOpen > 0n ||
    authorization.increaseOpen > 0n ||
    authorization.reauthorizationsOpen > 0
  ) {
    return refused(codes.referencePending);
  }
  const rest = authorizationRest(ledger);
  const open = openOf(reference, rest);
  if (authorization.releasesClosed) return refused(codes.reversalImpossible);
  const amount = command.amount ?? { minor: open, currency: currencyOf(state) };
  if (amount.minor > open) return refused(codes.reversalImpossible);
  if (amount.minor < rest && !command.rules.partialReversal) {
    return refused(codes.reversalImpossible);
  }
  return allowedIfPositive(amount, codes.reversalImpossible);
}

/**
 * What a reversal of the referenced transaction may release. By an increment's id that is what is
 * left of this increment; by any other it is all that is open of the authorization.
 */
function openOf({ ledger, referenced }: ReferenceCase, rest: bigint): bigint {
  if (referenced.operation !== 'incrementalAuthorization') return rest;
  const ofIncrement = ledger.increments.get(referenced.id) ?? 0n;
  return ofIncrement < rest ? ofIncrement : rest;
}

function ruleUndoingCapture({ command, state, ledger, referenced }: ReferenceCase): Ruling {
  const capture = captureTotals(ledger, referenced);
  const whole: Amount = { minor: capture.captured, currency: currencyOf(state) };
  if (captureRest(capture) !== whole.minor) return refused(codes.reversalImpossible);
  if (command.amount !== undefined && command.amount.minor !== whole.minor) {
    return refused(codes.reversalImpossible);
  }
  return { kind: 'allowed', amount: whole };
}

/** A refund is checked against its own transaction and against the chain (D-31). */
export function ruleRefund({ command, ledger, referenced }: ReferenceCase): Ruling {
  const capture = captureTotals(ledger, referenced);
  const amount = amountOf(command);
  if (
    capture.refundsClosed ||
    amount.minor > captureRest(capture) ||
    amount.minor > chainRest(ledger)
  ) {
    return refused(codes.refundImpossible);
  }
  return allowedIfPositive(amount, codes.refundImpossible);
}

/**
 * A rebill is a new charge: its amount adds to authorized and captured (D-31), and what the first
 * payment agreed binds it (page 0049).
 */
export function ruleRebill({ command, state }: ReferenceCase): Ruling {
  const broken = termBrokenByRebill(command, state);
  if (broken !== undefined) return { kind: 'refused', ...brokenTermRefusal(broken) };
  return allowedIfPositive(amountOf(command), codes.referenceHasWrongType);
}

/** Counted is what this payment has authorized, and what other payments of the agreement have. */
function termBrokenByRebill(
  { agreement: marked, metadata }: ReferToTransaction,
  state: PaymentState,
): BrokenTerm | undefined {
  const agreement = agreementOf(state);
  if (agreement === undefined) return undefined;
  const own = countedAuthorizations(state);
  const authorizedAtMs = new Map([
    ...(marked?.authorizedAtMs ?? []),
    ...own.map(({ id, metadata: { recordedAtMs } }) => [id as string, recordedAtMs] as const),
  ]);
  const counted = [...authorizedAtMs.values()];
  return brokenTerm(termsIn(agreement.terms), counted, metadata.recordedAtMs);
}

/**
 * What an issuer took: a merchant may not report more than is left, a settlement file may (D-31).
 */
export function ruleChargeback({ command, state, ledger, referenced }: ReferenceCase): Ruling {
  const amount = amountOf(command);
  const rest = chargebackRest(state, ledger, referenced);
  const target = capturedTransaction(state, referenced);
  const alreadyOpen = (target && ledger.captures.get(target.id)?.chargedBack) ?? 0n;
  if (alreadyOpen > 0n || amount.minor > rest) return refused(codes.chargebackImpossible);
  return allowedIfPositive(amount, codes.chargebackImpossible);
}

/** What a chargeback can take before it exceeds what is left, in minor units. */
export function chargebackRest(
  state: PaymentState,
  ledger: Ledger,
  referenced: Transaction,
): bigint {
  const target = capturedTransaction(state, referenced);
  const capture = target && ledger.captures.get(target.id);
  return capture === undefined ? 0n : captureRest(capture);
}

/** A chargeback is given back once, in parts at most up to its amount. */
export function ruleChargebackReversal({ command, ledger, referenced }: ReferenceCase): Ruling {
  const amount = amountOf(command);
  const reversed = ledger.chargebacksReversed.get(referenced.id) ?? 0n;
  if (amount.minor > (referenced.amount?.minor ?? 0n) - reversed) {
    return refused(codes.chargebackReversalImpossible);
  }
  return allowedIfPositive(amount, codes.chargebackReversalImpossible);
}

/** INCREMENTAL_AUTH adds to the authorization while it is open (D-33). */
export function ruleIncrement({ command, ledger }: ReferenceCase): Ruling {
  if (!command.rules.incrementalAuthorization) return refused(codes.functionNotAvailable);
  const { authorization } = ledger;
  if (authorization.reauthorizationsOpen > 0 || authorization.releaseOpen > 0n) {
    return refused(codes.referencePending);
  }
  if (isEnded(ledger)) return refused(codes.alreadyReversed);
  const amount = amountOf(command);
  const minor = authorization.authorized + authorization.increaseOpen + amount.minor;
  // A reversal answers the sum, which has ten digits before its point like any amount (2.3).
  if (!isOnWire({ ...amount, minor })) return refused(codes.amountTooLarge);
  return allowedIfPositive(amount, codes.alreadyReversed);
}

/**
 * REAUTHORIZATION gives the open remainder back and reserves a new one (D-33). Nothing that uses
 * the remainder may be open at that time, so what it releases is fixed when it is requested.
 */
export function ruleReauthorization({ command, state, ledger }: ReferenceCase): Ruling {
  if (!command.rules.reauthorization) return refused(codes.functionNotAvailable);
  const { authorization } = ledger;
  if (
    authorization.captureOpen > 0n ||
    authorization.releaseOpen > 0n ||
    authorization.increaseOpen > 0n ||
    authorization.reauthorizationsOpen > 0
  ) {
    return refused(codes.referencePending);
  }
  if (isEnded(ledger)) return refused(codes.alreadyReversed);
  const amount = amountOf(command);
  if (amount.minor <= 0n) return refused(codes.alreadyReversed);
  const rest = authorizationRest(ledger);
  const releases = { minor: rest > 0n ? rest : 0n, currency: currencyOf(state) };
  return { kind: 'allowed', amount, releases };
}

/** An authorization is over once it was closed by FINAL or released completely. */
function isEnded(ledger: Ledger): boolean {
  const { capturesClosed, released } = ledger.authorization;
  return capturesClosed || (released > 0n && authorizationRest(ledger) <= 0n);
}

function allowedIfPositive(amount: Amount, otherwise: string): Ruling {
  return amount.minor > 0n ? { kind: 'allowed', amount } : refused(otherwise);
}

/**
 * The catalogue checks that it is present (D-30); a command without it comes from a broken program.
 */
function amountOf(command: ReferToTransaction): Amount {
  if (command.amount === undefined) throw new Error(`${command.type} came without an amount`);
  return command.amount;
}

function currencyOf(state: PaymentState): Amount['currency'] {
  const { amount } = initialTransaction(state);
  if (amount === undefined) throw new Error('A payment that moved money has an amount');
  return amount.currency;
}

function capturedTransaction(
  state: PaymentState,
  transaction: Transaction,
): Transaction | undefined {
  return state.kind === 'none' ? undefined : capturedTransactionOf(state.transactions, transaction);
}

function captureTotals(ledger: Ledger, transaction: Transaction): CaptureTotals {
  const capture = ledger.captures.get(transaction.id);
  if (capture === undefined) throw new Error(`${transaction.id} captured nothing`);
  return capture;
}

/**
 * The transaction that a command refers to. Throws if there is none: that was answered with 404
 * before (D-29).
 */
export function referencedTransaction(
  command: ReferToTransaction,
  state: PaymentState,
): ReferenceCase {
  const referenced = findTransaction(state, command.referencedId);
  if (referenced === undefined) throw new Error(`No transaction ${command.referencedId} here`);
  return { command, state, ledger: ledgerOf(state), referenced };
}
