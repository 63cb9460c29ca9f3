import type { TransactionId } from '@sluice/identifiers';
import { isOpen } from './events.js';
import { initialTransaction, transactionsOf, type PaymentState } from './payment.js';
import type { Transaction, Transactions } from './transaction.js';
import { authorizing } from './transitions.js';

/** What happened to the money of one capture, debit, rebill or receipt, in minor units (D-31). */
export interface CaptureTotals {
  captured: bigint;
  reversed: bigint;
  reversalOpen: bigint;
  /** Reversals that the acquirer approved late and that are not undone yet. */
  reversalLate: bigint;
  refunded: bigint;
  /** Refunds whose outcome is open; they count as used. */
  refundOpen: bigint;
  /** Refunds that the acquirer approved late and that are not undone yet. */
  refundLate: bigint;
  /** Chargebacks less their reversals. */
  chargedBack: bigint;
  /** The part of `chargedBack` that a settlement file took beyond what was left. */
  chargedBackExcess: bigint;
  /** A refund with `sequence=FINAL` succeeded or is open. */
  refundsClosed: boolean;
}

/** The chain's one authorization: what PA, increments and reauthorizations reserve. */
export interface AuthorizationTotals {
  authorized: bigint;
  captured: bigint;
  captureOpen: bigint;
  captureLate: bigint;
  released: bigint;
  releaseOpen: bigint;
  releaseLate: bigint;
  /** Captures and receipts that succeeded or are open: what `numberOfCaptures` limits. */
  captures: number;
  /** Increments whose outcome is open. */
  increaseOpen: bigint;
  reauthorizationsOpen: number;
  /** A capture with `sequence=FINAL` succeeded or is open. */
  capturesClosed: boolean;
  /** A reversal with `sequence=FINAL` succeeded or is open. */
  releasesClosed: boolean;
}

/** All sums of a payment, made in one pass over its transactions. */
export interface Ledger {
  readonly authorization: AuthorizationTotals;
  readonly captures: ReadonlyMap<string, CaptureTotals>;
  /**
   * What each increment reserved, less what reversals of it release or may release, by its id.
   * Increments before a reauthorization are left out: all that they reserved became part of it.
   */
  readonly increments: ReadonlyMap<string, bigint>;
  /** How much of each chargeback was reversed, by the chargeback's id. */
  readonly chargebacksReversed: ReadonlyMap<string, bigint>;
}

/** The sums of a whole chain in minor units, as invariants and reports use them. */
export interface Totals {
  readonly authorized: bigint;
  readonly captured: bigint;
  readonly captureOpen: bigint;
  readonly reversed: bigint;
  readonly reversalOpen: bigint;
  readonly refunded: bigint;
  readonly refundOpen: bigint;
  readonly chargedBack: bigint;
}

interface LedgerInMaking {
  readonly authorization: AuthorizationTotals;
  readonly captures: Map<string, CaptureTotals>;
  readonly increments: Map<string, bigint>;
  readonly chargebacksReversed: Map<string, bigint>;
}

/** Sums up a payment; the sums are not stored, so they can never disagree with the events. */
export function ledgerOf(state: PaymentState): Ledger {
  const transactions = transactionsOf(state);
  const ledger: LedgerInMaking = {
    authorization: {
      authorized: 0n,
      captured: 0n,
      captureOpen: 0n,
      captureLate: 0n,
      released: 0n,
      releaseOpen: 0n,
      releaseLate: 0n,
      captures: 0,
      increaseOpen: 0n,
      reauthorizationsOpen: 0,
      capturesClosed: false,
      releasesClosed: false,
    },
    captures: new Map(),
    increments: new Map(),
    chargebacksReversed: new Map(),
  };
  for (const transaction of transactions.values()) add(ledger, transactions, transaction);
  return ledger;
}

