import type { TransactionOutcomeAnswer, TransactionQuery } from '@sluice/contracts';
import type { PaymentDecision } from '@sluice/domain-registrations';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';

/** Asks payments what became of those payments that registrations were asked for with. */
export class PaymentDecisions {
  constructor(private readonly queries: Queries) {}

  /** Undefined if there is no such payment. @throws QueryUnavailable */
  async decisionOf(
    transactionId: TransactionId,
    entityId: EntityId,
  ): Promise<PaymentDecision | undefined> {
    const query: TransactionQuery = { transactionId, entityId };
    const { outcome } = await this.queries.ask<TransactionOutcomeAnswer>(
      'payments',
      'payments.transactionOutcome',
      query,
    );
    switch (outcome?.status) {
      case undefined:
        return undefined;
      case 'approved':
        return { kind: 'approved' };
      case 'requested':
      case 'pending':
      case 'unknown':
        return { kind: 'undecided' };
      case 'declined':
      case 'rejected':
      case 'notPerformed':
      case 'reversedAfterUnknown':
        return { kind: 'failed', resultCode: outcome.resultCode };
    }
  }
}
