import type {
  RegistrationTransaction,
  RegistrationTransactionAnswer,
  ScheduleTransaction,
  ScheduleTransactionAnswer,
  TransactionAnswer,
  TransactionQuery,
  TransactionView,
} from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';
import type { AdmittedRequest } from './access-guard.js';
import { withIssuerWords } from './issuer-words.js';

/**
 * The current state of a transaction of the asking channel; undefined if it has none with this id.
 */
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
  if (transaction === undefined) return undefined;
  const [shown] = await withIssuerWords(queries, [transaction]);
  return shown;
}

/** The same of what was done to a registration (RG, RR, TE, DR). */
export async function findRegistrationTransaction(
  queries: Queries,
  { access }: AdmittedRequest,
  transactionId: TransactionId,
): Promise<RegistrationTransaction | undefined> {
  const query: TransactionQuery = { transactionId, entityId: access.channel.id };
  const { transaction } = await queries.ask<RegistrationTransactionAnswer>(
    'registrations',
    'registrations.transaction',
    query,
  );
  return transaction;
}

/** The same of what was asked of a schedule (SD, RS, DS). */
export async function findScheduleTransaction(
  queries: Queries,
  { access }: AdmittedRequest,
  transactionId: TransactionId,
): Promise<ScheduleTransaction | undefined> {
  const query: TransactionQuery = { transactionId, entityId: access.channel.id };
  const { transaction } = await queries.ask<ScheduleTransactionAnswer>(
    'scheduling',
    'scheduling.transaction',
    query,
  );
  return transaction;
}
