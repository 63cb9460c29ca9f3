import { openPersonal, sealPersonal, unwrapPersonalKey } from '@sluice/aggregates';
import type { IssuerWordsAnswer, IssuerWordsQuery } from '@sluice/contracts';
import type { EventStore } from '@sluice/event-store';
import { isTransactionId } from '@sluice/identifiers';
import type { KeyProvider } from '@sluice/service';

/** As many as a page of a query may have, and more. */
const WORDS_MAX = 1_000;

/** The parts they are made of. */
export interface IssuerWordsParts {
  readonly store: Pick<EventStore, 'personalKeys'>;
  readonly keys: KeyProvider;
}

/**
 * What issuers have to say to shoppers (`cardholderInfo`): free text about a person, who may be named in it. It is
 * sealed under the key of its authentication before anything records it, so all others have it as ciphertext,
 * and nobody reads it once the payment is forgotten.
 */
export class IssuerWords {
  constructor(private readonly parts: IssuerWordsParts) {}

  /** The sealed text, which says by itself of which authentication it is; nothing once that was erased. */
  async seal(authenticationId: string, text: string): Promise<string | undefined> {
    const key = await this.#keyOf(authenticationId);
    if (key === undefined) return undefined;
    return `${authenticationId}.${sealPersonal(key, contextOf(authenticationId), { text })}`;
  }

  /** In their order; null for what nobody can read any more, or never could. */
  async open({ sealed }: IssuerWordsQuery): Promise<IssuerWordsAnswer> {
    const texts = sealed.slice(0, WORDS_MAX).map((one) => this.#open(one));
    return { texts: await Promise.all(texts) };
  }

  async #open(sealed: string): Promise<string | null> {
    const [id = '', block = ''] = sealed.split('.');
    const key = isTransactionId(id) ? await this.#keyOf(id) : undefined;
    if (key === undefined) return null;
    try {
      return openPersonal(key, contextOf(id), block)['text'] ?? null;
    } catch {
      // Altered, or of something else: no words of an issuer.
      return null;
    }
  }

  async #keyOf(id: string) {
    const wrapped = await this.parts.store.personalKeys.of(id);
    if (wrapped === undefined || wrapped === 'erased') return undefined;
    return unwrapPersonalKey(this.parts.keys, id, wrapped);
  }
}

/** Apart from what the issuer was told, which has the same key. */
function contextOf(authenticationId: string): string {
  return `${authenticationId}|cardholderInfo`;
}
