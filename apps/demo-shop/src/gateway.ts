// All that the shop asks the gateway, each with one request of its public interface. Only the server
// of the shop does: the access token is a secret, and the shopper's browser never has it.
import { amountOf, CURRENCY } from './amounts.js';
import { type NewOrder, type Order, PAYMENT_TYPE } from './order.js';

/** Where the gateway is, and who the shop is there. */
export interface Account {
  readonly url: string;
  readonly entityId: string;
  readonly accessToken: string;
}

/** What the shop reads of the gateway's answers. */
export interface Answer {
  readonly id?: string;
  readonly shortId?: string;
  readonly integrity?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly merchantTransactionId?: string;
  readonly registrationId?: string;
  readonly paymentType?: string;
  /** Of what refers to a payment, such as its reversal: which one. */
  readonly referencedId?: string;
  readonly paymentBrand?: string;
  readonly card?: {
    readonly last4Digits: string;
    readonly expiryMonth: string;
    readonly expiryYear: string;
  };
  readonly payments?: readonly Answer[];
  readonly result: {
    readonly code: string;
    readonly parameterErrors?: readonly { readonly name: string }[];
  };
}

type Fields = Readonly<Record<string, string>>;
/** The gateway answers a payment within 25 s; a little more for the way. */
const ANSWERS_WITHIN_MS = 30_000;
/** From here on the status says that nobody knows what became of the request. */
const BROKEN_FROM = 500;

/** Nobody knows whether the gateway has done what it was asked for. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The gateway, as a shop sees it. Each request throws NoAnswer where none arrives. */
export class Gateway {
  constructor(readonly account: Account) {}

  /**
   * Prepares a payment, which the shopper then completes in the form of the gateway.
   * @param cards that were kept for this shopper: the form offers them, and the first is chosen
   */
  createCheckout(order: NewOrder, cards: readonly string[]): Promise<Answer> {
    return this.#ask('POST', '/v1/checkouts', {
      ...paymentOf(order),
      ...order.details,
      // The answer has the hash of the script, for the page on which it will run.
      integrity: 'true',
      ...Object.fromEntries(cards.map((id, index) => [nameOfCard(index), id])),
      ...(order.keepsCard && KEPT),
    });
  }

  /** What has become of a checkout. A success is told once, so the shop has to keep it. */
  checkoutStatus(checkoutId: string): Promise<Answer> {
    return this.#ask('GET', `/v1/checkouts/${checkoutId}/payment`);
  }

  /**
   * All that was paid for an order and given back, whatever has become of the answers to it: payments with
   * the newest first, and behind them what refers to them.
   */
  async transactionsOf(order: Order): Promise<readonly Answer[]> {
    // Without these a payment that was reversed looks as if it were paid.
    const sent = { merchantTransactionId: order.id, includeLinkedTransactions: 'true' };
    return (await this.#ask('GET', '/v1/query', sent)).payments ?? [];
  }

  /** A card that was kept. */
  card(registrationId: string): Promise<Answer> {
    return this.#ask('GET', `/v1/registrations/${registrationId}`);
  }

  /** Has the gateway forget a card. */
  removeCard(registrationId: string): Promise<Answer> {
    return this.#ask('DELETE', `/v1/registrations/${registrationId}`);
  }

  async #ask(method: string, path: string, sent: Fields = {}): Promise<Answer> {
    const { url, entityId, accessToken } = this.account;
    const fields = new URLSearchParams({ entityId, ...sent });
    const isPost = method === 'POST';
    try {
      const response = await fetch(`${url}${path}${isPost ? '' : `?${fields.toString()}`}`, {
        method,
        headers: { authorization: `Bearer ${accessToken}` },
        signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
        ...(isPost && { body: fields }),
      });
      if (response.status >= BROKEN_FROM) throw new NoAnswer(`status ${response.status}`);
      return (await response.json()) as Answer;
    } catch (error) {
      throw new NoAnswer(`${method} ${path}`, { cause: error });
    }
  }
}

/** Of an order: the amount is what the server of the shop has added up, and nobody else's. */
function paymentOf(order: NewOrder): Fields {
  return {
    amount: amountOf(order.totalCents),
    currency: CURRENCY,
    paymentType: PAYMENT_TYPE,
    merchantTransactionId: order.id,
  };
}

/** The name by which a checkout is told of a card that was kept, and by which it is refused. */
export function nameOfCard(index: number): string {
  return `registrations[${index}].id`;
}

/**
 * The shopper is there, and has agreed that the card is kept which he types. Where he chooses one that was
 * kept before, the gateway says by itself that it is used once more.
 */
const KEPT: Fields = {
  createRegistration: 'true',
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.source': 'CIT',
};
