// The payment that webhooks' specs tell of; no other file imports it.
import type { Message, PaymentEventMetadata, TransactionView } from '@sluice/contracts';
import { type EntityId, newMessageId, newTransactionId } from '@sluice/identifiers';

/** The channel that was paid. */
export const channelId = '1'.repeat(32) as EntityId;
export const PAYMENT_ID = newTransactionId(Date.UTC(2031, 4, 4));

/** As payments shows it. */
export const view: TransactionView = {
  ...{ id: PAYMENT_ID, entityId: channelId, operation: 'debit', status: 'approved' },
  ...{ resultCode: '000.100.110', amount: { minor: '9200', currency: 'EUR' }, mode: 'INTERNAL' },
  ...{ channelName: 'Shop', ndc: 'ndc', recordedAtMs: 0, parameters: {}, personal: {} },
};

/** That it was approved, as the topic has it. */
export function paymentApproved(ofRequest: Partial<PaymentEventMetadata> = {}): Message {
  const id = newMessageId(Date.UTC(2031, 4, 4));
  const metadata = { entityId: channelId, channelName: 'Shop', ndc: 'ndc', ...ofRequest };
  return {
    ...{ id, type: 'TransactionApproved', schemaVersion: 1, key: PAYMENT_ID },
    ...{ correlationId: id, causationId: id },
    data: {
      streamId: PAYMENT_ID,
      version: 2,
      recordedAtMs: 0,
      event: { transactionId: PAYMENT_ID },
      metadata,
    },
  };
}
