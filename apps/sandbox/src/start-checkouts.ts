import type { InProcessBus } from '@sluice/messaging';
import { addresses, loggerOf, SIMULATOR_PATH } from './service-parts.js';
import type { Apps, ServiceParts } from './services.js';

/** Starts what checkouts are, which end by the clocks of those whose they are. */
export async function startCheckouts(
  parts: ServiceParts,
  bus: InProcessBus,
  simulatorUrl: string,
): ReturnType<Apps['CheckoutsModule']['start']> {
  const { apps, clocks, database, keys, settings } = parts;
  const checkouts = await apps.CheckoutsModule.start({
    settings: {
      ...addresses(database.services.checkouts),
      leaseMs: settings.sweeperLeaseMs,
      sweepIntervalMs: settings.sweepIntervalMs,
      // A shop that is being developed is on this machine.
      privateTargets: 'all',
      // Browsers find its pages at edge's port.
      ...{ walletSimulatorUrl: simulatorUrl, walletPagesUrl: SIMULATOR_PATH },
    },
    transport: bus.transport('checkouts'),
    queries: bus.queries,
    keyProvider: keys.checkouts,
    commandKeys: keys.commands,
    logger: loggerOf(parts, 'checkouts'),
    health: parts.health,
    setClocks: clocks,
  });
  clocks.followedBy('checkouts', checkouts);
  return checkouts;
}
