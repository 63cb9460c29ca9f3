import type { InProcessBus } from '@sluice/messaging';
import type { FollowsClocks } from '@sluice/service';
import { addresses, loggerOf, SIMULATOR_PATH } from './service-parts.js';
import type { Apps, ServiceParts } from './services.js';

/** Starts what checkouts are, which end by the clocks of those whose they are. */
export function startCheckouts(
  parts: ServiceParts,
  bus: InProcessBus,
  simulatorUrl: string,
): ReturnType<Apps['CheckoutsModule']['start']> {
  const { apps, clocks, database, keys, settings } = parts;
  return apps.CheckoutsModule.start({
    settings: {
      ...addresses(database.services.checkouts),
      leaseMs: settings.sweeperLeaseMs,
      sweepIntervalMs: settings.sweepIntervalMs,
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
}

type Started<Module extends 'CheckoutsModule' | 'WebhooksModule'> = Awaited<
  ReturnType<Apps[Module]['start']>
>;

/** By a clock in hand: a page of results that is to be called reads the result before the clock goes on. */
export function withCalls(
  checkouts: Started<'CheckoutsModule'>,
  webhooks: Pick<Started<'WebhooksModule'>, 'look'>,
): FollowsClocks {
  return {
    nextDueMs: (entityId) => checkouts.nextDueMs(entityId),
    doWhatIsDue: async (entityId, untilMs) => {
      const done = await checkouts.doWhatIsDue(entityId, untilMs);
      if (done > 0) await webhooks.look();
      return done;
    },
  };
}
