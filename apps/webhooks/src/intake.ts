import { deadTopicOf, eventTopics, type Message } from '@sluice/contracts';
import { isToldOf, receiverOf, type Subscription } from '@sluice/domain-webhooks';
import { type EntityId, newMessageId } from '@sluice/identifiers';
import type { EventBatch, Events, OpenSubscription } from '@sluice/messaging';
import { type Clock, inTransaction, type Logger } from '@sluice/service';
import type { Pool, PoolClient } from 'pg';
import type { AccountPaths } from './account-paths.js';
import {
  decideQueue,
  lockQueues,
  makeQueues,
  type QueueKey,
  saveQueues,
} from './delivery-queues.js';
import { HeardOffsets } from './heard-offsets.js';
import type { Notifications } from './notifications.js';
import type { Subscriptions } from './subscriptions.js';
import {
  type ToldEvent,
  toldByPayment,
  toldByRegistration,
  toldBySchedule,
} from './told-events.js';

/** The parts it is made of. */
export interface IntakeParts {
  readonly pool: Pool;
  readonly events: Events;
  readonly subscriptions: Pick<Subscriptions, 'listeners'>;
  readonly paths: Pick<AccountPaths, 'pathOf'>;
  readonly notifications: Pick<Notifications, 'isUsable' | 'typeOf'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'error'>;
  /** Something is due now. */
  readonly onAccepted: () => void;
}

/** Kafka lets a service read in groups alone that begin with its name. */
const GROUP = 'webhooks.events';
const MS_PER_SECOND = 1_000;

/** Whose events are heard. */
const TOLD_BY: Readonly<Record<string, typeof toldByPayment>> = {
  [eventTopics.payments]: toldByPayment,
  [eventTopics.registrations]: toldByRegistration,
  [eventTopics.scheduling]: toldBySchedule,
};

const NOTE_DELIVERIES = `INSERT INTO deliveries
    (id, subscription_id, object_id, sequence, type, transaction_id, entity_id, ndc, action,
     happened_at, accepted_at)
  SELECT id, subscription_id, object_id, sequence, type, transaction_id, entity_id, ndc, action,
    to_timestamp(happened_at), to_timestamp($11)
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::text[], $10::float8[])
    AS new (id, subscription_id, object_id, sequence, type, transaction_id, entity_id, ndc, action,
      happened_at)`;

/** An event, and a subscription that is told of it. */
interface Telling extends QueueKey {
  readonly told: ToldEvent;
  readonly receiver: string;
}

/** A telling that is new. */
interface Accepted extends Telling {
  readonly deliveryId: string;
}

/**
 * Hears what happens, and puts what is to be told into the queues of those who want to hear it, in one
 * transaction with how far it has heard (R-WH-01). Nothing leaves the installation here.
 */
export class Intake {
  readonly #heard: HeardOffsets;
  #subscription: OpenSubscription | undefined;

  constructor(private readonly parts: IntakeParts) {
    this.#heard = new HeardOffsets(parts.pool);
  }

