import { isApproval } from './approvals.js';
import type { CheckoutRecord, Told } from './checkout-shop.js';
import { grouped } from './grouped.js';
import type { Outcome, RecordedTransaction, Violation } from './records.js';

const NOT_PERFORMED = '900.100.310';
/** What may have cost the shopper something, or still may. */
const MAY_CHARGE: ReadonlySet<Outcome> = new Set(['requested', 'approved', 'pending', 'unknown']);

/** Whether a shopper may have paid by it. */
export function mayHaveCharged({ outcome }: RecordedTransaction): boolean {
  return MAY_CHARGE.has(outcome);
}

/**
 * What must not be of checkouts, whoever was killed while their forms were sent: more than one payment, a
 * page of results that is told something else than what became of it, or that is never told.
 */
export function checkoutViolations(
  checkouts: readonly CheckoutRecord[],
  recorded: readonly RecordedTransaction[],
): Violation[] {
  const byReference = grouped(recorded, ({ reference }) => reference ?? '');
  return checkouts.flatMap((checkout) => {
    const payments = byReference.get(checkout.reference) ?? [];
    const say = (rule: string, sentence: string): Violation => {
      return { rule, subject: `${checkout.reference} (${checkout.id ?? 'no id'})`, sentence };
    };
    const charging = payments.filter(mayHaveCharged);
    const found: Violation[] = [];
    if (charging.length > 1) found.push(say('checkout paid twice', idsOf(charging)));
    const last = checkout.told.at(-1);
    if (last !== undefined) found.push(...wronglyTold(checkout, last, payments, say));
    return found;
  });
}

function wronglyTold(
  { hasLostRead }: CheckoutRecord,
  last: Told,
  payments: readonly RecordedTransaction[],
  say: (rule: string, sentence: string) => Violation,
): Violation[] {
  const charging = payments.filter(mayHaveCharged);
  if (last === 'nothing') return [say('checkout never told', `it is ${outcomesOf(payments)}`)];
  if (last === 'gone') {
    // Told once; the answer that told it was lost.
    if (hasLostRead && charging.length === 1) return [];
    return [say('checkout gone', `nobody was told that it is ${outcomesOf(payments)}`)];
  }
  const { id = '', code } = last;
  const sentence = `the page of results was told ${code} of ${id}, and it is ${outcomesOf(payments)}`;
  if (isApproval(code)) {
    const isSo = charging.length === 1 && charging[0]?.id === id;
    return isSo ? [] : [say('checkout told otherwise', sentence)];
  }
  if (charging.length > 0) return [say('checkout told otherwise', sentence)];
  const isRecorded = payments.some((payment) => payment.id === id);
  // Of what was never asked for there is nothing but the checkout's own word.
  return isRecorded || code === NOT_PERFORMED ? [] : [say('checkout told otherwise', sentence)];
}

function outcomesOf(payments: readonly RecordedTransaction[]): string {
  return payments.map(({ id, outcome }) => `${outcome} ${id}`).join(', ') || 'nothing';
}

function idsOf(payments: readonly RecordedTransaction[]): string {
  return payments.map(({ id }) => id).join(', ');
}