function add(ledger: LedgerInMaking, transactions: Transactions, transaction: Transaction): void {
  const minor = transaction.amount?.minor ?? 0n;
  const approved = transaction.status === 'approved';
  const open = isOpen(transaction.status);
  switch (transaction.operation) {
    case 'authorization':
      if (approved) ledger.authorization.authorized += minor;
      return;
    case 'incrementalAuthorization':
      if (open) ledger.authorization.increaseOpen += minor;
      if (!approved) return;
      ledger.authorization.authorized += minor;
      ledger.increments.set(transaction.id, minor);
      return;
    case 'reauthorization':
      if (approved) {
        ledger.authorization.authorized += minor - (transaction.releases?.minor ?? 0n);
        ledger.increments.clear();
      }
      if (open) ledger.authorization.reauthorizationsOpen += 1;
      return;
    case 'debit':
    case 'rebill':
      if (approved) ledger.captures.set(transaction.id, newCapture(minor));
      return;
    case 'capture':
    case 'receipt':
      addCapture(ledger, transaction, minor);
      return;
    case 'reversal':
      addReversal(ledger, transactions, transaction, minor);
      return;
    case 'refund':
      addRefund(ledger, transaction, minor);
      return;
    case 'chargeback':
    case 'chargebackReversal':
      if (approved) addChargeback(ledger, transactions, transaction, minor);
      return;
    case 'credit':
    case 'authentication':
    case 'riskAssessment':
      return;
  }
}

function newCapture(captured: bigint): CaptureTotals {
  return {
    captured,
    reversed: 0n,
    reversalOpen: 0n,
    reversalLate: 0n,
    refunded: 0n,
    refundOpen: 0n,
    refundLate: 0n,
    chargedBack: 0n,
    chargedBackExcess: 0n,
    refundsClosed: false,
  };
}

function addCapture(ledger: LedgerInMaking, transaction: Transaction, minor: bigint): void {
  const { authorization } = ledger;
  if (isNotUndone(transaction)) authorization.captureLate += minor;
  if (transaction.status === 'approved') {
    authorization.captured += minor;
    ledger.captures.set(transaction.id, newCapture(minor));
  } else if (isOpen(transaction.status)) {
    authorization.captureOpen += minor;
  } else {
    return;
  }
  authorization.captures += 1;
  if (transaction.final) authorization.capturesClosed = true;
}

function addReversal(
  ledger: LedgerInMaking,
  transactions: Transactions,
  transaction: Transaction,
  minor: bigint,
): void {
  const approved = transaction.status === 'approved';
  const late = isNotUndone(transaction);
  if (!approved && !late && !isOpen(transaction.status)) return;
  const referenced = transactions.get(transaction.referencedId ?? '');
  if (referenced === undefined) return;
  if (authorizing.includes(referenced.operation)) {
    if (late) ledger.authorization.releaseLate += minor;
    else if (approved) ledger.authorization.released += minor;
    else ledger.authorization.releaseOpen += minor;
    const increment = ledger.increments.get(referenced.id);
    if (increment !== undefined) ledger.increments.set(referenced.id, increment - minor);
    if (transaction.final && !late) ledger.authorization.releasesClosed = true;
    return;
  }
  const capture = ledger.captures.get(referenced.id);
  if (capture === undefined) return;
  if (late) capture.reversalLate += minor;
  else if (approved) capture.reversed += minor;
  else capture.reversalOpen += minor;
}

function addRefund(ledger: LedgerInMaking, transaction: Transaction, minor: bigint): void {
  const capture = ledger.captures.get(transaction.referencedId ?? '');
  if (capture === undefined) return;
  if (isNotUndone(transaction)) capture.refundLate += minor;
  if (transaction.status === 'approved') capture.refunded += minor;
  else if (isOpen(transaction.status)) capture.refundOpen += minor;
  else return;
  if (transaction.final) capture.refundsClosed = true;
}

