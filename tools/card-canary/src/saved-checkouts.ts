import type { CanaryAccount, Form } from './canary-requests.js';
import type { CanaryCard } from './canary-cards.js';
import { typed } from './number-spellings.js';
import type { CanaryAnswer } from './send.js';

/** What becomes of a card that a shopper's form has saved, one each. */
const ENDS = ['left', 'paid', 'replaced', 'paid otherwise', 'declined', 'paid twice'] as const;

/** How many cards are saved, each time. */
export const savedCards = ENDS.length;

/** Where, and by whom. */
export interface SavingShop {
  readonly url: string;
  readonly account: CanaryAccount;
}

/**
 * Shoppers whose forms are saved before they are paid with (page 0068), each with a card of its own, and
 * whose pages say a card's number in a field of theirs, too.
 */
export async function saveAndPay(
  { url, account }: SavingShop,
  cards: readonly CanaryCard[],
): Promise<CanaryAnswer[]> {
  const answers: CanaryAnswer[] = [];
  const post = async (kind: string, path: string, form: Form, token = ''): Promise<string> => {
    const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
    const init = { method: 'POST', headers, body: new URLSearchParams(form) };
    const response = await fetch(url + path, init);
    const body = await response.text();
    const head = JSON.stringify([...response.headers]);
    answers.push({ kind, status: response.status, head, body });
    return body;
  };
  for (const [index, card] of cards.entries()) {
    const end = ENDS[index % ENDS.length] ?? 'left';
    const kind = `that is saved, and ${end}`;
    const { entityId, accessToken } = account;
    const money = { entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' };
    const forced = end === 'declined' ? { 'customParameters[forceResultCode]': '800.100.152' } : {};
    const made = await post(kind, '/v1/checkouts', { ...money, ...forced }, accessToken);
    const { id } = JSON.parse(made) as { readonly id: string };
    const path = `/v1/checkouts/${id}/payment`;
    const form = formOf(card, index);
    await post(kind, path, { ...form, saveTransactionData: 'true' });
    if (end === 'replaced') await post(kind, path, { ...form, saveTransactionData: 'true' });
    if (end === 'paid otherwise') await post(kind, path, form);
    else if (end !== 'left') await post(kind, path, {});
    if (end === 'paid twice') await post(kind, path, {});
  }
  return answers;
}

function formOf(card: CanaryCard, index: number): Form {
  return {
    ...{ paymentBrand: card.brand, 'card.number': card.number, 'card.cvv': card.securityCode },
    ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
    'customParameters[SHOPPER_note]': `mine is ${typed(card.number, index)}`,
  };
}
