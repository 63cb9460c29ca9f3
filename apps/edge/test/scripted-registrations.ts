import type {
  RegistrationCommandMessage,
  RegistrationOutcome,
  RegistrationQuery,
  RegistrationReply,
  RegistrationTransaction,
  RegistrationView,
  TransactionEntriesQuery,
  TransactionQuery,
} from '@sluice/contracts';
import type { CommandResult } from '@sluice/messaging';

/** What registrations says; each part may be replaced while edge runs. */
export interface RegistrationScript {
  /** What registrations replies to a command. */
  register: (command: RegistrationCommandMessage) => CommandResult<RegistrationReply>;
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

/** Registrations answering every command with this outcome. */
export function registering(outcome: Partial<RegistrationOutcome>): RegistrationScript['register'] {
  return ({ data }) => {
    const refers = 'registrationId' in data;
    const rejection = refers ? undefined : data.rejection;
    const made = 'paymentId' in data ? PAYMENT_AWAITED : APPROVED;
    const result =
      rejection === undefined ? made : ({ status: 'rejected', resultCode: rejection } as const);
    return {
      kind: 'replied',
      reply: {
        kind: 'outcome',
        outcome: {
          id: data.transactionId,
          ...(refers && { referencedId: data.registrationId }),
          operation: !refers ? 'registration' : 'operation' in data ? data.operation : 'update',
          ...result,
          ...('rejectionDescription' in data && { resultDescription: data.rejectionDescription }),
          ...outcome,
        },
      },
    };
  };
}

const APPROVED = { status: 'approved', resultCode: '000.100.110' } as const;
const PAYMENT_AWAITED = { status: 'awaitsPayment', resultCode: '000.200.000' } as const;
