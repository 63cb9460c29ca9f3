import { deadTopicOf, eventTopics, type Message } from '@sluice/contracts';
import { isToldOf, NO_SUBSCRIPTION, receiverOf, type Subscription } from '@sluice/domain-webhooks';
import type { EntityId } from '@sluice/identifiers';
import type { EventBatch, Events, OpenSubscription } from '@sluice/messaging';
import { type EntityClock, inTransaction, type Logger } from '@sluice/service';
import type { Pool } from 'pg';
import { acceptDeliveries, type Telling } from './accepted-deliveries.js';
import type { AccountPaths } from './account-paths.js';
import type { CalledAddresses } from './called-addresses.js';
import { calledByPayment, type CalledEvent, calledByRegistration } from './called-events.js';
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
  readonly addresses: Pick<CalledAddresses, 'urlOf'>;
  readonly clock: Pick<EntityClock, 'now' | 'ofMachine'>;
  readonly logger: Pick<Logger, 'error'>;
  /** Something is due now. */
  readonly onAccepted: () => void;
}

/** Kafka lets a service read in groups alone that begin with its name. */
const GROUP = 'webhooks.events';
/** Whose events are heard. */
const TOLD_BY: Readonly<Record<string, typeof toldByPayment>> = {
  [eventTopics.payments]: toldByPayment,
  [eventTopics.registrations]: toldByRegistration,
  [eventTopics.scheduling]: toldBySchedule,
};
/** Whose requests may name an address that is called once they have ended. */
const CALLED_BY: Readonly<Record<string, typeof calledByPayment>> = {
  [eventTopics.payments]: calledByPayment,
  [eventTopics.registrations]: calledByRegistration,
};

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
    const called: CalledEvent[] = [];
    for (const { message, offset } of messages) {
      const found = TOLD_BY[topic]?.(message);
      if (typeof found === 'string') await this.#setAside({ topic, offset, message, why: found });
      else if (found !== undefined) told.push(this.#dated(found));
      const call = CALLED_BY[topic]?.(message);
      if (call !== undefined) called.push(this.#dated(call));
    }
    const tellings = [...(await this.#tellingsOf(told)), ...(await this.#callsOf(called))];
    const place = { topic, partition, lastOffset: messages.at(-1)?.offset ?? '0' };
    // Most payments are of nobody who wants to hear of them: they cost a look into a map.
    if (tellings.length === 0) return this.#heard.keep(place);
    const isAny = await inTransaction(this.parts.pool, async (client) => {
      const accepted = await acceptDeliveries(client, tellings, this.parts.clock);
      await this.#heard.note(client, place);
      return accepted > 0;
    });
    if (isAny) this.parts.onAccepted();
  }

  /** Stores of events date by the machine. */
  #dated<Event extends Pick<ToldEvent, 'entityId' | 'happenedAtMs'>>(told: Event): Event {
    const { entityId, happenedAtMs } = told;
    return { ...told, happenedAtMs: this.parts.clock.ofMachine(entityId, happenedAtMs) };
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

  /** Of the address only whom it leads to is kept here, so that it can wait for that one. */
  async #callsOf(called: readonly CalledEvent[]): Promise<readonly Telling[]> {
    const all: Telling[] = [];
    for (const found of called) {
      const url = await this.parts.addresses.urlOf(found);
      if (url === undefined) continue;
      const { objectId } = found;
      const receiver = receiverOf(new URL(url));
      all.push({ told: found, subscriptionId: NO_SUBSCRIPTION, objectId, receiver });
    }
    return all;
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
}

interface Unread {
  readonly topic: string;
  readonly offset: string;
  readonly message: Message;
  readonly why: string;
}

function tellingOf(told: ToldEvent, { id, url }: Subscription): Telling {
  const { objectId } = told;
  return { told, subscriptionId: id, objectId, receiver: receiverOf(new URL(url)) };
}
