import type { CallType, RegistrationAction } from '@sluice/domain-webhooks';
import { newMessageId } from '@sluice/identifiers';
import type { NotificationType } from '@sluice/contracts';
import type { PoolClient } from 'pg';
import {
  addQueues,
  decideQueue,
  type EntityTimes,
  type LockedQueue,
  lockQueues,
  newQueue,
  type QueueKey,
  saveQueues,
} from './delivery-queues.js';

/** What is told of: an event, by what it is about. */
export interface Told {
  readonly type: NotificationType | CallType;
  readonly sequence: number;
  readonly transactionId: string;
  readonly entityId: string;
  readonly ndc: string;
  /** Milliseconds since the epoch. */
  readonly happenedAtMs: number;
  /** Of a registration. */
  readonly action?: RegistrationAction;
}

/** An event, and whom it is told to. */
export interface Telling extends QueueKey {
  readonly told: Told;
  readonly receiver: string;
}

/** A telling that is new. */
interface Accepted extends Telling {
  readonly deliveryId: string;
  /** By the clock of its entity. */
  readonly nowMs: number;
}

const MS_PER_SECOND = 1_000;

const NOTE_DELIVERIES = `INSERT INTO deliveries
    (id, subscription_id, object_id, sequence, type, transaction_id, entity_id, ndc, action,
     happened_at, accepted_at)
  SELECT id, subscription_id, object_id, sequence, type, transaction_id, entity_id, ndc, action,
    to_timestamp(happened_at), to_timestamp(accepted_at)
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::text[], $10::float8[], $11::float8[])
    AS new (id, subscription_id, object_id, sequence, type, transaction_id, entity_id, ndc, action,
      happened_at, accepted_at)`;

/**
 * Puts what is to be told into queues, in the caller's transaction; the same again is left aside.
 * @returns how much of it is new
 */
export async function acceptDeliveries(
  client: PoolClient,
  tellings: readonly Telling[],
  clock: EntityTimes,
): Promise<number> {
  let count = 0;
  // Once more those whose queues another process has made since this one has looked.
  for (let left = tellings; left.length > 0;) {
    const { accepted, missed } = await acceptSome(client, left, clock);
    count += accepted;
    left = missed;
  }
  return count;
}

async function acceptSome(
  client: PoolClient,
  tellings: readonly Telling[],
  clock: EntityTimes,
): Promise<{ readonly accepted: number; readonly missed: readonly Telling[] }> {
  const known = await lockQueues(client, tellings);
  const queues = new Map(known.map((queue) => [nameOf(queue), queue]));
  const made = new Map<string, LockedQueue>();
  const accepted: Accepted[] = [];
  for (const telling of tellings) {
    const { sequence, entityId } = telling.told;
    const name = nameOf(telling);
    const queue = queues.get(name) ?? made.get(name) ?? newQueue({ ...telling, entityId });
    if (!queues.has(name)) made.set(name, queue);
    const nowMs = clock.now(entityId);
    const deliveryId = newMessageId(nowMs);
    const command = { type: 'AcceptDelivery', deliveryId, sequence, nowMs } as const;
    if (decideQueue(queue, command).length > 0) accepted.push({ ...telling, deliveryId, nowMs });
  }
  await saveQueues(
    client,
    known.filter(({ events }) => events.length > 0),
    clock,
  );
  for (const key of await addQueues(client, [...made.values()], clock)) made.delete(nameOf(key));
  const isMissed = (telling: Telling): boolean => made.has(nameOf(telling));
  const recorded = accepted.filter((telling) => !isMissed(telling));
  await noteDeliveries(client, recorded);
  return { accepted: recorded.length, missed: tellings.filter(isMissed) };
}

async function noteDeliveries(client: PoolClient, accepted: readonly Accepted[]): Promise<void> {
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
      accepted.map(({ nowMs }) => nowMs / MS_PER_SECOND),
    ],
  });
}

function nameOf({ subscriptionId, objectId }: QueueKey): string {
  return `${subscriptionId} ${objectId}`;
}
