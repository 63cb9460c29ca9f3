import type {
  RegistrationQuery,
  RegistrationTransaction,
  RegistrationView,
  TransactionEntriesQuery,
  TransactionQuery,
} from '@sluice/contracts';

/** What registrations says; each part may be replaced while edge runs. */
export interface RegistrationScript {
  /** What it has of what was done to registrations. */
  findOfRegistration: (query: TransactionQuery) => RegistrationTransaction | undefined;
  /** What it has. */
  registered: (query: RegistrationQuery) => RegistrationView | undefined;
}

/** What it answers to a query. */
export function registrationAnswer(
  script: RegistrationScript,
  query: string,
  parameters: object,
): object {
  switch (query) {
    case 'registrations.registration':
      return { registration: script.registered(parameters as RegistrationQuery) };
    case 'registrations.transaction':
      return { transaction: script.findOfRegistration(parameters as TransactionQuery) };
    case 'registrations.transactionEntries': {
      const transaction = script.findOfRegistration(parameters as TransactionEntriesQuery);
      const transactions = transaction ? [transaction] : [];
      return { transactions, total: transactions.length };
    }
    default:
      throw new Error(`registrations does not answer ${query}`);
  }
}
