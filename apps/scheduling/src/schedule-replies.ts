import type { CommandReply, ReplyWords } from '@sluice/aggregates';
import {
  ELSEWHERE,
  type FixedAnswer,
  type ScheduleOutcome,
  type ScheduleReply,
  type ScheduleState,
} from '@sluice/contracts';
import type { Schedule, ScheduleStreamState } from '@sluice/domain-scheduling';
import { toMessage } from '@sluice/money';
import { scheduleOf, type ScheduleStore } from './schedule-aggregate.js';

/** What a command is answered with. */
export type HandlerReply = CommandReply<ScheduleReply>;

/** There is no such schedule of this channel. */
export const NOT_FOUND: ScheduleReply = { kind: 'notFound' };
const UNAVAILABLE: ScheduleReply = { kind: 'unavailable' };
const BUSY: ScheduleReply = { kind: 'busy' };

/** How scheduling answers commands. */
export function scheduleWords(
  store: Pick<ScheduleStore, 'readByTransaction'>,
): ReplyWords<ScheduleStreamState, ScheduleReply> {
  return {
    ...{ busy: BUSY, unavailable: UNAVAILABLE, elsewhere: ELSEWHERE },
    ofUsedKey: ({ fingerprint, answer, reply }) => ({
      ...{ kind: 'keyTaken', fingerprint, answer: JSON.parse(answer) as FixedAnswer },
      ...(reply.kind === 'outcome' && { first: reply }),
    }),
    of: replyOf,
    // What was asked for is done once it is recorded; runs are nobody's request.
    isRequested: () => false,
    recorded: {
      replyFor: async (transactionId) => {
        const found = await store.readByTransaction(transactionId);
        return replyOf(found && scheduleOf(found.events), transactionId);
      },
      isUnderWay: () => false,
    },
  };
}

/** What the stream says of a request; busy if it is just being recorded. */
function replyOf(state: ScheduleStreamState, transactionId: string): ScheduleReply {
  const outcome = state && outcomeOf(state, transactionId);
  if (state === undefined || outcome === undefined) return BUSY;
  return { kind: 'outcome', outcome, schedule: stateShown(state) };
}

/** What a request about a schedule came to. */
export function outcomeOf(schedule: Schedule, transactionId: string): ScheduleOutcome | undefined {
  const outcome = schedule.outcomes.get(transactionId);
  if (outcome === undefined) return undefined;
  return { ...outcome, ...(outcome.id !== schedule.id && { referencedId: schedule.id }) };
}

/** A schedule as answers show it, without what was sent. */
export function stateShown(schedule: Schedule): ScheduleState {
  const { id, registrationId, plan, status, endsAtMs, recoveries } = schedule;
  const isOpen = status === 'active' || status === 'leaving';
  const nextDueMs = isOpen ? plan?.nextDueMs : undefined;
  return {
    ...{ id, registrationId, isActive: nextDueMs !== undefined },
    ...(plan && { amount: toMessage(plan.amount), planId: plan.id }),
    ...(nextDueMs !== undefined && { nextDueMs }),
    ...(Number.isFinite(endsAtMs) && { endsAtMs }),
    recoveries: [...recoveries.values()].flatMap(({ runId: paymentId, amount, planned }) =>
      planned === undefined ? [] : [{ ...planned, paymentId, amount: toMessage(amount) }],
    ),
  };
}
