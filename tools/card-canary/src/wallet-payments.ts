import type { CanaryCard } from './canary-cards.js';
import { type CanaryAccount, canaryRequest, type CanaryRequest } from './canary-requests.js';
import { type CanaryAnswer, sendAll } from './send.js';

const MONEY = { amount: '92.00', currency: 'EUR' } as const;
const BRANDS = {
  ...{ applePay: 'APPLEPAY', googlePay: 'GOOGLEPAY', samsungPay: 'SAMSUNGPAY' },
  clickToPay: 'CLICK_TO_PAY',
} as const;
/** What is tried with tokens, beside paying with them. */
const WAYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  paid: {},
  stored: { createRegistration: 'true' },
  declined: { 'customParameters[forceResultCode]': '800.100.152' },
  'for another amount': { amount: '93.00' },
};

/** How many cards that takes. */
export const walletCards = Object.keys(BRANDS).length * Object.keys(WAYS).length;

/** What was sent, and what came of it. */
export interface WalletPayments {
  readonly answers: readonly CanaryAnswer[];
  /** A piece of each token, which stands nowhere else. */
  readonly pieces: readonly string[];
}

/** Where tokens are paid with, and where the simulator makes them. */
export interface WalletShop {
  readonly url: string;
  readonly walletsUrl: string;
  readonly account: CanaryAccount;
}

/** Pays with tokens whose numbers are canaries, each of them twice: the second time it is refused. */
export async function payWithWallets(
  { url, walletsUrl, account }: WalletShop,
  cards: readonly CanaryCard[],
): Promise<WalletPayments> {
  const left = [...cards];
  const requests: CanaryRequest[] = [];
  const pieces: string[] = [];
  for (const [wallet, paymentBrand] of Object.entries(BRANDS)) {
    for (const [way, more] of Object.entries(WAYS)) {
      const card = left.shift();
      if (card === undefined) throw new RangeError(`there are fewer than ${walletCards} cards`);
      const token = await tokenOf(`${walletsUrl}/${wallet}`, account, card);
      pieces.push(pieceOf(token));
      const form = { ...MONEY, paymentType: 'DB', paymentBrand, ...more };
      const kind = `in the token of ${wallet}, ${way}`;
      requests.push(canaryRequest(account, kind, { ...form, [`${wallet}.paymentToken`]: token }));
    }
  }
  const first = await sendAll(url, requests);
  return { answers: [...first, ...(await sendAll(url, requests))], pieces };
}

async function tokenOf(url: string, account: CanaryAccount, card: CanaryCard): Promise<string> {
  const fields = { ...MONEY, entityId: account.entityId, 'card.number': card.number };
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  if (!answer.ok) throw new Error(`no token: ${await answer.text()}`);
  return answer.text();
}

const PIECE_LENGTH = 40;

/** Of what is encrypted: the longest run of letters in the token, from its end. */
function pieceOf(token: string): string {
  const runs = token.match(/[A-Za-z0-9+/_-]+/g) ?? [];
  const longest = runs.toSorted((one, other) => other.length - one.length)[0] ?? '';
  return longest.slice(-PIECE_LENGTH);
}