function addChargeback(
  ledger: LedgerInMaking,
  transactions: Transactions,
  transaction: Transaction,
  minor: bigint,
): void {
  const isReversal = transaction.operation === 'chargebackReversal';
  if (isReversal) {
    // Counted even if nothing was captured (yet): a settlement file may know of a chargeback first.
    const chargebackId = transaction.referencedId ?? '';
    const before = ledger.chargebacksReversed.get(chargebackId) ?? 0n;
    ledger.chargebacksReversed.set(chargebackId, before + minor);
  }
  const target = capturedTransactionOf(transactions, transaction);
  const capture = target && ledger.captures.get(target.id);
  if (capture === undefined) return;
  if (!isReversal) {
    capture.chargedBack += minor;
    capture.chargedBackExcess += transaction.excess?.minor ?? 0n;
    return;
  }
  capture.chargedBack -= minor;
  // What was given back first reduces the excess.
  capture.chargedBackExcess = max(0n, capture.chargedBackExcess - minor);
}

/** The money that a late approval moved and that has not been moved back yet. */
function isNotUndone(transaction: Transaction): boolean {
  return transaction.lateApproval !== undefined && transaction.lateApproval.undoneBy === undefined;
}

const CAPTURING = new Set<Transaction['operation']>(['capture', 'debit', 'rebill', 'receipt']);

/**
 * The capture, debit, rebill or receipt whose money a transaction is about: itself, or what it
 * refers to directly or through chargebacks.
 */
export function capturedTransactionOf(
  transactions: Transactions,
  transaction: Transaction,
): Transaction | undefined {
  let current: Transaction | undefined = transaction;
  while (current !== undefined && !CAPTURING.has(current.operation)) {
    current = transactions.get(current.referencedId ?? '');
  }
  return current;
}

/** What may still be captured or released of the chain's authorization, in minor units. */
export function authorizationRest(ledger: Ledger): bigint {
  const { authorized, captured, captureOpen, captureLate } = ledger.authorization;
  const { released, releaseOpen, releaseLate } = ledger.authorization;
  return authorized - captured - captureOpen - captureLate - released - releaseOpen - releaseLate;
}

/** What may still be refunded or charged back of one capture, in minor units (D-31). */
export function captureRest(capture: CaptureTotals): bigint {
  const { captured, refunded, refundOpen, refundLate, chargedBack } = capture;
  const reversed = capture.reversed + capture.reversalOpen + capture.reversalLate;
  return captured - reversed - refunded - refundOpen - refundLate - chargedBack;
}

/** What may still be refunded in the whole chain: an excess on one capture lowers the others. */
export function chainRest(ledger: Ledger): bigint {
  let rest = 0n;
  for (const capture of ledger.captures.values()) rest += captureRest(capture);
  return rest;
}

/** The sums of the chain, for reports, tests and the invariants. */
export function totals(state: PaymentState): Totals {
  const ledger = ledgerOf(state);
  const { authorization } = ledger;
  const sum = {
    authorized: authorization.authorized,
    captured: 0n,
    captureOpen: authorization.captureOpen,
    reversed: authorization.released,
    reversalOpen: authorization.releaseOpen,
    refunded: 0n,
    refundOpen: 0n,
    chargedBack: 0n,
  };
  for (const [id, capture] of ledger.captures) {
    const { operation } = transactionsOf(state).get(id) ?? initialTransaction(state);
    if (operation === 'debit' || operation === 'rebill') sum.authorized += capture.captured;
    sum.captured += capture.captured - capture.reversed;
    sum.reversed += capture.reversed;
    sum.reversalOpen += capture.reversalOpen;
    sum.refunded += capture.refunded;
    sum.refundOpen += capture.refundOpen;
    sum.chargedBack += capture.chargedBack;
  }
  return sum;
}

/**
 * The acquirer reference an operation has to name: of the authorization in force, or of the
 * referenced one itself.
 */
export function originalReference(
  state: PaymentState,
  referencedId: TransactionId,
): string | undefined {
  const transactions = transactionsOf(state);
  const referenced = transactions.get(referencedId);
  if (referenced === undefined) return undefined;
  if (!authorizing.includes(referenced.operation)) return referenced.request?.acquirerReference;
  let inForce = initialTransaction(state);
  for (const transaction of transactions.values()) {
    if (transaction.operation === 'reauthorization' && transaction.status === 'approved') {
      inForce = transaction;
    }
  }
  return inForce.request?.acquirerReference;
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
