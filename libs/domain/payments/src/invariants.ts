import { isOpen } from './events.js';
import { initialTransaction, transactionsOf, type PaymentState } from './payment.js';
import { ledgerOf, totals, type CaptureTotals, type Ledger } from './totals.js';
import type { Transaction } from './transaction.js';

/**
 * Every way in which a payment breaks the money rules of R-MON-01, as sentences; empty for a sound
 * one. It checks the state that was reached, while `decide` checks what may follow, so neither can
 * hide the other's mistake.
 */
export function invariantViolations(state: PaymentState): readonly string[] {
  if (state.kind === 'none') return [];
  const ledger = ledgerOf(state);
  return [
    ...amountViolations(state),
    ...authorizationViolations(ledger),
    ...chainViolations(state, ledger),
    ...[...ledger.captures].flatMap(([id, capture]) => captureViolations(id, capture)),
    ...captureCountViolations(state, ledger),
    ...finalViolations(state),
  ];
}

function amountViolations(state: PaymentState): string[] {
  const currency = initialTransaction(state).amount?.currency;
  const violations: string[] = [];
  for (const transaction of transactionsOf(state).values()) {
    if (transaction.status !== 'approved' && !isOpen(transaction.status)) continue;
    const { id, amount } = transaction;
    if (amount === undefined) violations.push(`${id} moves money without an amount`);
    else if (amount.minor <= 0n) violations.push(`${id} moves an amount that is not positive`);
    else if (amount.currency !== currency) violations.push(`${id} moves another currency`);
  }
  return violations;
}

function authorizationViolations(ledger: Ledger): string[] {
  const { authorized, captured, captureOpen, released, releaseOpen } = ledger.authorization;
  const used = captured + captureOpen + released + releaseOpen;
  return used > authorized ? [`captured and released ${used} exceed authorized ${authorized}`] : [];
}

function chainViolations(state: PaymentState, ledger: Ledger): string[] {
  const sum = totals(state);
  const violations: string[] = [];
  if (sum.captured + sum.captureOpen > sum.authorized) {
    violations.push(`captured ${sum.captured + sum.captureOpen} exceeds ${sum.authorized}`);
  }
  let excess = 0n;
  for (const capture of ledger.captures.values()) excess += capture.chargedBackExcess;
  const returned = sum.refunded + sum.refundOpen + sum.chargedBack - excess;
  if (returned > sum.captured) {
    violations.push(`refunded and charged back ${returned} exceed captured ${sum.captured}`);
  }
  return violations;
}

function captureViolations(id: string, capture: CaptureTotals): string[] {
  const violations: string[] = [];
  const { captured, reversed, reversalOpen, refunded, refundOpen } = capture;
  const chargedBack = capture.chargedBack - capture.chargedBackExcess;
  if (refunded + refundOpen + chargedBack + reversed + reversalOpen > captured) {
    violations.push(`${id}: more was returned than captured`);
  }
  if (reversed > 0n && (reversed !== captured || refunded + refundOpen > 0n)) {
    violations.push(`${id}: reversed, yet not as a whole`);
  }
  if (capture.chargedBack < 0n) violations.push(`${id}: more chargebacks reversed than received`);
  return violations;
}

function captureCountViolations(state: PaymentState, ledger: Ledger): string[] {
  const limit = initialTransaction(state).numberOfCaptures;
  const { captures } = ledger.authorization;
  return limit !== undefined && captures > limit ? [`${captures} captures of ${limit}`] : [];
}

function finalViolations(state: PaymentState): string[] {
  const violations: string[] = [];
  let closed = false;
  for (const transaction of transactionsOf(state).values()) {
    if (!countsAsCapture(transaction)) continue;
    if (closed) violations.push(`${transaction.id} captures after sequence=FINAL`);
    closed ||= transaction.final;
  }
  return violations;
}

function countsAsCapture({ operation, status }: Transaction): boolean {
  return (
    (operation === 'capture' || operation === 'receipt') &&
    (status === 'approved' || isOpen(status))
  );
}
