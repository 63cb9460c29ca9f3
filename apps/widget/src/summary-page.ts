import type { Options } from './options.js';
import type { PostedField } from './posted-fields.js';
import type { CheckoutInBrowser } from './result-address.js';

/** By which a form says that it is saved, and not paid with. */
export const SAVED_FIRST: PostedField = ['saveTransactionData', 'true'];

/**
 * Whether the page shows a summary of its own before anything is paid: the form is saved then, and the page
 * is told of that (page 0068).
 */
export function isSavedFirst({
  useSummaryPage,
  callbacks,
}: Pick<Options, 'useSummaryPage' | 'callbacks'>): boolean {
  return useSummaryPage && callbacks.onSaveTransactionData !== undefined;
}

/**
 * What the console says of a form that has no summary within it, as only that for cards has; undefined where
 * the page shows its own, wants none, or pays nothing, of which the widget tells.
 * @param of what is paid with
 */
export function summaryComplaint(
  of: string,
  options: Pick<Options, 'useSummaryPage' | 'callbacks'>,
  { purpose }: Pick<CheckoutInBrowser, 'purpose'>,
): string | undefined {
  const isWanted = options.useSummaryPage && purpose === 'payment';
  if (!isWanted || isSavedFirst(options)) return undefined;
  return `wpwlOptions.useSummaryPage has no effect on ${of} without onSaveTransactionData.`;
}
