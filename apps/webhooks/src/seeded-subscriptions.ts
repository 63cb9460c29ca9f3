import type { SeededReceivers, SeededWebhook } from '@sluice/contracts';
import type { SubscriptionStanding } from '@sluice/domain-webhooks';
import { type EntityId, random } from '@sluice/identifiers';
import { createHash } from 'node:crypto';
import type { SealedSecrets } from './sealed-secrets.js';
import type { Subscriptions } from './subscriptions.js';

/** The parts they are made of. */
export interface SeededSubscriptionsParts {
  readonly subscriptions: Subscriptions;
  readonly secrets: SealedSecrets;
}

const SEED = 'seed';
/** What their ids begin with, by which they are told from those of operators. */
const SEEDED = '5eed5eed';
const ID_CHARACTERS = 32;
const SECRET_ID_BYTES = 16;

type Standings = ReadonlyMap<string, { readonly standing: SubscriptionStanding }>;

/** Subscriptions of a sandbox's seed file: as it says, active without a test, and gone when it says nothing. */
export class SeededSubscriptions {
  constructor(private readonly parts: SeededSubscriptionsParts) {}

  /** Brings these nodes to exactly what the file has; the same again records nothing. */
  async seed(nodes: readonly SeededReceivers[]): Promise<void> {
    for (const node of nodes) await this.#seedNode(node);
  }

  /** What earlier seeds have said, by node and with secrets in clear. */
  async seeded(): Promise<readonly SeededReceivers[]> {
    const { subscriptions, secrets } = this.parts;
    const webhooksOf = new Map<EntityId, SeededReceivers['webhooks'][number][]>();
    for (const each of (await subscriptions.now()).values()) {
      const { id, nodeId, url, types, fields, wrapper, standing } = each;
      if (!id.startsWith(SEEDED) || standing === 'removed') continue;
      const secret = await secrets.open(id, each.secret.sealed);
      const webhooks = webhooksOf.get(nodeId) ?? [];
      webhooksOf.set(nodeId, [...webhooks, { url, secret, types, fields, wrapper }]);
    }
    return [...webhooksOf].map(([nodeId, webhooks]) => ({ nodeId, webhooks }));
  }

  async #seedNode({ nodeId, webhooks }: SeededReceivers): Promise<void> {
    const { subscriptions } = this.parts;
    const known = await subscriptions.now();
    const wanted = new Set<string>();
    for (const webhook of webhooks) {
      const seeded = { ...webhook, nodeId };
      const id = seededIdOf(seeded, known);
      wanted.add(id);
      await this.#place(id, seeded, known.get(id)?.secret.sealed);
    }
    for (const { id, nodeId: other, standing } of known.values()) {
      const isSeeded = id.startsWith(SEEDED) && other === nodeId && standing !== 'removed';
      if (!isSeeded || wanted.has(id)) continue;
      await subscriptions.decide(id, SEED, (metadata) => ({
        type: 'RemoveSubscription',
        metadata,
      }));
    }
  }

  async #place(
    id: string,
    webhook: SeededWebhook,
    sealedBefore: string | undefined,
  ): Promise<void> {
    const { subscriptions, secrets } = this.parts;
    const { secret, nodeId: _, url: __, ...changes } = webhook;
    const secretId = random(SECRET_ID_BYTES).toString('hex');
    const sealedSecret = await secrets.seal(id, secret);
    if (sealedBefore === undefined) {
      const { secret: _secret, ...terms } = webhook;
      await subscriptions.decide(id, SEED, (metadata) => ({
        ...{ type: 'AddSubscription', subscriptionId: id, ...terms, secretId, sealedSecret },
        ...{ isTrusted: true, metadata },
      }));
      return;
    }
    await subscriptions.decide(id, SEED, (metadata) => ({
      ...{ type: 'ChangeSubscription', changes, isTrusted: true, metadata },
    }));
    if (secrets.isSame(await secrets.open(id, sealedBefore), secret)) return;
    await subscriptions.decide(id, SEED, (metadata) => ({
      ...{ type: 'RotateSecret', secretId, sealedSecret, overlapMs: 0, metadata },
    }));
  }
}

/** Of a receiver of a node: always the same, or the next one after one that was removed. */
function seededIdOf({ nodeId, url }: SeededWebhook, known: Standings): string {
  for (let generation = 0; ; generation += 1) {
    const hash = createHash('sha256').update(`${nodeId} ${url} ${generation}`, 'utf8');
    const id = `${SEEDED}${hash.digest('hex')}`.slice(0, ID_CHARACTERS);
    if (known.get(id)?.standing !== 'removed') return id;
  }
}
