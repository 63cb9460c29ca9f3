import {
  collects,
  type DeliveryEvent,
  isCallType,
  NO_SUBSCRIPTION,
  receiverOf,
  sends,
  type Subscription,
} from '@sluice/domain-webhooks';
import { newMessageId } from '@sluice/identifiers';
import { type Clock, type EntityClock, inTransaction, type SetClocks } from '@sluice/service';
import type { Pool, PoolClient } from 'pg';
import { type AttemptRecord, noteAttempts } from './attempt-records.js';
import type { CallSource } from './called-addresses.js';
import { decideQueue, type LockedQueue, type QueueKey, saveQueues } from './delivery-queues.js';
import type { TextSource } from './notifications.js';
import type { Receivers } from './receivers.js';
import type { Subscriptions } from './subscriptions.js';

/** The parts they are made of. */
export interface BeginningsParts {
  readonly pool: Pool;
  readonly subscriptions: Pick<Subscriptions, 'now' | 'recent'>;
  readonly receivers: Receivers;
  /** Of the machine. */
  readonly machine: Pick<Clock, 'monotonicMs'>;
  readonly clock: Pick<EntityClock, 'now'>;
  /** Who has a clock of his own, by which receivers are away for him. */
  readonly setClocks: Pick<SetClocks, 'aheadMs'>;
}

/** An attempt that is recorded as begun, and is this process's to make. */
export interface Claim extends QueueKey {
  readonly attemptId: string;
  readonly deliveryId: string;
  readonly receiver: string;
  /** Of the receiver, by the clock that the attempt is dated by. */
  readonly breaker: string;
  readonly beganAtMs: number;
  /** Of the delivery; 0: nobody has tried it before. */
  readonly failures: number;
  readonly told: Notice | Call;
}

/** What a subscription is told. */
export interface Notice {
  readonly subscription: Subscription;
  readonly source: TextSource;
}

/** What an address of a request is told. */
export interface Call {
  readonly subscription?: never;
  readonly source: CallSource;
}

/** What was begun of what is due. */
export interface Begun {
  readonly claims: readonly Claim[];
  /** How many queues are due of those that were looked for. */
  readonly found: number;
  /** Of them, those of which something was recorded. */
  readonly changed: number;
  /** More is due for these receivers than they have room for. */
  readonly full: ReadonlySet<string>;
}

/** Locks what is due, as far as somebody looks for it. */
export type LockDue = (client: PoolClient) => Promise<readonly LockedQueue[]>;

/** What waits for a subscription that is paused is looked at so often, to be given up in time. */
const PAUSED_FOR_MS = 60_000;

const SOURCES = `SELECT id, type, transaction_id AS "transactionId", entity_id AS "entityId", ndc,
    action, sequence,
    extract(epoch FROM happened_at)::float8 * 1000 AS "happenedAtMs"
  FROM deliveries WHERE id = ANY($1::uuid[])`;

type SourceRow = (TextSource | CallSource) & { readonly id: string };

type Beginning = Omit<Claim, 'told'> & { readonly subscription: Subscription | undefined };

/** What one look finds. */
interface Look {
  readonly begun: Beginning[];
  readonly full: Set<string>;
}

/** Begins attempts of what is due: recorded before anything is sent, so that no two processes send it. */
export class Beginnings {
  constructor(private readonly parts: BeginningsParts) {}

