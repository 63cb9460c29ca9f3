import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { SQL_IDENTIFIER } from './schema.js';

/** What an event store says of itself before its restoration is finished. */
export interface StoreState {
  readonly incarnation: string;
  /**
   * The server still recovers from its log, or waits at the recovery target; nothing can be
   * written.
   */
  readonly inRecovery: boolean;
  /** Milliseconds since the epoch, by the database's clock; undefined in an empty store. */
  readonly lastRecordedAtMs: number | undefined;
  /** Events that wait in the outbox; counted to a million. */
  readonly waiting: number;
  /** Slots of the outbox that, according to the backup, relays from before the restore hold. */
  readonly slotsHeld: number;
  /** Streams that the sweeper will look at. */
  readonly dueStreams: number;
}

/** What has changed when a restoration is finished. */
export interface FinishedRestoration {
  readonly before: string;
  readonly after: string;
  readonly slotsFreed: number;
}

/** Counting more would take longer than an operator wants to wait. */
const COUNTED_MAX = 1_000_000;

/** Inspects a store that was restored from a backup; changes nothing. */
export async function inspectStore(
  database: Pick<Pool, 'query'>,
  schema: string,
): Promise<StoreState> {
  assertIdentifier(schema);
  const counted = (table: string, condition: string): string =>
    `(SELECT count(*) FROM (SELECT FROM ${schema}.${table} WHERE ${condition}
                            LIMIT ${COUNTED_MAX}) c)::int`;
  const text = `SELECT (SELECT id::text FROM ${schema}.incarnation) AS incarnation,
      pg_is_in_recovery() AS "inRecovery",
      (SELECT extract(epoch FROM recorded_at)::float8 * 1000 FROM ${schema}.events
       ORDER BY database_transaction DESC, position DESC LIMIT 1) AS "lastRecordedAtMs",
      ${counted('outbox', 'true')} AS waiting,
      ${counted('relay_slots', 'holder IS NOT NULL')} AS "slotsHeld",
      ${counted('streams', 'due_at IS NOT NULL')} AS "dueStreams"`;
  const { rows } = await database.query<StoreState>(text);
  const [state] = rows;
  if (state?.incarnation === undefined) throw new Error('The event store has no incarnation id.');
  const { lastRecordedAtMs } = state;
  // An empty store answers null.
  return {
    ...state,
    lastRecordedAtMs: typeof lastRecordedAtMs === 'number' ? lastRecordedAtMs : undefined,
  };
}

/**
 * Gives a store that was restored from a backup a new incarnation (D-23), as its owner, in one
 * transaction. Readers that see the new id rebuild their tables from the store, and ignore what
 * topics hold of the old incarnation. The leases in the backup belong to relays that are gone; those of
 * one that is there are locked in its own order, relays before slots. The pointers in the outbox stay:
 * the store has their events, and readers that know such an event ignore it. Cells of one installation
 * get the same `incarnation`.
 */
export async function finishRestoration(
  owner: Pick<Pool, 'query'>,
  schema: string,
  incarnation: string = randomUUID(),
): Promise<FinishedRestoration> {
  assertIdentifier(schema);
  const text = `WITH known AS MATERIALIZED (SELECT id FROM ${schema}.incarnation FOR UPDATE),
      changed AS (UPDATE ${schema}.incarnation SET id = $1
                  FROM known RETURNING known.id AS before, incarnation.id AS after),
      gone AS MATERIALIZED (DELETE FROM ${schema}.relays RETURNING relay),
      freed AS (UPDATE ${schema}.relay_slots SET holder = NULL, leased_until = NULL
                WHERE holder IS NOT NULL AND (SELECT count(*) FROM gone) >= 0 RETURNING slot)
    SELECT before::text, after::text, (SELECT count(*)::int FROM freed) AS "slotsFreed"
    FROM changed`;
  const { rows } = await owner.query<FinishedRestoration>(text, [incarnation]);
  const [finished] = rows;
  if (finished === undefined) throw new Error('The event store has no incarnation id.');
  return finished;
}

function assertIdentifier(schema: string): void {
  if (!SQL_IDENTIFIER.test(schema)) throw new TypeError(`Not an SQL identifier: ${schema}`);
}
