import type {
  RegistrationAnswer,
  RegistrationQuery,
  RegistrationView,
  TransactionAnswer,
  TransactionQuery,
  TransactionView,
} from '@sluice/contracts';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';

/** An event, by what it is about and its number. */
export interface Place {
  readonly transactionId: TransactionId;
  readonly entityId: EntityId;
  readonly sequence: number;
}

/** A transaction as it was after an event; undefined: nobody has it any more. @throws QueryUnavailable */
export async function transactionAt(
  queries: Queries,
  { transactionId, entityId, sequence: atVersion }: Place,
): Promise<TransactionView | undefined> {
  const query: TransactionQuery = { transactionId, entityId, atVersion };
  const { transaction } = await queries.ask<TransactionAnswer>(
    ...(['payments', 'payments.transaction', query] as const),
  );
  return transaction;
}

/** The same of a registration. @throws QueryUnavailable */
export async function registrationAt(
  queries: Queries,
  { transactionId: registrationId, entityId, sequence: atVersion }: Place,
): Promise<RegistrationView | undefined> {
  const query: RegistrationQuery = { registrationId, entityId, atVersion };
  const { registration } = await queries.ask<RegistrationAnswer>(
    ...(['registrations', 'registrations.registration', query] as const),
  );
  return registration;
}
