import {
  DELIVERY_LIFE_MS,
  type DeliveryCommand,
  deliveryDecider,
  type DeliveryEvent,
  type DeliveryQueue,
  queueDueAtMs,
} from '@sluice/domain-webhooks';
import type { EntityClock } from '@sluice/service';
import type { PoolClient } from 'pg';
import type { DeliveryStanding } from './schema.js';

/** Which queue: of what a subscription is told of one object. */
export interface QueueKey {
  readonly subscriptionId: string;
  readonly objectId: string;
}

/** Tells the time by the clock of each entity (page 0078). */
export type EntityTimes = Pick<EntityClock, 'now'>;

/** A queue whose row this transaction has locked, with what was decided about it. */
export interface LockedQueue extends QueueKey {
  /** Whom it waits for; changes with the address of its subscription. */
  receiver: string;
  /** By whose clock it is dated. */
  readonly entityId: string;
  state: DeliveryQueue;
  /** Since it was locked. */
  readonly events: DeliveryEvent[];
  /** Somebody looks at it then, whatever its state says; undefined: as its state says. */
  lookedAtMs?: number;
}

interface QueueRow {
  readonly subscription_id: string;
  readonly object_id: string;
  readonly receiver: string;
  readonly entity_id: string;
  readonly state: DeliveryQueue;
}

const COLUMNS = 'subscription_id, object_id, receiver, entity_id, state';
const MAKE = `INSERT INTO queues (subscription_id, object_id, receiver, entity_id, state, changed_at)
  SELECT DISTINCT ON (one, two) one, two, three, four, $5::jsonb, to_timestamp(five)
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $6::float8[])
    AS made (one, two, three, four, five)
  ORDER BY one, two
  ON CONFLICT DO NOTHING`;
/** In one order everywhere, so that nobody waits for somebody who waits for him. */
const LOCK = `SELECT ${COLUMNS} FROM queues
  WHERE (subscription_id, object_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
  ORDER BY subscription_id, object_id FOR UPDATE`;
const LOCK_DUE = `SELECT ${COLUMNS} FROM queues
  WHERE due_at <= to_timestamp($1) AND receiver <> ALL($2)
  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED`;
const LOCK_DUE_OF = `SELECT ${COLUMNS} FROM queues
  WHERE due_at <= to_timestamp($1) AND receiver <> ALL($2) AND entity_id = $4
  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED`;
/** By the column itself: its bare name would be the text that is selected. */
const LOCK_WAITING_FOR = `SELECT ${COLUMNS}, due_at::text AS due_at FROM queues
  WHERE receiver = $1 AND (due_at, subscription_id, object_id) > ($2::timestamptz, $3, $4)
  ORDER BY queues.due_at, subscription_id, object_id LIMIT $5 FOR UPDATE SKIP LOCKED`;
const NEXT_DUE = `SELECT extract(epoch FROM due_at)::float8 * 1000 AS "dueAtMs"
  FROM queues WHERE due_at > to_timestamp($1) ORDER BY due_at LIMIT 1`;
/** What a paused subscription waits for ends one day; the looks on the way are for who goes on with it. */
const NEXT_DUE_OF = `SELECT min(CASE
    WHEN subscription_id = ANY($2) AND state->'attempt' IS NULL
      THEN greatest(extract(epoch FROM due_at)::float8 * 1000,
        (state->'waiting'->0->>'acceptedAtMs')::float8 + $3)
    ELSE extract(epoch FROM due_at)::float8 * 1000 END) AS "dueAtMs"
  FROM queues WHERE entity_id = $1 AND due_at IS NOT NULL`;
const SAVE = `UPDATE queues AS old SET state = saved.state, receiver = saved.receiver,
    due_at = to_timestamp(saved.due_at), changed_at = to_timestamp(saved.changed_at)
  FROM unnest($1::text[], $2::text[], $3::text[], $4::jsonb[], $5::float8[],
      $6::float8[]) AS saved (subscription_id, object_id, receiver, state, due_at, changed_at)
  WHERE old.subscription_id = saved.subscription_id AND old.object_id = saved.object_id`;
const STAND = `UPDATE deliveries AS old SET standing = new.standing,
    ended_at = CASE new.standing WHEN 'waiting' THEN NULL ELSE to_timestamp(new.at) END
  FROM unnest($1::uuid[], $2::text[], $3::float8[]) AS new (id, standing, at) WHERE old.id = new.id`;

const MS_PER_SECOND = 1_000;

/** Makes those that are not there yet, with nothing in them. */
export async function makeQueues(
  client: PoolClient,
  queues: readonly (QueueKey & Pick<LockedQueue, 'receiver' | 'entityId'>)[],
  clock: EntityTimes,
): Promise<void> {
  await client.query(MAKE, [
    queues.map(({ subscriptionId }) => subscriptionId),
    queues.map(({ objectId }) => objectId),
    queues.map(({ receiver }) => receiver),
    queues.map(({ entityId }) => entityId),
    JSON.stringify(deliveryDecider.initialState),
    queues.map(({ entityId }) => clock.now(entityId) / MS_PER_SECOND),
  ]);
}

/** Locks those of these that are there. */
export async function lockQueues(
  client: PoolClient,
  keys: readonly QueueKey[],
): Promise<readonly LockedQueue[]> {
  const { rows } = await client.query<QueueRow>(LOCK, [
    keys.map(({ subscriptionId }) => subscriptionId),
    keys.map(({ objectId }) => objectId),
  ]);
  return rows.map(lockedQueue);
}

