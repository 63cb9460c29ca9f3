import type { Texts } from './english.js';
import type { Options } from './options.js';

/** What a button says by which something is paid: the amount as well, where the shop wants it and it is known. */
export function payText({
  texts,
  options: { total, labels },
  amount,
}: {
  readonly texts: Pick<Texts, 'submit' | 'payAmount'>;
  readonly options: Pick<Options, 'total' | 'labels'>;
  /** As people write it. */
  readonly amount: string | undefined;
}): string {
  if (total === '' || amount === undefined) return texts.submit;
  // What the shop says instead stays, with the amount behind it.
  const isOwn = labels.submit !== undefined && labels.payAmount === undefined;
  const text = isOwn ? `${texts.submit} {amount}` : texts.payAmount;
  return text.replace('{amount}', () => amount);
}
