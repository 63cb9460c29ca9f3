import { type AnswerStamp, resultOf, stampFields, timestampOf } from '@sluice/answers';
import {
  type RecoveryPlanView,
  runSources,
  type ScheduleOutcome,
  type ScheduleState,
  type ScheduleView,
} from '@sluice/contracts';
import { formatAmount, fromMessage } from '@sluice/money';
import { echo, scheduleTypeOf } from '@sluice/parameters';
import { codes, httpStatusOf } from '@sluice/result-codes';
import type { Answer } from './answer.js';

/** A request about a schedule, with what its answer echoes. */
export interface ShownSchedule {
  readonly outcome: ScheduleOutcome;
  readonly schedule: ScheduleState;
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string>>;
}

const [SCHEDULER] = runSources;

/** The answer to the request that made or changed a schedule (wire contract 6). */
export function scheduleAnswer(shown: ShownSchedule, stamp: AnswerStamp): Answer {
  const { id: transactionId, resultCode } = shown.outcome;
  const body = JSON.stringify({ ...scheduleFields(shown), ...stampFields(stamp) });
  return {
    ...{ status: httpStatusOf(resultCode), resultCode, ndc: stamp.ndc, body, transactionId },
  };
}

/** The answer to a read: HTTP 200 whatever became of it (D-34). */
export function readScheduleAnswer(schedule: ScheduleView, stamp: AnswerStamp): Answer {
  const { recovery, id } = schedule;
  if (recovery === undefined) return { ...scheduleAnswer(shownOf(schedule), stamp), status: 200 };
  const { resultCode } = schedule.outcome;
  const { recoveries: _, ...fields } = scheduleFields(shownOf(schedule));
  const body = JSON.stringify({
    ...{ ...fields, id: recovery.id, referencedId: id, ...moneyFields(recovery.amount) },
    ...{ plan: recoveryPlanFields(recovery), ...stampFields(stamp) },
  });
  return { status: 200, resultCode, ndc: stamp.ndc, body, transactionId: recovery.id };
}

/** The answer to a search. */
export function schedulesAnswer(schedules: readonly ScheduleView[], stamp: AnswerStamp): Answer {
  const resultCode = codes.requestSuccessful;
  const body = JSON.stringify({
    ...{ result: resultOf(resultCode), ...stampFields(stamp) },
    schedules: schedules.map((schedule) => scheduleFields(shownOf(schedule))),
  });
  return { status: 200, resultCode, ndc: stamp.ndc, body };
}

/** A request that may have been recorded or not (D-34). */
export function openScheduleAnswer(
  outcome: Pick<ScheduleOutcome, 'id' | 'operation'>,
  resultCode: string,
  stamp: AnswerStamp,
): Answer {
  const { id, operation } = outcome;
  const paymentType = scheduleTypeOf(operation);
  const fields = { id, paymentType, result: resultOf(resultCode), ...stampFields(stamp) };
  const status = httpStatusOf(resultCode);
  return { status, resultCode, ndc: stamp.ndc, body: JSON.stringify(fields), transactionId: id };
}

function shownOf(schedule: ScheduleView): ShownSchedule {
  const { outcome, parameters, personal } = schedule;
  return { outcome, schedule, parameters, personal };
}

function scheduleFields({
  outcome,
  schedule,
  parameters,
  personal,
}: ShownSchedule): Readonly<Record<string, unknown>> {
  const { id, referencedId, operation, resultCode } = outcome;
  const { registrationId, amount, planId, recoveries } = schedule;
  const { registrationId: _, ...echoed } = echo(parameters, personal);
  return {
    ...{ id, referencedId, registrationId, paymentType: scheduleTypeOf(operation) },
    ...(amount && moneyFields(amount)),
    ...echoed,
    ...(planId !== undefined && { plan: planFields(schedule) }),
    ...(recoveries.length > 0 && { recoveries: recoveries.map(recoveryFields) }),
    result: resultOf(resultCode),
  };
}

function planFields({ planId, isActive, nextDueMs, endsAtMs }: ScheduleState): object {
  return {
    ...{ id: planId, active: isActive, source: SCHEDULER },
    ...(nextDueMs !== undefined && { nextRun: timestampOf(nextDueMs) }),
    ...(endsAtMs !== undefined && { end: timestampOf(endsAtMs) }),
  };
}

function recoveryFields({ id, paymentId, dueMs, amount, source }: RecoveryPlanView): object {
  return {
    ...{ id, referencedId: paymentId, active: true, source },
    ...{ nextRun: timestampOf(dueMs), ...moneyFields(amount) },
  };
}

/** As the plan of a schedule, where somebody asks for it by its own id. */
function recoveryPlanFields({
  id,
  paymentId,
  isActive,
  source,
  dueMs,
}: NonNullable<ScheduleView['recovery']>): object {
  return {
    ...{ id, referencedId: paymentId, active: isActive, source },
    ...(isActive && { nextRun: timestampOf(dueMs) }),
  };
}

function moneyFields(amount: NonNullable<ScheduleState['amount']>): object {
  return { amount: formatAmount(fromMessage(amount)), currency: amount.currency };
}
