import type {
  AuthenticationProofAnswer,
  TransactionOutcome,
  TransactionQuery,
} from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';
import type { AdmittedRequest } from './access-guard.js';

/**
 * The cryptogram of an authentication alone, for the answer to the merchant who asked for it; nothing for whatever
 * else, and once the vault has forgotten it. It goes into this answer and nowhere else.
 */
export async function cryptogramOf(
  queries: Queries,
  { access }: AdmittedRequest,
  { id, operation, status }: Pick<TransactionOutcome, 'id' | 'operation' | 'status'>,
): Promise<AuthenticationProofAnswer> {
  if (operation !== 'authentication' || status !== 'approved') return {};
  const query: TransactionQuery = { transactionId: id, entityId: access.channel.id };
  return queries.ask<AuthenticationProofAnswer>('payments', 'payments.authenticationProof', query);
}