/** Which queues are looked for. */
export interface WantedQueues {
  readonly nowMs: number;
  readonly except: readonly string[];
  readonly limit: number;
  /** Those alone that are of an entity, whose clock says what is due. */
  readonly entityId?: string;
}

/** Locks those that are due, except what waits for some receivers, and what somebody else has locked. */
export async function lockDueQueues(
  client: PoolClient,
  { nowMs, except, limit, entityId }: WantedQueues,
): Promise<readonly LockedQueue[]> {
  const values = [nowMs / MS_PER_SECOND, except, limit];
  const { rows } = await client.query<QueueRow>(
    entityId === undefined
      ? { name: 'due queues', text: LOCK_DUE, values }
      : { name: 'due queues of an entity', text: LOCK_DUE_OF, values: [...values, entityId] },
  );
  return rows.map(lockedQueue);
}

/** When there is something to do for an entity next, by its clock, unless subscriptions are paused; null: never. */
export async function nextDueOfMs(
  pool: Pick<PoolClient, 'query'>,
  entityId: string,
  paused: readonly string[],
): Promise<number | null> {
  const values = [entityId, paused, DELIVERY_LIFE_MS];
  const { rows } = await pool.query<{ dueAtMs: number | null }>(NEXT_DUE_OF, values);
  return rows[0]?.dueAtMs ?? null;
}

/** A place among the queues that wait for a receiver, by when they are due. */
export interface WaitingPlace extends QueueKey {
  readonly dueAt: string;
}

/** Before all that are due at a time, milliseconds since the epoch, or later. */
export function waitingSince(timeMs: number): WaitingPlace {
  return { dueAt: new Date(timeMs).toISOString(), subscriptionId: '', objectId: '' };
}

/** Locks those that wait for a receiver, the next ones after a place; undefined: there are no more. */
export async function lockQueuesWaitingFor(
  client: PoolClient,
  receiver: string,
  { after, limit }: { readonly after: WaitingPlace; readonly limit: number },
): Promise<{ readonly queues: readonly LockedQueue[]; readonly next: WaitingPlace | undefined }> {
  const values = [receiver, after.dueAt, after.subscriptionId, after.objectId, limit];
  const { rows } = await client.query<QueueRow & { due_at: string }>(LOCK_WAITING_FOR, values);
  const queues = rows.map(lockedQueue);
  const [last] = rows.slice(limit - 1);
  const next = last && { ...lockedQueue(last), dueAt: last.due_at };
  return { queues, next };
}

/** When the next one is due, or the next one after a time, milliseconds since the epoch. */
export async function nextDueAtMs(
  client: Pick<PoolClient, 'query'>,
  afterMs = 0,
): Promise<number | undefined> {
  const values = [afterMs / MS_PER_SECOND];
  const { rows } = await client.query<{ dueAtMs: number }>({
    ...{ name: 'next due', text: NEXT_DUE, values },
  });
  return rows[0]?.dueAtMs;
}

/** Decides a command about a queue; it is recorded with `saveQueues`. */
export function decideQueue(
  queue: LockedQueue,
  command: DeliveryCommand,
): readonly DeliveryEvent[] {
  const events = deliveryDecider.decide(command, queue.state);
  queue.state = events.reduce(deliveryDecider.evolve, queue.state);
  queue.events.push(...events);
  return events;
}

/** Records what was decided about them, and how their deliveries stand. */
export async function saveQueues(
  client: PoolClient,
  queues: readonly LockedQueue[],
  clock: EntityTimes,
): Promise<void> {
  if (queues.length === 0) return;
  const nowOf = ({ entityId }: LockedQueue): number => clock.now(entityId) / MS_PER_SECOND;
  await client.query({
    ...{ name: 'save queues', text: SAVE },
    values: [
      queues.map(({ subscriptionId }) => subscriptionId),
      queues.map(({ objectId }) => objectId),
      queues.map(({ receiver }) => receiver),
      queues.map(({ state }) => JSON.stringify(state)),
      queues.map((queue) => dueAtOf(queue)),
      queues.map(nowOf),
    ],
  });
  const standings = new Map<string, readonly [standing: DeliveryStanding, at: number]>();
  for (const queue of queues) {
    for (const event of queue.events) {
      const standing = standingAfter(event);
      if (standing !== undefined) standings.set(event.deliveryId, [standing, nowOf(queue)]);
    }
  }
  if (standings.size === 0) return;
  const stand = [...standings.values()];
  const values = [
    [...standings.keys()],
    stand.map(([standing]) => standing),
    stand.map(([, at]) => at),
  ];
  await client.query({ name: 'stand deliveries', text: STAND, values });
}

function dueAtOf({ state, lookedAtMs }: LockedQueue): number | null {
  const dueAtMs = lookedAtMs ?? queueDueAtMs(state);
  return dueAtMs === null ? null : dueAtMs / MS_PER_SECOND;
}

/** Undefined where it stands as before. */
function standingAfter(event: DeliveryEvent): DeliveryStanding | undefined {
  switch (event.type) {
    case 'DeliveryResent':
      return 'waiting';
    case 'DeliveryAcknowledged':
      return 'acknowledged';
    case 'DeliveryGivenUp':
      return event.reason;
    case 'DeliveryAccepted':
    case 'AttemptBegun':
    case 'AttemptLapsed':
    case 'AttemptEnded':
    case 'DeliveryPostponed':
    case 'DeliveryHastened':
      return undefined;
  }
}

function lockedQueue(row: QueueRow): LockedQueue {
  const { subscription_id: subscriptionId, object_id: objectId, entity_id: entityId } = row;
  const { receiver, state } = row;
  return { subscriptionId, objectId, receiver, entityId, state, events: [] };
}
