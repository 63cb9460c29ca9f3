import {
  DIGEST_FAILURES_MAX,
  type FailedNotification,
  type ReceiverRecord,
  type SubscriptionFailures,
} from '@sluice/domain-webhooks';
import type { PoolClient } from 'pg';
import type { AttemptEnd } from '../attempt-records.js';
import { receiverHealth } from '../delivery-log.js';

/** Nobody reads a larger number. */
const COUNTED_MAX = 10_000;
const MS_PER_SECOND = 1_000;

/** What waits and was tried, and what was given up since; `DIGEST_FAILURES_MAX` of each subscription. */
const FAILED = `SELECT wanted.id AS "subscriptionId", failed.*
  FROM unnest($1::text[]) AS wanted (id) CROSS JOIN LATERAL (
    SELECT open.id, open.type, open.standing, made.failures, made.outcome, made.status_code AS "statusCode",
      extract(epoch FROM open.happened_at)::float8 * 1000 AS "happenedAtMs",
      count(*) OVER ()::int AS "failedCount"
    FROM (
      (SELECT id, type, standing, happened_at, accepted_at, sequence FROM deliveries
        WHERE subscription_id = wanted.id AND standing = 'waiting' ORDER BY accepted_at LIMIT $3)
      UNION ALL
      (SELECT id, type, standing, happened_at, accepted_at, sequence FROM deliveries
        WHERE subscription_id = wanted.id AND standing IN ('overdue', 'discarded')
          AND ended_at > to_timestamp($2) LIMIT $3)) AS open
    CROSS JOIN LATERAL (SELECT
        count(*) FILTER (WHERE outcome NOT IN ('acknowledged', 'lapsed'))::int AS failures,
        (array_agg(outcome ORDER BY began_at DESC))[1] AS outcome,
        (array_agg(status_code ORDER BY began_at DESC))[1] AS status_code
      FROM attempts WHERE delivery_id = open.id) AS made
    WHERE made.failures > 0 OR open.standing <> 'waiting'
    ORDER BY open.accepted_at, open.sequence LIMIT $4) AS failed`;

interface FailedRow {
  readonly subscriptionId: string;
  readonly id: string;
  readonly type: string;
  readonly standing: FailedNotification['standing'];
  readonly failures: number;
  readonly outcome: AttemptEnd | null;
  readonly statusCode: number | null;
  readonly happenedAtMs: number;
  readonly failedCount: number;
}

/** How receivers have done since a time, by subscription. */
export async function receiverRecords(
  client: Pick<PoolClient, 'query'>,
  ids: readonly string[],
  sinceMs: number,
): Promise<ReadonlyMap<string, ReceiverRecord>> {
  if (ids.length === 0) return new Map();
  const all = await receiverHealth(client, ids, sinceMs);
  return new Map(
    all.map((health) => {
      const { lastFailure, lastStatusCode, waiting, attempts: calls, acknowledged } = health;
      const record: ReceiverRecord = {
        ...{ waiting, calls, acknowledged },
        oldestWaitingAtMs: health.oldestWaitingAt?.getTime(),
        lastAcknowledgedAtMs: health.lastAcknowledgedAt?.getTime(),
        lastFailure:
          lastFailure === null ? undefined : { outcome: lastFailure, statusCode: lastStatusCode },
      };
      return [health.subscriptionId, record];
    }),
  );
}

/** What nobody has acknowledged, of those subscriptions that have any. */
export async function failedNotifications(
  client: Pick<PoolClient, 'query'>,
  ids: readonly string[],
  sinceMs: number,
): Promise<ReadonlyMap<string, Pick<SubscriptionFailures, 'failed' | 'failedCount'>>> {
  const values = [ids, sinceMs / MS_PER_SECOND, COUNTED_MAX, DIGEST_FAILURES_MAX];
  const { rows } = await client.query<FailedRow>(FAILED, values);
  const failures = new Map<string, { failed: FailedNotification[]; failedCount: number }>();
  for (const row of rows) {
    const { subscriptionId, failedCount, outcome, statusCode, ...others } = row;
    const failed: FailedNotification = {
      ...others,
      lastCall: outcome === null ? undefined : { outcome, statusCode },
    };
    const known = failures.get(subscriptionId);
    if (known === undefined) failures.set(subscriptionId, { failed: [failed], failedCount });
    else known.failed.push(failed);
  }
  return failures;
}
