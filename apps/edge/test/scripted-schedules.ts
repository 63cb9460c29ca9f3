import type {
  ScheduleCommandMessage,
  ScheduleQuery,
  ScheduleReply,
  SchedulesOfRegistrationQuery,
  ScheduleState,
  ScheduleTransaction,
  ScheduleView,
  TransactionQuery,
} from '@sluice/contracts';
import type { CommandResult } from '@sluice/messaging';

/** What scheduling says; each part may be replaced while edge runs. */
export interface ScheduleScript {
  /** What scheduling replies to a command. */
  schedule: (command: ScheduleCommandMessage) => CommandResult<ScheduleReply>;
  /** What it has. */
  scheduled: (query: ScheduleQuery) => ScheduleView | undefined;
  /** What was asked of one. */
  asked: (query: Pick<TransactionQuery, 'transactionId'>) => ScheduleTransaction | undefined;
  /** What it has of a registration. */
  scheduledOf: (query: SchedulesOfRegistrationQuery) => readonly ScheduleView[];
}

/** What it answers to a query. */
export function scheduleAnswer(script: ScheduleScript, query: string, parameters: object): object {
  switch (query) {
    case 'scheduling.schedule':
      return { schedule: script.scheduled(parameters as ScheduleQuery) };
    case 'scheduling.schedulesOfRegistration':
      return { schedules: script.scheduledOf(parameters as SchedulesOfRegistrationQuery) };
    case 'scheduling.transaction':
      return { transaction: script.asked(parameters as TransactionQuery) };
    case 'scheduling.transactionEntries': {
      const transaction = script.asked(parameters as TransactionQuery);
      const transactions = transaction ? [transaction] : [];
      return { transactions, total: transactions.length };
    }
    default:
      throw new Error(`scheduling does not answer ${query}`);
  }
}

/** Scheduling where everything can be done, and nothing is there. */
export const planning: ScheduleScript = {
  schedule: (command) => ({ kind: 'replied', reply: planned(command) }),
  scheduled: () => undefined,
  asked: () => undefined,
  scheduledOf: () => [],
};

const REGISTRATION = '8ac7a4a28d1f4b6e018d20a41b7e0c94' as ScheduleState['registrationId'];
const OPERATIONS = { CreateSchedule: 'schedule', Reschedule: 'reschedule' } as const;

/** That it is done. */
export function planned({
  type,
  data,
}: ScheduleCommandMessage): Extract<ScheduleReply, { readonly kind: 'outcome' }> {
  const { transactionId: id } = data;
  const referencedId = 'scheduleId' in data ? data.scheduleId : undefined;
  const operation = type === 'EndSchedule' ? data.operation : OPERATIONS[type];
  return {
    kind: 'outcome',
    outcome: {
      ...{ id, operation, resultCode: '000.100.110' },
      ...(referencedId !== undefined && { referencedId }),
    },
    schedule: stateOf(referencedId ?? id, operation === 'schedule' || operation === 'reschedule'),
  };
}

/** A schedule whose first try of a declined run is planned. */
export function stateOf(id: ScheduleState['id'], isActive: boolean): ScheduleState {
  const dueMs = Date.UTC(2027, 0, 1, 8);
  const amount = { minor: '990', currency: 'EUR' } as const;
  return {
    ...{ id, registrationId: REGISTRATION, isActive, amount, planId: id },
    ...(isActive ? { nextDueMs: dueMs } : { endsAtMs: dueMs }),
    recoveries: isActive ? [{ id, paymentId: id, dueMs, amount, source: 'MACRETRY' }] : [],
  };
}
