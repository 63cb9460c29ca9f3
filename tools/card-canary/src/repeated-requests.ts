import type { CanaryCard } from './canary-cards.js';
import { type CanaryAccount, canaryRequest, canaryRequests } from './canary-requests.js';
import { type CanaryAnswer, sendAll } from './send.js';

/** Captures, refunds and reads without card data, and a key that comes back with other cards. */
export async function useAndRepeat(
  url: string,
  account: CanaryAccount,
  cards: readonly CanaryCard[],
): Promise<CanaryAnswer[]> {
  const [one, two] = canaryRequests(account, cards.slice(0, 2)) as unknown as [
    ReturnType<typeof canaryRequest>,
    ReturnType<typeof canaryRequest>,
  ];
  const keyed = { 'Idempotency-Key': 'canary-key' };
  const answers = await sendAll(url, [{ ...one, headers: { ...one.headers, ...keyed } }]);
  const id = (JSON.parse(answers[0]?.body ?? '{}') as { id?: string }).id ?? '';
  const refund = { amount: '1.00', currency: 'EUR', paymentType: 'RF' };
  const again = await sendAll(url, [
    { ...one, headers: { ...one.headers, ...keyed } },
    { ...two, body: one.body.replace('92.00', '93.00'), headers: { ...two.headers, ...keyed } },
    { ...two, headers: { ...two.headers, ...keyed } },
    canaryRequest(account, 'refunded', refund, `/v1/payments/${id}`),
    { ...one, kind: 'read', method: 'GET', body: '', target: `/v1/payments/${id}` },
  ]);
  return [...answers, ...again];
}
