import type { Clock, KeyProvider } from '@sluice/service';
import { SealedTexts } from '../sealed-texts.js';

/** Addresses for mails, which are personal: whoever has the tables, and not the key, mails nobody. */
export class SealedAddresses {
  readonly #texts: SealedTexts;

  constructor(keys: KeyProvider, clock: Clock) {
    this.#texts = new SealedTexts(keys, clock);
  }

  /** Bound to its subscription: under another one it does not open. */
  seal(subscriptionId: string, address: string): Promise<string> {
    return this.#texts.seal(contextOf(subscriptionId), address);
  }

  /** @throws EnvelopeBroken, WrappingKeyRetired */
  open(subscriptionId: string, sealed: string): Promise<string> {
    return this.#texts.open(contextOf(subscriptionId), sealed);
  }
}

function contextOf(subscriptionId: string): string {
  return `alert address ${subscriptionId}`;
}
