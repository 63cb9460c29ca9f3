import type { NotificationType } from '@sluice/contracts';
import type { CallType } from '@sluice/domain-webhooks';
import { type EntityClock, inTransaction } from '@sluice/service';
import type { Pool } from 'pg';
import type { AttemptEnd } from './attempt-records.js';
import { decideQueue, lockQueues, saveQueues } from './delivery-queues.js';
import type { DeliveryStanding } from './schema.js';

/** A notification of a subscription, or the call of an address of a request, and how it stands. */
export interface LoggedDelivery {
  readonly id: string;
  readonly subscriptionId: string;
  readonly type: NotificationType | CallType;
  readonly transactionId: string;
  readonly entityId: string;
  readonly happenedAt: Date;
  readonly acceptedAt: Date;
  readonly standing: DeliveryStanding;
  readonly endedAt: Date | null;
  readonly attempts: number;
  /** Of the latest attempt. */
  readonly outcome: AttemptEnd | null;
  readonly statusCode: number | null;
}

/** One call of a receiver. */
export interface LoggedAttempt {
  readonly id: string;
  readonly beganAt: Date;
  readonly endedAt: Date;
  readonly outcome: AttemptEnd;
  readonly statusCode: number | null;
  readonly answer: string | null;
}

/** How a subscription's receiver does. */
export interface ReceiverHealth {
  readonly subscriptionId: string;
  /** Notifications that nobody has acknowledged yet. */
  readonly waiting: number;
  readonly oldestWaitingAt: Date | null;
  /** Of the attempts of the last day. */
  readonly attempts: number;
  readonly acknowledged: number;
  /** Milliseconds; half of the attempts took less. */
  readonly medianMs: number | null;
  readonly lastAcknowledgedAt: Date | null;
  readonly lastFailure: AttemptEnd | null;
  readonly lastStatusCode: number | null;
}

/** Which deliveries are wanted; the newest first. */
export interface WantedDeliveries {
  readonly subscriptionId?: string;
  /** Of this transaction alone. */
  readonly transactionId?: string;
  /** Those alone that stand so. */
  readonly standings?: readonly DeliveryStanding[];
  readonly limit: number;
}

/** What became of asking for a delivery once more. */
export type Resent = 'resent' | 'underWay' | 'unknown';

const MS_PER_SECOND = 1_000;

const DELIVERIES = `SELECT id, subscription_id AS "subscriptionId", type,
    transaction_id AS "transactionId", entity_id AS "entityId", happened_at AS "happenedAt",
    accepted_at AS "acceptedAt", standing, deliveries.ended_at AS "endedAt",
    coalesce(made.attempts, 0)::int AS attempts, made.outcome, made.status_code AS "statusCode"
  FROM deliveries LEFT JOIN LATERAL (
    SELECT count(*) AS attempts, (array_agg(outcome ORDER BY began_at DESC))[1] AS outcome,
      (array_agg(status_code ORDER BY began_at DESC))[1] AS status_code
    FROM attempts WHERE delivery_id = deliveries.id) AS made ON true
  WHERE ($1::text IS NULL OR subscription_id = $1) AND ($2::text IS NULL OR transaction_id = $2)
    AND ($3::text[] IS NULL OR standing = ANY($3)) AND ($5::uuid IS NULL OR id = $5)
  ORDER BY accepted_at DESC, sequence DESC LIMIT $4`;
const ATTEMPTS = `SELECT id, began_at AS "beganAt", ended_at AS "endedAt", outcome,
    status_code AS "statusCode", answer
  FROM attempts WHERE delivery_id = $1 ORDER BY began_at`;
const HEALTH = `SELECT wanted.id AS "subscriptionId", waiting.waiting::int,
    waiting.oldest AS "oldestWaitingAt", made.attempts::int, made.acknowledged::int,
    made.median_ms::float8 AS "medianMs", made.last_acknowledged AS "lastAcknowledgedAt",
    failed.outcome AS "lastFailure", failed.status_code AS "lastStatusCode"
  FROM unnest($1::text[]) AS wanted (id)
  CROSS JOIN LATERAL (SELECT count(*) AS waiting, min(accepted_at) AS oldest FROM deliveries
    WHERE subscription_id = wanted.id AND standing = 'waiting') AS waiting
  CROSS JOIN LATERAL (SELECT count(*) AS attempts,
      count(*) FILTER (WHERE outcome = 'acknowledged') AS acknowledged,
      max(ended_at) FILTER (WHERE outcome = 'acknowledged') AS last_acknowledged,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM ended_at - began_at) * 1000)
        AS median_ms
    FROM attempts WHERE subscription_id = wanted.id AND ended_at > to_timestamp($2)) AS made
  LEFT JOIN LATERAL (SELECT outcome, status_code FROM attempts
    WHERE subscription_id = wanted.id AND outcome <> 'acknowledged' AND ended_at > to_timestamp($2)
    ORDER BY ended_at DESC LIMIT 1) AS failed ON true`;
const FIND = `SELECT subscription_id AS "subscriptionId", object_id AS "objectId", sequence
  FROM deliveries WHERE id = $1`;

/** How receivers have done since a time, milliseconds since the epoch; in the order of the ids. */
export async function receiverHealth(
  client: Pick<Pool, 'query'>,
  ids: readonly string[],
  sinceMs: number,
): Promise<readonly ReceiverHealth[]> {
  const { rows } = await client.query<ReceiverHealth>(HEALTH, [ids, sinceMs / MS_PER_SECOND]);
  return ids.flatMap((id) => rows.find(({ subscriptionId }) => subscriptionId === id) ?? []);
}

/** What became of notifications, for whoever operates an installation. */
export class DeliveryLog {
  constructor(private readonly pool: Pool) {}

  /** The newest first. */
  async deliveries(wanted: WantedDeliveries): Promise<readonly LoggedDelivery[]> {
    const { subscriptionId = null, transactionId = null, standings = null, limit } = wanted;
    const values = [subscriptionId, transactionId, standings, limit, null];
    return (await this.pool.query<LoggedDelivery>(DELIVERIES, values)).rows;
  }

  async delivery(id: string): Promise<LoggedDelivery | undefined> {
    const values = [null, null, null, 1, id];
    return (await this.pool.query<LoggedDelivery>(DELIVERIES, values)).rows[0];
  }

  /** Every call that was made for a delivery, the first one first. */
  async attempts(deliveryId: string): Promise<readonly LoggedAttempt[]> {
    return (await this.pool.query<LoggedAttempt>(ATTEMPTS, [deliveryId])).rows;
  }

  /** See `receiverHealth`. */
  health(ids: readonly string[], sinceMs: number): Promise<readonly ReceiverHealth[]> {
    return receiverHealth(this.pool, ids, sinceMs);
  }

  /** Has a delivery tried once more, whatever became of it, with the same id. */
  async resend(id: string, clock: Pick<EntityClock, 'now'>): Promise<Resent> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{
        readonly subscriptionId: string;
        readonly objectId: string;
        readonly sequence: number;
      }>(FIND, [id]);
      const [found] = rows;
      if (found === undefined) return 'unknown';
      const [queue] = await lockQueues(client, [found]);
      if (queue === undefined) return 'unknown';
      const { sequence } = found;
      const nowMs = clock.now(queue.entityId);
      decideQueue(queue, { type: 'ResendDelivery', deliveryId: id, sequence, nowMs });
      if (queue.events.length === 0) return 'underWay';
      await saveQueues(client, [queue], clock);
      return 'resent';
    });
  }
}
