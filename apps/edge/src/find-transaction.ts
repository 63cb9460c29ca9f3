import type { TransactionAnswer, TransactionQuery, TransactionView } from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';
import type { AdmittedRequest } from './access-guard.js';

/** A transaction of the asking channel as it stands now; undefined when it has none of this id. */
export async function findTransaction(
  queries: Queries,
  { access }: AdmittedRequest,
  transactionId: TransactionId,
): Promise<TransactionView | undefined> {
  const query: TransactionQuery = { transactionId, entityId: access.channel.id };
  const { transaction } = await queries.ask<TransactionAnswer>(
    'payments',
    'payments.transaction',
    query,
  );
  return transaction;
}
