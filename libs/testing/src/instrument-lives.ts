import { type InstrumentKind, walletBrands, type WalletName, walletNames } from '@sluice/contracts';
import type { TestAccount } from './test-channel.js';

/** An installation with the simulator, and as whom it is asked. */
export interface TriedInstallation extends TestAccount {
  readonly url: string;
  /** Where the simulator's wallets are. */
  readonly walletsUrl: string;
}

type Fields = Readonly<Record<string, string>>;

/** What a shopper pays with, as a merchant sends it. */
interface InstrumentRow {
  readonly name: string;
  /** A new one each time: a wallet's token pays once. */
  readonly fields: (installation: TriedInstallation) => Fields | Promise<Fields>;
  /** What proves one payment, and is never stored. */
  readonly proof?: Fields;
  /** How it is stored: by itself, only with a payment, or not at all. */
  readonly isKept: 'byItself' | 'withPayment' | 'never';
  /** What a payment that stores it says besides. */
  readonly first?: Fields;
  /** What payments with what was stored say besides. */
  readonly again?: Fields;
}

/** Codes by what was tried. */
export type InstrumentLife = Readonly<Record<string, string>>;

const MONEY = { amount: '92.00', currency: 'EUR' } as const;
const APPROVED = '000.100.110';
const PENDING = '000.200.000';
const DECLINED = '800.100.151';
const FORCED = { 'customParameters[forceResultCode]': DECLINED } as const;
const DELETED = '100.150.203';
const NOT_FOUND = '200.300.404';
const NOT_SERVED = '600.200.500';
const POLL_INTERVAL_MS = 50;

