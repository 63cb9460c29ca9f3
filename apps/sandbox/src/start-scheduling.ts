import type { InProcessBus } from '@sluice/messaging';
import { addresses, loggerOf } from './service-parts.js';
import type { Apps, ServiceParts } from './services.js';

/** Starts what charges at the times of schedules, by the clocks of those whose schedules they are. */
export async function startScheduling(
  parts: ServiceParts,
  bus: InProcessBus,
): ReturnType<Apps['SchedulingModule']['start']> {
  const { apps, clocks, database, keys, settings } = parts;
  const scheduling = await apps.SchedulingModule.start({
    settings: {
      ...addresses(database.services.scheduling),
      leaseMs: settings.sweeperLeaseMs,
      sweepIntervalMs: settings.sweepIntervalMs,
    },
    transport: bus.transport('scheduling'),
    queries: bus.queries,
    keyProvider: keys.scheduling,
    commandKeys: keys.commands,
    logger: loggerOf(parts, 'scheduling'),
    health: parts.health,
    setClocks: clocks,
  });
  clocks.followedBy('scheduling', scheduling);
  return scheduling;
}
