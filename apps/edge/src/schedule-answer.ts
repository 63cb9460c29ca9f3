import {
  type AnswerStamp,
  resultOf,
  scheduleFields,
  type ShownSchedule,
  shownSchedule,
  stampFields,
  triedFields,
} from '@sluice/answers';
import type { ScheduleOutcome, ScheduleView } from '@sluice/contracts';
import { scheduleTypeOf } from '@sluice/parameters';
import { codes, httpStatusOf } from '@sluice/result-codes';
import type { Answer } from './answer.js';

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
  const { recovery, outcome } = schedule;
  if (recovery === undefined) {
    return { ...scheduleAnswer(shownSchedule(schedule), stamp), status: 200 };
  }
  const { resultCode } = outcome;
  const body = JSON.stringify({ ...triedFields(schedule, recovery), ...stampFields(stamp) });
  return { status: 200, resultCode, ndc: stamp.ndc, body, transactionId: recovery.id };
}

/** The answer to a search. */
export function schedulesAnswer(schedules: readonly ScheduleView[], stamp: AnswerStamp): Answer {
  const resultCode = codes.requestSuccessful;
  const body = JSON.stringify({
    ...{ result: resultOf(resultCode), ...stampFields(stamp) },
    schedules: schedules.map((schedule) => scheduleFields(shownSchedule(schedule))),
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
