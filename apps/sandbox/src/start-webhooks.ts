import type { SeededReceivers } from '@sluice/contracts';
import type { InProcessBus } from '@sluice/messaging';
import { join } from 'node:path';
import { addresses, loggerOf } from './service-parts.js';
import type { Apps, Seed, ServiceParts } from './services.js';

/** Starts the service that tells receivers what happens, by the clocks of those to whom it happens. */
export async function startWebhooks(
  parts: ServiceParts,
  bus: InProcessBus,
): ReturnType<Apps['WebhooksModule']['start']> {
  const { apps, clocks, database, keys, binTable, dataFolder, receivers } = parts;
  const webhooks = await apps.WebhooksModule.start({
    settings: {
      ...addresses(database.services.webhooks),
      gatewayEnvironment: 'test',
      // A receiver or shop that is being developed is on this machine.
      privateTargets: 'all',
      // Where whoever tries it looks at them; nothing leaves the machine.
      mailRelay: { kind: 'folder', path: join(dataFolder, 'mails') },
      mailSender: 'sluice@sandbox.example',
      ...(binTable !== undefined && { binTable }),
    },
    events: bus.events,
    transport: bus.transport('webhooks'),
    queries: bus.queries,
    keyProvider: keys.webhooks,
    logger: loggerOf(parts, 'webhooks'),
    health: parts.health,
    setClocks: clocks,
  });
  for (const earlier of await webhooks.seeded()) {
    if (!receivers.has(earlier.nodeId)) receivers.set(earlier.nodeId, earlier);
  }
  return webhooks;
}

/** All of them, with what a seed says now. */
export function receiversOf(
  receivers: Map<string, SeededReceivers>,
  accounts: Seed['accounts'],
): readonly SeededReceivers[] {
  for (const { id: nodeId, webhooks } of accounts) {
    if (webhooks !== undefined) receivers.set(nodeId, { nodeId, webhooks });
  }
  return [...receivers.values()];
}
