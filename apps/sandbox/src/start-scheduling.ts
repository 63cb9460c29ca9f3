import type { InProcessBus } from '@sluice/messaging';
import { addresses, loggerOf } from './service-parts.js';
import type { Apps, ServiceParts } from './services.js';

/** Starts what charges at the times of schedules, with the keys of its personal data. */
export function startScheduling(
  parts: ServiceParts,
  bus: InProcessBus,
): ReturnType<Apps['SchedulingModule']['start']> {
  const { apps, database, keys, settings } = parts;
  return apps.SchedulingModule.start({
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
  });
}
