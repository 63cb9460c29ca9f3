import type { KeepingVault } from '@sluice/contracts';
import type { InProcessBus } from '@sluice/messaging';
import { addresses, loggerOf } from './service-parts.js';
import type { Apps, ServiceParts } from './services.js';

/** Starts what stores accounts, whose details end by the clocks of those whose they are. */
export async function startRegistrations(
  parts: ServiceParts,
  bus: InProcessBus,
  vault: KeepingVault,
): ReturnType<Apps['RegistrationsModule']['start']> {
  const { apps, clocks, database, keys, settings } = parts;
  const registrations = await apps.RegistrationsModule.start({
    settings: {
      ...addresses(database.services.registrations),
      leaseMs: settings.sweeperLeaseMs,
      sweepIntervalMs: settings.sweepIntervalMs,
    },
    transport: bus.transport('registrations'),
    vault,
    queries: bus.queries,
    keyProvider: keys.registrations,
    commandKeys: keys.commands,
    logger: loggerOf(parts, 'registrations'),
    health: parts.health,
    setClocks: clocks,
  });
  clocks.followedBy('registrations', registrations);
  return registrations;
}