const CARD = {
  ...{ 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
} as const;
const PROOF = {
  'threeDSecure.verificationId': 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
  'threeDSecure.eci': '05',
} as const;
const AT_SHOP = { shopperResultUrl: 'https://shop.example/result' } as const;
const ACCOUNT_AT_PROVIDER = {
  ...{ paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'jane.jones@example.org' },
} as const;
const AGREEMENT = { 'standingInstruction.type': 'UNSCHEDULED' } as const;

/** Every instrument, by what it is for the events; a new one does not compile without its rows. */
const table: Readonly<Record<Exclude<InstrumentKind, 'registration'>, readonly InstrumentRow[]>> = {
  card: [
    {
      name: 'a card',
      fields: () => ({ ...CARD, paymentBrand: 'VISA' }),
      proof: { 'card.cvv': '123' },
      isKept: 'byItself',
    },
  ],
  giftCard: [
    {
      name: 'a gift card',
      fields: () => ({
        ...{ paymentBrand: 'GIFTCARD', 'giftCard.number': '6006491260550218' },
        'giftCard.holder': 'Mary Morstan',
      }),
      proof: { 'giftCard.pin': '482193' },
      isKept: 'byItself',
    },
  ],
  bankAccount: [
    {
      name: 'a direct debit',
      fields: () => ({
        ...{ paymentBrand: 'DIRECTDEBIT_SEPA', 'bankAccount.holder': 'Jane Jones' },
        ...{ 'bankAccount.iban': 'DE23100000001234567890', 'bankAccount.country': 'DE' },
        'bankAccount.bic': 'MARKDEF1100',
        'bankAccount.mandate.id': 'SHOP-MANDATE-JONES',
        'bankAccount.mandate.dateOfSignature': '2026-03-02',
      }),
      isKept: 'byItself',
    },
    {
      name: 'an order at a bank',
      fields: () => ({ ...AT_SHOP, paymentBrand: 'GIROPAY', 'bankAccount.country': 'DE' }),
      isKept: 'never',
    },
  ],
  tokenAccount: [tokenRow('NETWORK'), tokenRow('EXTERNAL')],
  virtualAccount: [
    {
      name: 'an account at a provider',
      fields: () => ({ ...AT_SHOP, paymentBrand: 'PAYPAL' }),
      isKept: 'never',
    },
    {
      name: 'an account at a provider, stored with its payment and charged without the shopper',
      fields: () => ({ ...AT_SHOP, ...ACCOUNT_AT_PROVIDER }),
      ...byMerchantLater(),
    },
    {
      name: 'an account at a provider, stored by itself and confirmed by the shopper each time',
      fields: () => ({ ...AT_SHOP, ...ACCOUNT_AT_PROVIDER }),
      isKept: 'byItself',
      again: AT_SHOP,
    },
  ],
  wallet: [
    ...walletNames.map(tokenOfWallet),
    {
      name: 'a wallet whose token the merchant has decrypted',
      fields: () => ({ ...CARD, ...PROOF, paymentBrand: 'APPLEPAY', 'applePay.source': 'web' }),
      ...byMerchantLater(),
    },
  ],
};

/** Every way to pay, with what must come of it. */
export const instrumentLives: readonly (readonly [
  name: string,
  row: InstrumentRow,
  expected: InstrumentLife,
])[] = Object.values(table)
  .flat()
  .map((row) => [row.name, row, expectedOf(row)]);

/**
 * Pays, gives back and declines; stores, finds, pays twice with what was stored, gives back, declines,
 * deletes, and tries it once more.
 */
export async function liveThrough(
  row: InstrumentRow,
  installation: TriedInstallation,
): Promise<InstrumentLife> {
  const life = new Life(row, installation);
  const [id, paid] = await life.pay();
  const codes: Record<string, string> = { paid, refunded: await life.refund(id) };
  [, codes['declined']] = await life.pay(FORCED);
  const [registrationId, kept] = await life.keep();
  codes['kept'] = kept;
  if (row.isKept === 'never') return codes;
  // Whoever asks first is told what has become of the payment that it was stored with.
  codes['found'] = await life.find(registrationId);
  codes['read'] = await life.read(registrationId);
  const [reusedId, reused] = await life.reuse(registrationId);
  Object.assign(codes, { reused, reusedRefunded: await life.refund(reusedId) });
  [, codes['reusedAgain']] = await life.reuse(registrationId);
  [, codes['reusedDeclined']] = await life.reuse(registrationId, FORCED);
  codes['deleted'] = await life.delete(registrationId);
  [, codes['reusedAfterwards']] = await life.reuse(registrationId);
  codes['readAfterwards'] = await life.read(registrationId);
  return codes;
}

function expectedOf({ isKept }: InstrumentRow): InstrumentLife {
  const once = { paid: APPROVED, refunded: APPROVED, declined: DECLINED };
  if (isKept === 'never') return { ...once, kept: NOT_SERVED };
  return {
    ...once,
    ...{
      kept: APPROVED,
      read: APPROVED,
      found: APPROVED,
      reused: APPROVED,
      reusedRefunded: APPROVED,
    },
    ...{ reusedAgain: APPROVED, reusedDeclined: DECLINED, deleted: APPROVED },
    ...{ reusedAfterwards: DELETED, readAfterwards: NOT_FOUND },
  };
}

function tokenRow(type: 'NETWORK' | 'EXTERNAL'): InstrumentRow {
  return {
    name: `a token, ${type}`,
    fields: () => ({
      ...{ paymentBrand: 'VISA', 'tokenAccount.number': '4200000000000075' },
      ...{ 'tokenAccount.type': type, 'tokenAccount.expiryMonth': '11' },
      'tokenAccount.expiryYear': '2034',
    }),
    proof: { 'tokenAccount.cryptogram': 'AgAAAAAABk4DWZ4C28yUQAAAAAA=' },
    isKept: 'byItself',
  };
}

function tokenOfWallet(wallet: WalletName): InstrumentRow {
  return {
    name: `${wallet}, by its token`,
    fields: async ({ walletsUrl, entityId }) => {
      const body = new URLSearchParams({ ...MONEY, entityId });
      const response = await fetch(`${walletsUrl}/${wallet}`, { method: 'POST', body });
      const paymentBrand = walletBrands[wallet];
      return { paymentBrand, [`${wallet}.paymentToken`]: await response.text() };
    },
    ...byMerchantLater(),
  };
}

/**
 * The number of a device proves nothing later, and a provider would ask the shopper: what is stored of
 * them pays as agreed, without the shopper.
 */
function byMerchantLater(): Pick<InstrumentRow, 'isKept' | 'first' | 'again'> {
  const [mode, source] = ['standingInstruction.mode', 'standingInstruction.source'];
  return {
    isKept: 'withPayment',
    first: { ...AGREEMENT, [mode]: 'INITIAL', [source]: 'CIT' },
    again: { ...AGREEMENT, [mode]: 'REPEATED', [source]: 'MIT' },
  };
}

/** What is read of an answer. */
interface Answer {
  readonly id?: string;
  readonly registrationId?: string;
  readonly redirect?: { readonly url: string };
  readonly result: { readonly code: string };
}

type Step = readonly [id: string, code: string];

/** One instrument in the hands of a merchant and a shopper. */
class Life {
  constructor(
    private readonly row: InstrumentRow,
    private readonly installation: TriedInstallation,
  ) {}

  async pay(more: Fields = {}): Promise<Step> {
    return this.#settled(await this.#payment(more));
  }

  async refund(id: string): Promise<string> {
    return codeOf(this.#ask('POST', `/v1/payments/${id}`, { ...MONEY, paymentType: 'RF' }));
  }

  async keep(): Promise<Step> {
    const { isKept, first = {} } = this.row;
    if (isKept !== 'byItself') {
      const paid = await this.#payment({ ...first, createRegistration: 'true' });
      const [, code] = await this.#settled(paid);
      return [paid.registrationId ?? '', code];
    }
    const stored = await this.#ask('POST', '/v1/registrations', await this.#fields());
    return [stored.id ?? '', stored.result.code];
  }

  async find(id: string): Promise<string> {
    return codeOf(this.#ask('GET', `/v1/query/${id}`));
  }

  async read(id: string): Promise<string> {
    return codeOf(this.#ask('GET', `/v1/registrations/${id}`));
  }

  async reuse(registrationId: string, more: Fields = {}): Promise<Step> {
    const fields = { ...MONEY, paymentType: 'DB', ...this.row.again, ...more };
    const path = `/v1/registrations/${registrationId}/payments`;
    return this.#settled(await this.#ask('POST', path, fields));
  }

  async delete(id: string): Promise<string> {
    return codeOf(this.#ask('DELETE', `/v1/registrations/${id}`));
  }

  /** With whatever the shopper has to do for it. */
  async #settled({ id = '', result, redirect }: Answer): Promise<Step> {
    if (redirect === undefined) return [id, result.code];
    await approvedByShopper(redirect.url);
    return [id, await this.#decided(id)];
  }

  async #payment(more: Fields): Promise<Answer> {
    const paid = { ...MONEY, paymentType: 'DB', ...this.row.proof, ...(await this.#fields()) };
    return this.#ask('POST', '/v1/payments', { ...paid, ...more });
  }

  #fields(): Fields | Promise<Fields> {
    return this.row.fields(this.installation);
  }

  async #decided(id: string): Promise<string> {
    for (;;) {
      const code = await codeOf(this.#ask('GET', `/v1/payments/${id}`));
      if (code !== PENDING) return code;
      await new Promise((again) => setTimeout(again, POLL_INTERVAL_MS));
    }
  }

  async #ask(method: 'GET' | 'POST' | 'DELETE', path: string, fields: Fields = {}) {
    const { url, entityId, accessToken } = this.installation;
    const form = new URLSearchParams({ entityId, ...fields });
    const hasBody = method === 'POST';
    const target = hasBody ? `${url}${path}` : `${url}${path}?${form.toString()}`;
    const headers = { authorization: `Bearer ${accessToken}` };
    const response = await fetch(target, { method, headers, ...(hasBody && { body: form }) });
    return (await response.json()) as Answer;
  }
}

async function codeOf(answer: Promise<Answer>): Promise<string> {
  return (await answer).result.code;
}

/** Goes where a browser would be sent, says yes there, and comes back as far as the gateway. */
async function approvedByShopper(redirectUrl: string): Promise<void> {
  const page = await nextFrom(redirectUrl, 'GET');
  await nextFrom(await nextFrom(`${page}/approve`, 'POST'), 'GET');
}

/** Where a browser goes on from there: by itself, or with the form that it is given. */
async function nextFrom(url: string, method: 'GET' | 'POST'): Promise<string> {
  const response = await fetch(url, { method, redirect: 'manual' });
  const [, form] = /<form method="post" action="([^"]+)"/.exec(await response.text()) ?? [];
  const next = response.headers.get('location') ?? form;
  if (next === undefined) throw new Error(`${method} ${url} led nowhere: HTTP ${response.status}`);
  return new URL(next, url).href;
}
