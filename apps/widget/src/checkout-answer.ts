import type { CheckoutInBrowser } from './result-address.js';

/** Shoppers do not wait for longer: they see what the page names, and pay with what they type. */
const ANSWER_WITHIN_MS = 5_000;

/** What the gateway says of a checkout to the shopper's browser. Rejects where nobody answers. */
export async function answerOf(
  { id }: Pick<CheckoutInBrowser, 'id'>,
  resource: 'form' | 'brands',
  folder: string,
): Promise<unknown> {
  const response = await fetch(new URL(`../../checkouts/${id}/${resource}`, folder), {
    ...{ credentials: 'omit', referrerPolicy: 'no-referrer' },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  return response.json();
}
