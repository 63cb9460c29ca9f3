import type { MerchantRequest, RecordedTransaction } from '@sluice/kill-test';
import { isOf } from './other-sides.js';

/** What a merchant is told of a payment whose outcome is not known yet. */
export const PENDING = '000.200.000';

/** What of a drill has no end yet. */
export interface OpenPayments {
  /** How many are recorded and open. */
  readonly recorded: number;
  /** Ids that were answered as pending, and of which nothing is recorded. */
  readonly answeredAsPending: readonly string[];
}

/** What the merchant and the events say of it. */
export function openPayments(
  requests: readonly MerchantRequest[],
  recorded: readonly RecordedTransaction[],
  run: string,
): OpenPayments {
  const known = new Set(recorded.map(({ id }) => id));
  const pending = requests
    .flatMap(({ attempts }) => attempts)
    .flatMap((one) => (one.kind === 'answered' && one.code === PENDING ? [one.id] : []))
    .filter((id) => id !== undefined)
    .filter((id) => !known.has(id));
  const open = recorded.filter(
    ({ reference, outcome }) =>
      isOf(run, reference) &&
      (outcome === 'requested' || outcome === 'pending' || outcome === 'unknown'),
  );
  return { recorded: open.length, answeredAsPending: [...new Set(pending)] };
}
