import type { TransactionAnswer, TransactionQuery, TransactionView } from '@sluice/contracts';
import { findTransaction, outcomeOf, type Transaction } from '@sluice/domain-payments';
import type { KeyProvider } from '@sluice/service';
import { foldRecorded, type PaymentEvents } from './payment-record.js';
import { openPersonal, type PersonalParameters, unwrapPersonalKey } from './personal-data.js';

/** Folds a payment's own stream for those who ask. */
export class PaymentQueries {
  constructor(
    private readonly store: Pick<PaymentEvents, 'readByTransaction'>,
    private readonly keys: KeyProvider,
  ) {}

  /** One transaction of the asking tenant; a foreign one is answered like none. */
  async transaction({ transactionId, entityId }: TransactionQuery): Promise<TransactionAnswer> {
    const found = await this.store.readByTransaction(transactionId);
    if (found === undefined) return {};
    const transaction = findTransaction(foldRecorded(found.events), transactionId);
    if (transaction?.metadata.entityId !== entityId) return {};
    const personal = await this.#personalOf(transaction, found.streamId, found.personalKey);
    return { transaction: viewOf(transaction, personal) };
  }

  /** Empty once the key was destroyed: that is what erasing means (page 0010). */
  async #personalOf(
    { id, personal }: Transaction,
    streamId: string,
    wrapped: Buffer | undefined,
  ): Promise<PersonalParameters> {
    if (personal === undefined || wrapped === undefined) return {};
    const key = await unwrapPersonalKey(this.keys, streamId, wrapped);
    return openPersonal(key, id, personal);
  }
}

function viewOf(transaction: Transaction, personal: PersonalParameters): TransactionView {
  const { metadata, card, method, parameters } = transaction;
  const { entityId, channelName, mode, ndc, recordedAtMs } = metadata;
  return {
    ...outcomeOf(transaction),
    entityId,
    channelName,
    mode,
    ndc,
    recordedAtMs,
    ...(card !== undefined && { card: withoutReference(card) }),
    ...(method !== undefined && { method }),
    parameters,
    personal,
  };
}

function withoutReference(card: NonNullable<Transaction['card']>) {
  const { vaultReference: _, ...shown } = card;
  return shown;
}
