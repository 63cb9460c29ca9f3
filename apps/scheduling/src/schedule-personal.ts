import { openPersonal, type PersonalParameters, unwrapPersonalKey } from '@sluice/aggregates';
import type { Schedule } from '@sluice/domain-scheduling';
import type { KeyProvider } from '@sluice/service';
import type { ScheduleStore, ScheduleStream } from './schedule-aggregate.js';

/** What opens personal parameters. */
export interface PersonalParts {
  readonly keys: KeyProvider;
  readonly personalKeys: ScheduleStore['personalKeys'];
}

/** What is personal of a schedule that somebody here is working on. */
export async function personalIn(
  { id, wrappedPersonalKey }: Pick<ScheduleStream, 'id' | 'wrappedPersonalKey'>,
  schedule: Schedule,
  { keys, personalKeys }: PersonalParts,
): Promise<PersonalParameters> {
  if (schedule.plan?.personal === undefined) return {};
  const wrapped = wrappedPersonalKey ?? (await personalKeys.of(id));
  return personalOf(schedule, wrapped === 'erased' ? undefined : wrapped, keys);
}

/**
 * What is personal of a schedule as it is now; empty once the key was destroyed, which is how personal
 * data is erased (page 0010).
 */
export async function personalOf(
  { id, plan }: Pick<Schedule, 'id' | 'plan'>,
  wrapped: Buffer | undefined,
  keys: KeyProvider,
): Promise<PersonalParameters> {
  if (plan?.personal === undefined || wrapped === undefined) return {};
  const key = await unwrapPersonalKey(keys, id, wrapped);
  return openPersonal(key, plan.personal.transactionId, plan.personal.sealed);
}
