import { referenceText } from '@sluice/aggregates';
import type {
  ScheduleAnswer,
  ScheduleQuery,
  SchedulesOfRegistrationAnswer,
  SchedulesOfRegistrationQuery,
  ScheduleView,
} from '@sluice/contracts';
import {
  latestSource,
  recoveryPlanOf,
  type Schedule,
  type ScheduleEvent,
  scheduleEventCodec,
} from '@sluice/domain-scheduling';
import type { EntityId, TransactionId } from '@sluice/identifiers';
import { toMessage } from '@sluice/money';
import type { KeyProvider } from '@sluice/service';
import { scheduleOf, type ScheduleStore } from './schedule-aggregate.js';
import { personalOf } from './schedule-personal.js';
import { outcomeOf, stateShown } from './schedule-replies.js';

/** More than anybody has of one account; the first ones are shown, in the order of their ids. */
const LISTED_MAX = 100;

/** By what the schedules of a registration are found. */
export function textOfRegistration(entityId: EntityId, registrationId: TransactionId): string {
  return referenceText(entityId, registrationId);
}

/** What of a schedule is asked for. */
interface Shown {
  /** By which of its ids; absent: by its own. */
  readonly askedId?: string;
  /** What came later is as if it had not happened yet; absent: all of it. */
  readonly atVersion?: number | undefined;
}

/** Answers queries by folding the streams of schedules, so answers are always current. */
export class ScheduleQueries {
  constructor(
    private readonly store: Pick<ScheduleStore, 'readWithKey' | 'streamOf' | 'lookUp'>,
    private readonly keys: KeyProvider,
  ) {}

  /** One schedule of the asking tenant, by any of its ids; somebody else's is answered like an unknown one. */
  async schedule({ scheduleId, entityId, atVersion }: ScheduleQuery): Promise<ScheduleAnswer> {
    const streamId = await this.store.streamOf(scheduleId);
    const schedule =
      streamId === undefined
        ? undefined
        : await this.#view(streamId, entityId, { askedId: scheduleId, atVersion });
    return schedule === undefined ? {} : { schedule };
  }

  /** Those of one registration; those that were refused are not among them. */
  async ofRegistration({
    registrationId,
    entityId,
  }: SchedulesOfRegistrationQuery): Promise<SchedulesOfRegistrationAnswer> {
    const text = textOfRegistration(entityId, registrationId);
    const { found } = await this.store.lookUp(text, LISTED_MAX);
    const streamIds = [...new Set(found.map(({ streamId }) => streamId))].sort();
    const views = await Promise.all(streamIds.map((id) => this.#view(id, entityId)));
    // A few of other texts may be among them.
    const isAsked = (view: ScheduleView): boolean => view.registrationId === registrationId;
    const schedules = views.flatMap((view) => (view && isAsked(view) && isMade(view) ? view : []));
    return { schedules };
  }

  async #view(
    streamId: string,
    entityId: EntityId,
    { askedId = streamId, atVersion = Infinity }: Shown = {},
  ): Promise<ScheduleView | undefined> {
    const found = await this.store.readWithKey(streamId);
    const events = (found?.events ?? []).filter(({ version }) => version <= atVersion);
    const schedule = scheduleOf(events);
    if (schedule?.metadata.entityId !== entityId) return undefined;
    const decoded = events.map(scheduleEventCodec.decode);
    const recovery = recoveryShown(decoded, schedule, askedId);
    return {
      ...stateShown(schedule),
      ...{ entityId, channelName: schedule.metadata.channelName, mode: schedule.metadata.mode },
      ...{ source: latestSource(decoded), outcome: ownOutcome(schedule) },
      ...(recovery !== undefined && { recovery }),
      parameters: schedule.plan?.parameters ?? {},
      personal: await personalOf(schedule, found?.personalKey, this.keys),
    };
  }
}

function isMade({ planId }: ScheduleView): boolean {
  return planId !== undefined;
}

function recoveryShown(
  events: readonly ScheduleEvent[],
  schedule: Schedule,
  askedId: string,
): ScheduleView['recovery'] {
  // These are the ids of requests: only a try has none.
  if (schedule.outcomes.has(askedId)) return undefined;
  const plan = recoveryPlanOf(events, schedule, askedId);
  if (plan === undefined) return undefined;
  const { runId: paymentId, amount, ...planned } = plan;
  return { ...planned, paymentId, amount: toMessage(amount) };
}

/** What became of the request that made it. */
function ownOutcome(schedule: Schedule): ScheduleView['outcome'] {
  const outcome = outcomeOf(schedule, schedule.id);
  if (outcome === undefined) throw new Error('A schedule without its own request.');
  return outcome;
}
