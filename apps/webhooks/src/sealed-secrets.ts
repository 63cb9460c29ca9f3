import { webhookSecretOf } from '@sluice/domain-webhooks';
import type { WebhookSecret } from '@sluice/secrets';
import { type Clock, EnvelopeOpener, EnvelopeSealer, type KeyProvider } from '@sluice/service';

/** Between the wrapped key and the sealed text; base64 has no such character. */
const SEPARATOR = '.';

/** Secrets of subscriptions, as events keep them: sealed under a key that the installation's key wraps. */
export class SealedSecrets {
  readonly #sealer: EnvelopeSealer;
  readonly #opener: EnvelopeOpener;

  constructor(keys: KeyProvider, clock: Clock) {
    this.#sealer = new EnvelopeSealer(keys, clock);
    this.#opener = new EnvelopeOpener(keys);
  }

  /** Bound to its subscription: under another one it does not open. */
  async seal(subscriptionId: string, secret: WebhookSecret): Promise<string> {
    const { key, block } = await this.#sealer.seal(contextOf(subscriptionId), secret.reveal());
    return `${key}${SEPARATOR}${block}`;
  }

  /** @throws EnvelopeBroken, WrappingKeyRetired; TypeError for what was never a secret */
  async open(subscriptionId: string, sealed: string): Promise<WebhookSecret> {
    const [key = '', block = ''] = sealed.split(SEPARATOR);
    const secret = webhookSecretOf(
      await this.#opener.open(contextOf(subscriptionId), { key, block }),
    );
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
