import { webhookSecretOf } from '@sluice/domain-webhooks';
import type { WebhookSecret } from '@sluice/secrets';
import type { Clock, KeyProvider } from '@sluice/service';
import { SealedTexts } from './sealed-texts.js';

/** Secrets of subscriptions, as events keep them. */
export class SealedSecrets {
  readonly #texts: SealedTexts;

  constructor(keys: KeyProvider, clock: Clock) {
    this.#texts = new SealedTexts(keys, clock);
  }

  /** Bound to its subscription: under another one it does not open. */
  seal(subscriptionId: string, secret: WebhookSecret): Promise<string> {
    return this.#texts.seal(contextOf(subscriptionId), secret.reveal());
  }

  /** @throws EnvelopeBroken, WrappingKeyRetired; TypeError for what was never a secret */
  async open(subscriptionId: string, sealed: string): Promise<WebhookSecret> {
    const secret = webhookSecretOf(await this.#texts.open(contextOf(subscriptionId), sealed));
    if (secret === undefined) throw new TypeError('A secret has 64 hexadecimal digits.');
    return secret;
  }

  /** Whether both are the same. */
  isSame(one: WebhookSecret, other: WebhookSecret): boolean {
    return one.reveal().toLowerCase() === other.reveal().toLowerCase();
  }
}

function contextOf(subscriptionId: string): string {
  return `webhook secret ${subscriptionId}`;
}
