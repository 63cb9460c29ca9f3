import { EventStore } from '@sluice/event-store';
import { type EntityId, random } from '@sluice/identifiers';
import { WebhookSecret } from '@sluice/secrets';
import {
  createPool,
  EntityClock,
  FileKeyProvider,
  noSetClocks,
  systemClock,
} from '@sluice/service';
import { SealedSecrets, Subscriptions } from '@sluice/webhooks';

/** What all of them have. */
export const BENCH_SECRET = '0123456789abcdef'.repeat(4);

/** Who is told of what happens at a node. */
export interface WantedSubscription {
  readonly nodeId: EntityId;
  readonly url: string;
}

const AT_ONCE = 16;
const ID_BYTES = 16;

/** Adds subscriptions that are active, as an operator does. */
export async function subscribe(
  { url, schema, keyFile }: Record<'url' | 'schema' | 'keyFile', string>,
  wanted: readonly WantedSubscription[],
): Promise<void> {
  const pool = createPool(url, {
    ...{ service: 'bench', schema, connectionsMax: AT_ONCE, onError: () => undefined },
  });
  const keys = await FileKeyProvider.open(keyFile);
  const secrets = new SealedSecrets(keys, systemClock);
  const secret = new WebhookSecret(BENCH_SECRET);
  const store = new EventStore(pool, { schema });
  const clock = new EntityClock(systemClock, noSetClocks);
  const subscriptions = new Subscriptions({ store, machine: systemClock, clock });
  const left = [...wanted];
  const subscribing = Array.from({ length: AT_ONCE }, async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { nodeId, url: receiver } = next;
      const subscriptionId = random(ID_BYTES).toString('hex');
      const sealedSecret = await secrets.seal(subscriptionId, secret);
      await subscriptions.decide(subscriptionId, 'bench', (metadata) => ({
        ...{ type: 'AddSubscription', subscriptionId, nodeId, url: receiver, types: ['PAYMENT'] },
        ...{ fields: 'ALL', wrapper: 'none', secretId: random(ID_BYTES).toString('hex') },
        ...{ sealedSecret, isTrusted: true, metadata },
      }));
    }
  });
  await Promise.all(subscribing);
  subscriptions.close();
  keys.close();
  await pool.end();
}
