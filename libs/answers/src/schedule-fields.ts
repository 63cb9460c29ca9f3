import {
  type RecoveryPlanView,
  runSources,
  type ScheduleOutcome,
  type ScheduleState,
  type ScheduleTransaction,
  type ScheduleView,
} from '@sluice/contracts';
import { formatAmount, fromMessage } from '@sluice/money';
import { echo, scheduleTypeOf } from '@sluice/parameters';
import { resultOf } from './answer-result.js';
import { timestampOf } from './answer-stamp.js';

/** A request about a schedule, with what its answer echoes. */
export interface ShownSchedule {
  readonly outcome: ScheduleOutcome;
  readonly schedule: ScheduleState;
  readonly parameters: Readonly<Record<string, string>>;
  readonly personal: Readonly<Record<string, string>>;
}

const [SCHEDULER] = runSources;

/** A schedule itself, as a read answers it. */
export function shownSchedule(schedule: ScheduleView): ShownSchedule {
  const { outcome, parameters, personal } = schedule;
  return { outcome, schedule, parameters, personal };
}

/** What answers say of a schedule, or of what was asked of one (wire contract 6). */
export function scheduleFields({
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

/** What was asked of a schedule, where queries find it; how the schedule stands is read by its own id. */
export function scheduleEntryFields({
  id,
  referencedId,
  registrationId,
  operation,
  amount,
  parameters,
  personal,
  resultCode,
}: ScheduleTransaction): object {
  const { registrationId: _, ...echoed } = echo(parameters, personal);
  return {
    ...{ id, referencedId, registrationId, paymentType: scheduleTypeOf(operation) },
    ...(amount && moneyFields(amount)),
    ...echoed,
    result: resultOf(resultCode),
  };
}

/** A try of a run of a schedule, where somebody asks for it by its own id. */
export function triedFields(
  schedule: ScheduleView,
  { id, paymentId, isActive, source, dueMs, amount }: NonNullable<ScheduleView['recovery']>,
): object {
  const { recoveries: _, ...fields } = scheduleFields(shownSchedule(schedule));
  const plan = {
    ...{ id, referencedId: paymentId, active: isActive, source },
    ...(isActive && { nextRun: timestampOf(dueMs) }),
  };
  return { ...fields, id, referencedId: schedule.id, ...moneyFields(amount), plan };
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

function moneyFields(amount: NonNullable<ScheduleState['amount']>): object {
  return { amount: formatAmount(fromMessage(amount)), currency: amount.currency };
}