  /** As many as there are places for; the others stay as they are, and due. */
  async begin(lockDue: LockDue): Promise<Begun> {
    const { subscriptions } = this.parts;
    const recent = await subscriptions.recent();
    let unsure = 0;
    const begun = await this.#beginBy(recent, async (client) => {
      const queues = await lockDue(client);
      unsure = queues.filter((queue) => !isToldBy(queue, recent)).length;
      return unsure === 0 ? queues : [];
    });
    // What was true a moment ago is good enough to send by, but not to postpone or discard anything by.
    return unsure === 0 ? begun : this.#beginBy(await subscriptions.now(), lockDue);
  }

  async #beginBy(
    subscriptions: ReadonlyMap<string, Subscription>,
    lockDue: LockDue,
  ): Promise<Begun> {
    const { pool, receivers, machine, clock } = this.parts;
    const look: Look = { begun: [], full: new Set() };
    try {
      return await inTransaction(pool, async (client) => {
        const queues = await lockDue(client);
        for (const queue of queues) {
          this.#look(queue, subscriptions.get(queue.subscriptionId), look);
        }
        const changed = queues.filter(isChanged);
        await saveQueues(client, changed, clock);
        await noteAttempts(
          client,
          changed.flatMap((queue) => lapsedOf(queue, clock.now(queue.entityId))),
        );
        const claims = await withSources(client, look.begun);
        return { claims, found: queues.length, changed: changed.length, full: look.full };
      });
    } catch (error) {
      for (const { attemptId } of look.begun) {
        receivers.answered(attemptId, machine.monotonicMs());
        receivers.end(attemptId);
      }
      throw error;
    }
  }

  #look(queue: LockedQueue, subscription: Subscription | undefined, look: Look): void {
    const nowMs = this.parts.clock.now(queue.entityId);
    if (queue.subscriptionId === NO_SUBSCRIPTION) return this.#call(queue, undefined, look);
    if (subscription === undefined || !collects(subscription)) {
      decideQueue(queue, { type: 'DiscardDeliveries' });
      return;
    }
    if (!sends(subscription)) return postpone(queue, nowMs + PAUSED_FOR_MS, nowMs);
    const receiver = receiverOf(new URL(subscription.url));
    queue.isMoved = queue.receiver !== receiver;
    queue.receiver = receiver;
    this.#call(queue, subscription, look);
  }

  /** Its receiver may be called as often as it is allowed to, whoever has something to tell it. */
  #call(queue: LockedQueue, subscription: Subscription | undefined, { begun, full }: Look): void {
    const { receivers, clock } = this.parts;
    const nowMs = clock.now(queue.entityId);
    const mayCall = receivers.mayCall(queue.receiver, nowMs, this.#breakerOf(queue));
    if (typeof mayCall === 'number') postpone(queue, Math.max(mayCall, nowMs), nowMs);
    else if (!mayCall) full.add(queue.receiver);
    else begun.push(...this.#begun(queue, subscription, nowMs));
  }

  #begun(
    queue: LockedQueue,
    subscription: Subscription | undefined,
    nowMs: number,
  ): readonly Beginning[] {
    const attemptId = newMessageId(nowMs);
    const events = decideQueue(queue, { type: 'BeginAttempt', attemptId, nowMs });
    const begin = events.find(isBegin);
    if (begin === undefined) return [];
    const { deliveryId } = begin;
    const { receiver, subscriptionId, objectId } = queue;
    const breaker = this.#breakerOf(queue);
    this.parts.receivers.begin(receiver, attemptId, nowMs, breaker);
    const { failures = 0 } = queue.state.waiting.find(({ id }) => id === deliveryId) ?? {};
    const whom = { receiver, breaker, subscription };
    const claim = { attemptId, deliveryId, ...whom, beganAtMs: nowMs, failures };
    return [{ subscriptionId, objectId, ...claim }];
  }

  /** How long a receiver was away by one clock says nothing by another one. */
  #breakerOf({ receiver, entityId }: LockedQueue): string {
    return this.parts.setClocks.aheadMs(entityId) === 0 ? receiver : `${receiver} ${entityId}`;
  }
}

/** Whether it is sent as far as these say: they have its subscription, or it needs none. */
function isToldBy(
  { subscriptionId }: LockedQueue,
  subscriptions: ReadonlyMap<string, Subscription>,
): boolean {
  const subscription = subscriptions.get(subscriptionId);
  return subscriptionId === NO_SUBSCRIPTION || (subscription !== undefined && sends(subscription));
}

/** Nobody may make an attempt before a time; what is over until then is given up. */
function postpone(queue: LockedQueue, untilMs: number, nowMs: number): void {
  decideQueue(queue, { type: 'GiveUpOverdue', nowMs });
  if (queue.state.waiting.length > 0) queue.lookedAtMs = untilMs;
}

/** One for which there was no place stays as it is, and due. */
function isChanged({ events, lookedAtMs, isMoved, state }: LockedQueue): boolean {
  const isEmpty = state.waiting.length === 0;
  return events.length > 0 || lookedAtMs !== undefined || isMoved === true || isEmpty;
}

type BeginEvent = Extract<DeliveryEvent, { readonly type: 'AttemptBegun' }>;

function isBegin(event: DeliveryEvent): event is BeginEvent {
  return event.type === 'AttemptBegun';
}

/** Attempts whose processes have not come back. */
function lapsedOf(
  { events, subscriptionId }: LockedQueue,
  nowMs: number,
): readonly AttemptRecord[] {
  return events.flatMap((event) => {
    if (event.type !== 'AttemptLapsed') return [];
    const { attemptId: id, deliveryId } = event;
    const times = { beganAtMs: nowMs, endedAtMs: nowMs };
    return [{ id, deliveryId, subscriptionId, ...times, outcome: 'lapsed' as const }];
  });
}

async function withSources(
  client: PoolClient,
  begun: readonly Beginning[],
): Promise<readonly Claim[]> {
  if (begun.length === 0) return [];
  const values = [begun.map(({ deliveryId }) => deliveryId)];
  const { rows } = await client.query<SourceRow>({ name: 'sources', text: SOURCES, values });
  const sources = new Map(rows.map((row) => [row.id, row]));
  return begun.map(({ subscription, ...claim }) => {
    const source = sources.get(claim.deliveryId);
    if (source === undefined) throw new Error('A delivery of a queue has no row.');
    return { ...claim, told: toldOf(source, subscription) };
  });
}

function toldOf(source: TextSource | CallSource, subscription: Subscription | undefined) {
  if (isCall(source)) return { source };
  if (subscription === undefined) throw new Error('A notification is of a subscription.');
  return { subscription, source };
}

function isCall(source: TextSource | CallSource): source is CallSource {
  return isCallType(source.type);
}
