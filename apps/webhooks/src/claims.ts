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
import {
  decideQueue,
  lockDueQueues,
  type LockedQueue,
  nextDueAtMs,
  nextDueOfMs,
  type QueueKey,
  saveQueues,
} from './delivery-queues.js';
import type { CallSource } from './called-addresses.js';
import type { TextSource } from './notifications.js';
import type { Receivers } from './receivers.js';
import type { Subscriptions } from './subscriptions.js';

/** The parts they are made of. */
export interface ClaimsParts {
  readonly pool: Pool;
  readonly subscriptions: Pick<Subscriptions, 'now'>;
  readonly receivers: Receivers;
  /** Of the machine. */
  readonly machine: Pick<Clock, 'now'>;
  readonly clock: Pick<EntityClock, 'now'>;
  /** Who has a clock of his own, by which what is due is looked for. */
  readonly setClocks: SetClocks;
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

/** What a look has come to. */
export interface Claimed {
  readonly claims: readonly Claim[];
  /** There may be more that is due. */
  readonly isFull: boolean;
  /** When something is due next, milliseconds since the epoch; undefined: nothing waits. */
  readonly nextDueAtMs: number | undefined;
}

/** One statement's worth; what is left is claimed by the next look, a few milliseconds later. */
const CLAIMED_MAX = 256;
/** What waits for a subscription that is paused is looked at so often, to be given up in time. */
const PAUSED_FOR_MS = 60_000;

const SOURCES = `SELECT id, type, transaction_id AS "transactionId", entity_id AS "entityId", ndc,
    action, sequence,
    extract(epoch FROM happened_at)::float8 * 1000 AS "happenedAtMs"
  FROM deliveries WHERE id = ANY($1::uuid[])`;

type SourceRow = (TextSource | CallSource) & { readonly id: string };

type Begun = Omit<Claim, 'told'> & { readonly subscription: Subscription | undefined };

/** Takes what is due: recorded as begun before anything is sent, so that no two processes send it. */
export class Claims {
  /** Nothing was due the last time, so that it is asked first whether anything is: one query, not six. */
  #isAtRest = false;

  constructor(private readonly parts: ClaimsParts) {}

  /** Begins the attempts that are due, as many as there are places for. */
  async take(): Promise<Claimed> {
    const claimed = await this.#take();
    const claims = [...claimed.claims];
    for (const entityId of this.parts.setClocks.all().keys()) {
      claims.push(...(await this.#take(entityId)).claims);
    }
    return { ...claimed, claims };
  }

  /** Begins those that are due of an entity by its clock. */
  takeOf(entityId: string): Promise<Claimed> {
    return this.#take(entityId);
  }

  /** When something is due of an entity next, by its clock. */
  async nextDueOfMs(entityId: string): Promise<number | null> {
    const { pool, subscriptions } = this.parts;
    const paused = [...(await subscriptions.now()).values()].filter(
      (each) => collects(each) && !sends(each),
    );
    return nextDueOfMs(
      pool,
      entityId,
      paused.map(({ id }) => id),
    );
  }

  async #take(entityId?: string): Promise<Claimed> {
    const { pool, receivers, machine, clock } = this.parts;
    const limit = Math.min(CLAIMED_MAX, receivers.free);
    if (limit <= 0) return { claims: [], isFull: false, nextDueAtMs: undefined };
    if (this.#isAtRest && entityId === undefined) {
      const dueAtMs = await nextDueAtMs(pool);
      if (dueAtMs === undefined || dueAtMs > machine.now()) {
        return { claims: [], isFull: false, nextDueAtMs: dueAtMs };
      }
    }
    const subscriptions = await this.parts.subscriptions.now();
    const begun: Begun[] = [];
    try {
      return await inTransaction(pool, async (client) => {
        const nowMs = entityId === undefined ? machine.now() : clock.now(entityId);
        const of = entityId === undefined ? {} : { entityId };
        const queues = await lockDueQueues(client, { nowMs, except: receivers.busy, limit, ...of });
        for (const queue of queues) {
          const subscription = subscriptions.get(queue.subscriptionId);
          begun.push(...this.#look(queue, subscription, clock.now(queue.entityId)));
        }
        await saveQueues(client, queues.filter(isLookedAt), clock);
        await noteAttempts(
          client,
          queues.flatMap((queue) => lapsedOf(queue, clock.now(queue.entityId))),
        );
        const claims = await withSources(client, begun);
        const isFull = queues.length >= limit;
        if (entityId === undefined) this.#isAtRest = queues.length === 0;
        return { claims, isFull, nextDueAtMs: isFull ? nowMs : await nextDueAtMs(client, nowMs) };
      });
    } catch (error) {
      for (const { receiver } of begun) {
        receivers.answered(receiver);
        receivers.end(receiver);
      }
      throw error;
    }
  }

  #look(
    queue: LockedQueue,
    subscription: Subscription | undefined,
    nowMs: number,
  ): readonly Begun[] {
    if (queue.subscriptionId === NO_SUBSCRIPTION) return this.#called(queue, undefined, nowMs);
    if (subscription === undefined || !collects(subscription)) {
      decideQueue(queue, { type: 'DiscardDeliveries' });
      return [];
    }
    if (!sends(subscription)) return postponed(queue, nowMs + PAUSED_FOR_MS, nowMs);
    queue.receiver = receiverOf(new URL(subscription.url));
    return this.#called(queue, subscription, nowMs);
  }

  /** Its receiver may be called as often as it is allowed to, whoever has something to tell it. */
  #called(
    queue: LockedQueue,
    subscription: Subscription | undefined,
    nowMs: number,
  ): readonly Begun[] {
    const { receivers } = this.parts;
    const mayCall = receivers.mayCall(queue.receiver, nowMs, this.#breakerOf(queue));
    if (typeof mayCall === 'number') return postponed(queue, Math.max(mayCall, nowMs), nowMs);
    return mayCall ? this.#begun(queue, subscription, nowMs) : [];
  }

  #begun(
    queue: LockedQueue,
    subscription: Subscription | undefined,
    nowMs: number,
  ): readonly Begun[] {
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

/** Nobody may make an attempt before a time; what is over until then is given up. */
function postponed(queue: LockedQueue, untilMs: number, nowMs: number): readonly Begun[] {
  decideQueue(queue, { type: 'GiveUpOverdue', nowMs });
  if (queue.state.waiting.length > 0) queue.lookedAtMs = untilMs;
  return [];
}

/** One for which there was no place stays as it is, and due. */
function isLookedAt({ events, lookedAtMs, state }: LockedQueue): boolean {
  return events.length > 0 || lookedAtMs !== undefined || state.waiting.length === 0;
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

async function withSources(client: PoolClient, begun: readonly Begun[]): Promise<readonly Claim[]> {
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
