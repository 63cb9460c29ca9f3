import { today } from '../append-parts.js';
import { MoveRefused } from './move-refused.js';
import { isLockTimeout, LOCK_TIMEOUT_MS } from './move-session.js';
import type { MovedShards, MoveSessions } from './move-state.js';
import { sqlRange } from './shard-range.js';

/** Rows of one page between the databases. */
const ROWS_MAX = 10_000;

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
 * days, so they come while payments flow; what was claimed since is found by its transaction. The
 * target keeps up to which one of the source's transactions it has them.
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
    /** Told how many keys a page had that were not there yet; may end the copy by throwing. */
    private readonly onPage: (keys: number) => void = () => undefined,
  ) {
    this.#schema = schema;
    this.#range = sqlRange(shards);
  }

  /** All that are visible; returns how many keys were not there yet. */
  async copyAll(): Promise<number> {
    const { source } = this.sessions;
    const before = await this.#oldestOpen();
    let keys = 0;
    let after = { day: '0001-01-01', key: '' };
    for (;;) {
      const rows = await source.execute<ClaimRow>(
        `${this.#select('day')} AND (day, key) > ($2::date, $3) ORDER BY day, key LIMIT ${ROWS_MAX}`,
        [this.#range, after.day, after.key],
      );
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last;
      keys += await this.#write(rows);
    }
    await this.#record(before);
    return keys;
  }

  /**
   * Those that were claimed since the last copy, by whichever mover; all, if there was none. Returns how
   * many keys were not there yet. How long it takes depends on them, if `summarize` was called after
   * the last copy, and on nothing else.
   */
  async copyNewer(): Promise<number> {
    const copied = await this.sessions.target.row<{ before: string | null }>(
      `SELECT claimed_before::text AS before FROM ${this.#schema}.shard_moves WHERE shards = $1`,
      [this.#range],
    );
    if (copied.before === null) return this.copyAll();
    const before = await this.#oldestOpen();
    const keys = await this.#copySince(copied.before);
    await this.#record(before);
    return keys;
  }

  /**
   * Tells the index of the source's keys about pages that it does not know yet: they would be read
   * whatever is in them. @throws MoveRefused when it has to wait for a VACUUM that does not end
   */
  async summarize(): Promise<void> {
    const table = `${this.#schema}.idempotency`;
    try {
      await this.sessions.source.execute(
        `SELECT brin_summarize_new_values(i.indexrelid)
         FROM pg_inherits p JOIN pg_index i ON i.indrelid = p.inhrelid
         JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
         WHERE p.inhparent = '${table}'::regclass AND a.amname = 'brin'`,
      );
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      throw new MoveRefused(
        `A VACUUM or a change of the schema has held a partition of ${table} for ` +
          `${LOCK_TIMEOUT_MS / 1_000} s; run this again when it has ended.`,
      );
    }
  }

  /** Claims of this transaction and of later ones may not be visible yet; all earlier ones are. */
  async #oldestOpen(): Promise<string> {
    const { oldest } = await this.sessions.source.row<{ oldest: string }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest',
    );
    return oldest;
  }

  async #record(before: string): Promise<void> {
    await this.sessions.target.execute(
      `UPDATE ${this.#schema}.shard_moves SET claimed_before = $2::xid8 WHERE shards = $1`,
      [this.#range, before],
    );
  }

  /**
   * The day is written so that its index is of no use for it: whatever the planner knows of the tables,
   * the index by transactions is what remains. `xmin` says the same of rows from before that column.
   */
  async #copySince(transaction: string): Promise<number> {
    const { source } = this.sessions;
    let keys = 0;
    await source.transaction(async () => {
      await source.execute(
        `DECLARE newer_claims NO SCROLL CURSOR FOR ${this.#select('day + 0')}
           AND i.database_transaction >= $2::text::bigint
           AND age(i.xmin) <= age($2::text::xid8::xid)`,
        [this.#range, transaction],
      );
      for (;;) {
        const rows = await source.execute<ClaimRow>(`FETCH ${ROWS_MAX} FROM newer_claims`);
        if (rows.length === 0) return;
        keys += await this.#write(rows);
      }
    });
    return keys;
  }

  #select(day: 'day' | 'day + 0'): string {
    return `SELECT day::text AS day, key, command_id, stream_id, fingerprint, answer::text AS answer,
        transaction_id
      FROM ${this.#schema}.idempotency i
      WHERE ${day} >= ${today(this.#schema)} - 1
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
    this.onPage(count);
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
            transaction_id = excluded.transaction_id,
            database_transaction = excluded.database_transaction
        WHERE ${schema}.shard_of(i.stream_id) <@ $7::int4range
          AND i.command_id <> excluded.command_id
      RETURNING day)
    SELECT count(*)::int AS count FROM kept WHERE day = ${today(schema)}`;
}
