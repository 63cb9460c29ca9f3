import type { Texts } from './english.js';
import type { Options } from './options.js';
import { isSavedFirst } from './summary-page.js';

/** What a button says by which something is paid: the amount as well, where the shop wants it and it is known. */
export function payText({
  texts,
  options,
  amount,
}: {
  readonly texts: Pick<Texts, 'submit' | 'payAmount' | 'review'>;
  readonly options: Pick<Options, 'total' | 'labels' | 'useSummaryPage' | 'callbacks'>;
  /** As people write it. */
  readonly amount: string | undefined;
}): string {
  // Nothing is paid by the press that leads to the page's own summary.
  if (isSavedFirst(options)) return texts.review;
  const { total, labels } = options;
  if (total === '' || amount === undefined) return texts.submit;
  // What the shop says instead stays, with the amount behind it.
  const isOwn = labels.submit !== undefined && labels.payAmount === undefined;
  const text = isOwn ? `${texts.submit} {amount}` : texts.payAmount;
  return text.replace('{amount}', () => amount);
}
