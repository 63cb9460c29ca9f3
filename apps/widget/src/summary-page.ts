import type { Options } from './options.js';
import type { PostedField } from './posted-fields.js';

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
