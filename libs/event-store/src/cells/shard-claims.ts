import { today } from '../append-parts.js';
import type { MovedShards, MoveSessions } from './move-state.js';
import { sqlRange } from './shard-range.js';

/** Rows of one page between the databases. */
const ROWS_MAX = 10_000;

/** The source's transaction number from which on claims may be missing in the target. */
export type ClaimedSince = string;

interface ClaimRow {
  day: string;
  key: string;
  command_id: string;
  stream_id: string;
  fingerprint: string;
  answer: string;
  transaction_id: string;
}

/**
 * Copies claims of idempotency keys that are still in use. There may be as many as payments in two
 * days, so they come while payments flow, and what was claimed since comes before the switch.
 *
 * Days of work are counted by each database (D-36), so a claim gets the target's days. It gets both
 * of them, whichever it had: under yesterday alone it could be forgotten within minutes.
 */
export class ClaimCopy {
  readonly #schema: string;
  readonly #range: string;

  constructor(
    private readonly sessions: MoveSessions,
    { schema, shards }: MovedShards,
  ) {
    this.#schema = schema;
    this.#range = sqlRange(shards);
  }

  /** All that are visible; returns from where on `copySince` has to look, and how many there were. */
  async copyAll(): Promise<{ readonly keys: number; readonly since: ClaimedSince }> {
    const { source } = this.sessions;
    const { since } = await source.row<{ since: string }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS since',
    );
    let keys = 0;
    let after = { day: '0001-01-01', key: '' };
    for (;;) {
      const rows = await source.execute<ClaimRow>(
        `${this.#select()} AND (day, key) > ($2::date, $3) ORDER BY day, key LIMIT ${ROWS_MAX}`,
        [this.#range, after.day, after.key],
      );
      const last = rows.at(-1);
      if (last === undefined) return { keys, since };
      after = last;
      keys += await this.#write(rows);
    }
  }

  /**
   * Those that were claimed by database transactions from this one on. The source must not take any
   * more. It looks at all claims of two days, and as quickly as it can: nobody carries the range.
   */
  async copySince(since: ClaimedSince): Promise<number> {
    const { source } = this.sessions;
    const rows = await source.transaction(async () => {
      await source.execute('SET LOCAL enable_seqscan = on');
      return source.execute<ClaimRow>(`${this.#select()} AND age(i.xmin) <= age($2::xid8::xid)`, [
        this.#range,
        since,
      ]);
    });
    let keys = 0;
    for (let from = 0; from < rows.length; from += ROWS_MAX) {
      keys += await this.#write(rows.slice(from, from + ROWS_MAX));
    }
    return keys;
  }

  #select(): string {
    return `SELECT day::text AS day, key, command_id, stream_id, fingerprint, answer::text AS answer,
        transaction_id
      FROM ${this.#schema}.idempotency i
      WHERE day >= ${today(this.#schema)} - 1
        AND ${this.#schema}.shard_of(stream_id) <@ $1::int4range`;
  }

  async #write(rows: readonly ClaimRow[]): Promise<number> {
    const { count } = await this.sessions.target.row<{ count: number }>(
      writeStatement(this.#schema),
      [
        rows.map((row) => row.key),
        rows.map((row) => row.command_id),
        rows.map((row) => row.stream_id),
        rows.map((row) => row.fingerprint),
        rows.map((row) => row.answer),
        rows.map((row) => row.transaction_id),
        this.#range,
      ],
    );
    return count;
  }
}

/**
 * Counts the keys that were not there yet; each comes under two days of the source. A claim of the
 * range that is there already came with this move, and may have been released and claimed again
 * since; one of another stream of the target stays.
 */
function writeStatement(schema: string): string {
  return `WITH claim AS MATERIALIZED (
      SELECT DISTINCT ON (key) * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[],
                                             $5::json[], $6::text[])
        AS c (key, command_id, stream_id, fingerprint, answer, transaction_id) ORDER BY key),
    kept AS (
      INSERT INTO ${schema}.idempotency AS i
        (day, key, command_id, stream_id, fingerprint, answer, transaction_id)
      SELECT ${today(schema)} - age, c.* FROM claim c, (VALUES (0), (1)) AS ages (age)
      ORDER BY 1, c.key
      ON CONFLICT (day, key) DO UPDATE
        SET command_id = excluded.command_id, stream_id = excluded.stream_id,
            fingerprint = excluded.fingerprint, answer = excluded.answer,
            transaction_id = excluded.transaction_id
        WHERE ${schema}.shard_of(i.stream_id) <@ $7::int4range
          AND i.command_id <> excluded.command_id
      RETURNING day)
    SELECT count(*)::int AS count FROM kept WHERE day = ${today(schema)}`;
}
