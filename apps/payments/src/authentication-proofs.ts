import type {
  AuthenticationProofAnswer,
  AuthenticationVault,
  TransactionQuery,
} from '@sluice/contracts';
import { findTransaction } from '@sluice/domain-payments';
import type { EventStore } from '@sluice/event-store';
import { firstOfKey } from './first-of-key.js';
import { paymentOf } from './payment-aggregate.js';

/** The parts they are made of. */
export interface AuthenticationProofsParts {
  readonly store: Pick<EventStore, 'readByTransaction' | 'idempotency'>;
  readonly vault: Pick<AuthenticationVault, 'revealProof'>;
}

/**
 * The cryptograms of authentications alone, for the merchants who asked for them: they pay with them later. That of a
 * payment is for its acquirer and nobody else. Answered over the internal connection: replies to commands stay in
 * a topic for a day.
 */
export class AuthenticationProofs {
  constructor(private readonly parts: AuthenticationProofsParts) {}

  /** Nothing for whatever is somebody else's, is a payment, or has no cryptogram. */
  async of({ transactionId, entityId }: TransactionQuery): Promise<AuthenticationProofAnswer> {
    const { store, vault } = this.parts;
    const found =
      (await store.readByTransaction(transactionId)) ?? (await this.#ofKey(transactionId));
    const transaction = found && findTransaction(paymentOf(found.events), found.streamId);
    if (transaction?.operation !== 'authentication') return {};
    if (transaction.metadata.entityId !== entityId || transaction.status !== 'approved') return {};
    const reference = transaction.authentication?.proofReference;
    const proof = reference === undefined ? undefined : await vault.revealProof(reference);
    return proof === undefined ? {} : { cryptogram: proof.reveal() };
  }

  /** The id may be one that stands for what its key has made. */
  async #ofKey(transactionId: TransactionQuery['transactionId']) {
    const first = await firstOfKey(this.parts.store, transactionId);
    return first === undefined ? undefined : this.parts.store.readByTransaction(first);
  }
}
