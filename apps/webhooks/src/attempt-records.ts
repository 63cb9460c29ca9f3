import { type AttemptOutcome, isAcknowledged } from '@sluice/domain-webhooks';
import type { PoolClient } from 'pg';

/**
 * How attempts end, in one word. `notWanted`: nobody was called, because there was nothing left to tell.
 * `lapsed`: with the process that made it.
 */
export const attemptEnds = [
  ...(['acknowledged', 'refused', 'timeout', 'connectionLost'] as const),
  ...(['notReachable', 'notAllowed', 'notWanted', 'lapsed'] as const),
] as const;
/** One of them. */
export type AttemptEnd = (typeof attemptEnds)[number];

/** An attempt as it is kept. */
export interface AttemptRecord {
  readonly id: string;
  readonly deliveryId: string;
  readonly subscriptionId: string;
  readonly beganAtMs: number;
  readonly endedAtMs: number;
  readonly outcome: AttemptEnd;
  readonly statusCode?: number;
  /** What the receiver said. */
  readonly answer?: string;
}

const MS_PER_SECOND = 1_000;
const NOTE = `INSERT INTO attempts
    (id, delivery_id, subscription_id, began_at, ended_at, outcome, status_code, answer)
  SELECT id, delivery_id, subscription_id, to_timestamp(began_at), to_timestamp(ended_at), outcome,
    status_code, answer
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[], $5::float8[], $6::text[], $7::int[], $8::text[])
    AS new (id, delivery_id, subscription_id, began_at, ended_at, outcome, status_code, answer)
  ON CONFLICT (id) DO NOTHING`;

/** The word for what came of an attempt. */
export function attemptEnd(outcome: AttemptOutcome): AttemptEnd {
  if (isAcknowledged(outcome)) return 'acknowledged';
  return outcome.kind === 'answered' ? 'refused' : outcome.reason;
}

/** Keeps attempts for whoever looks for the reason. */
export async function noteAttempts(
  client: PoolClient,
  attempts: readonly AttemptRecord[],
): Promise<void> {
  if (attempts.length === 0) return;
  await client.query({
    ...{ name: 'note attempts', text: NOTE },
    values: [
      attempts.map(({ id }) => id),
      attempts.map(({ deliveryId }) => deliveryId),
      attempts.map(({ subscriptionId }) => subscriptionId),
      attempts.map(({ beganAtMs }) => beganAtMs / MS_PER_SECOND),
      attempts.map(({ endedAtMs }) => endedAtMs / MS_PER_SECOND),
      attempts.map(({ outcome }) => outcome),
      attempts.map(({ statusCode }) => statusCode ?? null),
      attempts.map(({ answer }) => answer ?? null),
    ],
  });
}
