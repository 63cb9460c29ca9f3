import { decimal } from './payment-form.js';
import type { PlannedRequest } from './plan.js';

const PATIENCE_MS = 5_000;

/** The devices of shoppers, which make the tokens of wallets: they are the simulator's. */
export class ShopperDevices {
  readonly #tokens = new Map<string, Promise<string | undefined>>();
  #url = '';

  /** Where they are, without the wallet's name. */
  areAt(walletsUrl: string): void {
    this.#url = walletsUrl;
  }

  /**
   * A new token for a payment, or the one that another payment is sent with; undefined if nobody made
   * one, because the simulator was away.
   */
  tokenFor(
    { reference, tokenOf, instrument: wallet = 'card', amountMinor = 0 }: PlannedRequest,
    entityId: string,
  ): Promise<string | undefined> {
    if (tokenOf !== undefined) return this.#tokens.get(tokenOf) ?? Promise.resolve(undefined);
    const fields = { entityId, amount: decimal(amountMinor), currency: 'EUR' };
    const token = tokenFrom(`${this.#url}/${wallet}`, fields);
    this.#tokens.set(reference, token);
    return token;
  }
}

async function tokenFrom(
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const body = new URLSearchParams(fields);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const response = await fetch(url, { method: 'POST', body, signal });
    const token = await response.text();
    return response.ok ? token : undefined;
  } catch {
    return undefined;
  }
}
