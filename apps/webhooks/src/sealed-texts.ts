import { type Clock, EnvelopeOpener, EnvelopeSealer, type KeyProvider } from '@sluice/service';

/** Between the wrapped key and the sealed text; base64 has no such character. */
const SEPARATOR = '.';

/** Texts as events keep them: sealed under a key that the installation's key wraps. */
export class SealedTexts {
  readonly #sealer: EnvelopeSealer;
  readonly #opener: EnvelopeOpener;

  constructor(keys: KeyProvider, clock: Clock) {
    this.#sealer = new EnvelopeSealer(keys, clock);
    this.#opener = new EnvelopeOpener(keys);
  }

  /** Bound to a context: in another one it does not open. */
  async seal(context: string, text: string): Promise<string> {
    const { key, block } = await this.#sealer.seal(context, text);
    return `${key}${SEPARATOR}${block}`;
  }

  /** @throws EnvelopeBroken, WrappingKeyRetired */
  async open(context: string, sealed: string): Promise<string> {
    const [key = '', block = ''] = sealed.split(SEPARATOR);
    return this.#opener.open(context, { key, block });
  }
}
