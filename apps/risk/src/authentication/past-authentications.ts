import { EventStore } from '@sluice/event-store';
import type { TransactionId } from '@sluice/identifiers';
import type { Pool } from 'pg';

/** One, and a second after a soft decline; each retry of a standalone one is a payment of its own. */
const AUTHENTICATIONS_MAX = 100;

/** Authentications on record, for the command line: as the owner of the tables. */
export class PastAuthentications {
  readonly #store: EventStore;

  constructor(pool: Pool, schema: string) {
    this.#store = new EventStore(pool, { schema });
  }

  /**
   * Destroys the keys of what issuers were told of a payment's shopper, so that nobody can read it any more.
   * Twice is no error.
   */
  async forget(paymentId: TransactionId): Promise<void> {
    const { found } = await this.#store.lookUp(paymentId, AUTHENTICATIONS_MAX);
    for (const { streamId } of found) await this.#store.personalKeys.erase(streamId);
  }
}