  /** Hears from now on, and what it has not heard before. */
  async start(): Promise<void> {
    this.#subscription = await this.parts.events.subscribe({
      group: GROUP,
      topics: Object.keys(TOLD_BY),
      startAfter: (topic, partition) => this.#heard.after(topic, partition),
      handle: (batch) => this.#take(batch),
    });
  }

  /** Notes what was heard and is to be told to nobody; see `NOTED_WITHIN_MS`. */
  noteHeard(): Promise<void> {
    return this.#heard.noteKept();
  }

  async close(): Promise<void> {
    await this.#subscription?.close();
    // Otherwise a little is heard once more.
    await this.noteHeard().catch(() => undefined);
  }

  async #take({ topic, partition, messages }: EventBatch): Promise<void> {
    const told: ToldEvent[] = [];
    for (const { message, offset } of messages) {
      const found = TOLD_BY[topic]?.(message);
      if (typeof found === 'string') await this.#setAside({ topic, offset, message, why: found });
      else if (found !== undefined) told.push(found);
    }
    const tellings = await this.#tellingsOf(told);
    const place = { topic, partition, lastOffset: messages.at(-1)?.offset ?? '0' };
    // Most payments are of nobody who wants to hear of them: they cost a look into a map.
    if (tellings.length === 0) return this.#heard.keep(place);
    const isAny = await inTransaction(this.parts.pool, async (client) => {
      const accepted = await this.#accept(client, tellings);
      await this.#heard.note(client, place);
      return accepted > 0;
    });
    if (isAny) this.parts.onAccepted();
  }

  /** A copy can be sent again by `sluice dead-letters` once it can be read. */
  async #setAside({ topic, offset, message, why }: Unread): Promise<void> {
    await this.parts.events.publish(deadTopicOf(topic), [message]);
    const fields = { topic, offset, messageId: message.id, type: message.type, why };
    this.parts.logger.error(fields, 'An event cannot be told to anybody, and was set aside.');
  }

  async #tellingsOf(told: readonly ToldEvent[]): Promise<readonly Telling[]> {
    if (told.length === 0) return [];
    const listeners = await this.parts.subscriptions.listeners();
    // Whoever has no subscription needs no account tree either.
    if (listeners.size === 0) return [];
    const all: Telling[] = [];
    for (const found of told) {
      const nodes = await this.parts.paths.pathOf(found.entityId);
      const near = nodes.flatMap((node) => listeners.get(node) ?? []);
      if (near.length > 0) all.push(...(await this.#tellingsTo(near, nodes, found)));
    }
    return all;
  }

  async #tellingsTo(
    near: readonly Subscription[],
    nodes: readonly EntityId[],
    found: ToldEvent,
  ): Promise<readonly Telling[]> {
    const told = await this.#typed(found);
    if (told === undefined) return [];
    const wanted = near.filter((each) => isToldOf(each, { type: told.type, nodes }));
    if (wanted.length === 0 || !(await this.#isTold(told))) return [];
    return wanted.map((subscription) => tellingOf(told, subscription));
  }

  /** Only payments knows what an event that does not say it is about; after a restore it may know nothing. */
  async #typed(told: ToldEvent): Promise<ToldEvent | undefined> {
    if (told.mayBeRisk !== true) return told;
    const type = await this.parts.notifications.typeOf(told);
    return type && { ...told, type };
  }

  /** Only its owner knows whether a registration that was made can be used already. */
  async #isTold(told: ToldEvent): Promise<boolean> {
    return told.action !== 'CREATED' || this.parts.notifications.isUsable(told);
  }

  async #accept(client: PoolClient, tellings: readonly Telling[]): Promise<number> {
    if (tellings.length === 0) return 0;
    const nowMs = this.parts.clock.now();
    await makeQueues(client, tellings, nowMs);
    const queues = new Map(
      (await lockQueues(client, tellings)).map((queue) => [nameOf(queue), queue]),
    );
    const accepted: Accepted[] = [];
    for (const telling of tellings) {
      const queue = queues.get(nameOf(telling));
      if (queue === undefined) throw new Error('A queue that was just made is not there.');
      const deliveryId = newMessageId(nowMs);
      const { sequence } = telling.told;
      const command = { type: 'AcceptDelivery', deliveryId, sequence, nowMs } as const;
      if (decideQueue(queue, command).length > 0) accepted.push({ ...telling, deliveryId });
    }
    await noteDeliveries(client, accepted, nowMs);
    await saveQueues(
      client,
      [...queues.values()].filter(({ events }) => events.length > 0),
      nowMs,
    );
    return accepted.length;
  }
}

interface Unread {
  readonly topic: string;
  readonly offset: string;
  readonly message: Message;
  readonly why: string;
}

async function noteDeliveries(
  client: PoolClient,
  accepted: readonly Accepted[],
  nowMs: number,
): Promise<void> {
  if (accepted.length === 0) return;
  await client.query({
    ...{ name: 'note deliveries', text: NOTE_DELIVERIES },
    values: [
      accepted.map(({ deliveryId }) => deliveryId),
      accepted.map(({ subscriptionId }) => subscriptionId),
      accepted.map(({ objectId }) => objectId),
      accepted.map(({ told }) => told.sequence),
      accepted.map(({ told }) => told.type),
      accepted.map(({ told }) => told.transactionId),
      accepted.map(({ told }) => told.entityId),
      accepted.map(({ told }) => told.ndc),
      accepted.map(({ told }) => told.action ?? null),
      accepted.map(({ told }) => told.happenedAtMs / MS_PER_SECOND),
      nowMs / MS_PER_SECOND,
    ],
  });
}

function tellingOf(told: ToldEvent, { id, url }: Subscription): Telling {
  const { objectId } = told;
  return { told, subscriptionId: id, objectId, receiver: receiverOf(new URL(url)) };
}

function nameOf({ subscriptionId, objectId }: QueueKey): string {
  return `${subscriptionId} ${objectId}`;
}
