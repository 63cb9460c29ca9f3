import type {
  CreateSchedule,
  EndSchedule,
  EndScheduleData,
  IdempotencyClaim,
  InitialOperation,
  PersonalEnvelope,
  Reschedule,
} from '@sluice/contracts';
import type { TransactionId } from '@sluice/identifiers';
import { toMessage } from '@sluice/money';
import { amountOf, operationOfSchedule } from '@sluice/parameters';
import type { AdmittedRequest } from './access-guard.js';
import { commandMessage } from './command-message.js';
import { referenceContextOf, requestContextOf } from './request-context.js';

/** What all commands about schedules are made of. */
export interface ScheduleCommandParts {
  readonly admitted: AdmittedRequest;
  readonly transactionId: TransactionId;
  readonly parameters: Readonly<Record<string, string>>;
  readonly sealed?: PersonalEnvelope;
  readonly idempotency?: IdempotencyClaim;
}

/** A form without violations as the command that creates a schedule (wire contract 6). */
export function createSchedule(
  parts: ScheduleCommandParts,
  registrationId: TransactionId,
): CreateSchedule {
  const { admitted, transactionId } = parts;
  const { operation, amount } = chargeOf(admitted);
  if (operation === undefined || amount === undefined) {
    throw new TypeError('a schedule without a type or an amount passed the catalogue');
  }
  return commandMessage(admitted, transactionId, 'CreateSchedule', {
    ...commonData(parts),
    context: requestContextOf(admitted),
    ...{ registrationId, operation, amount },
  });
}

/** The same of one that changes a schedule; what was not sent stays as it is. */
export function reschedule(parts: ScheduleCommandParts, scheduleId: TransactionId): Reschedule {
  return commandMessage(parts.admitted, scheduleId, 'Reschedule', {
    ...{ ...commonData(parts), scheduleId, ...chargeOf(parts.admitted) },
  });
}

/** The command that ends a schedule. */
export function endSchedule(
  parts: ScheduleCommandParts,
  operation: EndScheduleData['operation'],
  scheduleId: TransactionId,
): EndSchedule {
  return commandMessage(parts.admitted, scheduleId, 'EndSchedule', {
    ...{ ...commonData(parts), scheduleId, operation },
  });
}

interface SaidCharge {
  readonly operation?: InitialOperation;
  readonly amount?: CreateSchedule['data']['amount'];
}

/** RS says what is asked for, and nothing of what runs do. */
function chargeOf({ form }: AdmittedRequest): SaidCharge {
  const type = form.get('paymentType');
  const amount = amountOf(form);
  return {
    ...(type !== undefined && type !== 'RS' && { operation: operationOfSchedule(type) }),
    ...(amount !== undefined && { amount: toMessage(amount) }),
  };
}

function commonData({
  admitted,
  transactionId,
  parameters,
  sealed,
  idempotency,
}: ScheduleCommandParts): Omit<Reschedule['data'], 'scheduleId'> {
  const paymentBrand = admitted.form.get('paymentBrand');
  return {
    ...{ transactionId, parameters, context: referenceContextOf(admitted) },
    ...(paymentBrand !== undefined && { paymentBrand }),
    ...(sealed !== undefined && { personal: sealed }),
    ...(idempotency !== undefined && { idempotency }),
  };
}
