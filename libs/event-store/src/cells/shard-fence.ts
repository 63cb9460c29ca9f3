import { setTimeout as delay } from 'node:timers/promises';
import { MoveRefused } from './move-refused.js';
import { isLockTimeout, type MoveSession } from './move-session.js';
import type { MovedShards } from './move-state.js';
import { shardRangeText, sqlRange } from './shard-range.js';

/**
 * How long the fence waits for appends under way: whoever wants to append queues behind it, whatever
 * the shard. An append takes some milliseconds.
 */
const FENCE_LOCK_MS = 200;
/** Between two attempts, those who queued are served. */
const FENCE_PAUSE_MS = 100;
/** After so many, something is under way that does not end by itself; the range is opened again. */
const FENCE_ATTEMPTS_MAX = 30;
/**
 * A vacuum of the heads excludes the fence. The server ends an automatic one for whoever has waited
 * for `deadlock_timeout`, a second by default; nobody else has to wait meanwhile.
 */
const VACUUM_WITHIN_MS = 10_000;
/** Calls of acquirers are under way for so long after their request: 2 s to send it, 20 s to answer. */
const CALL_MS = 25_000;
/** What is due later than this was not set by a request under way: its lease is a minute. */
const LEASE_MS = 60_000;
/** An outcome is recorded within milliseconds of its call's end. */
const DRAIN_LOOK_MS = 50;

/** What the source does with the range that is about to leave, and how it takes it back. */
export class ShardFence {
  readonly #schema: string;
  readonly #range: string;

  constructor(
    private readonly source: MoveSession,
    private readonly move: MovedShards,
  ) {
    this.#schema = move.schema;
    this.#range = sqlRange(move.shards);
  }

  /**
   * Waits until no vacuum holds the table of heads, before anybody waits for the move. @throws
   * MoveRefused when one does not end
   */
  async awaitVacuum(): Promise<void> {
    try {
      await this.source.execute(
        `BEGIN; SET LOCAL lock_timeout = ${VACUUM_WITHIN_MS};
         LOCK TABLE ${this.#schema}.streams IN SHARE UPDATE EXCLUSIVE MODE; COMMIT`,
      );
    } catch (error) {
      await this.source.execute('ROLLBACK');
      if (!isLockTimeout(error)) throw error;
      throw new MoveRefused(
        `A VACUUM or a change of the schema has held ${this.#schema}.streams for ` +
          `${VACUUM_WITHIN_MS / 1_000} s; run this again when it has ended.`,
      );
    }
  }

  /** The source begins no transaction in the range from now on; outcomes are still recorded. */
  async close(): Promise<void> {
    await this.source.transaction(async () => {
      await this.source.execute(
        `UPDATE ${this.#schema}.carried_shards SET closing = closing + int4multirange($1::int4range)`,
        [this.#range],
      );
      await this.source.execute(
        `UPDATE ${this.#schema}.leaving_shards SET closed_at = clock_timestamp() WHERE shards = $1`,
        [this.#range],
      );
    });
  }

  /** Waits until no call is under way, but not for longer than `withinMs`; whether none is. */
  async drain(withinMs: number, signal?: AbortSignal): Promise<boolean> {
    const untilMs = performance.now() + withinMs;
    for (;;) {
      if (!(await this.#isCalling())) return true;
      if (performance.now() >= untilMs) return false;
      await delay(DRAIN_LOOK_MS, undefined, { signal });
    }
  }

  /** A request under way: recorded a moment ago, and due within its lease. */
  async #isCalling(): Promise<boolean> {
    const { calling } = await this.source.row<{ calling: boolean }>(
      `SELECT EXISTS (
         SELECT FROM (SELECT stream_id, version FROM ${this.#schema}.streams
                      WHERE due_at <= now() + make_interval(secs => $2)
                        AND ${this.#schema}.shard_of(stream_id) <@ $1::int4range OFFSET 0) s
         CROSS JOIN LATERAL (SELECT recorded_at FROM ${this.#schema}.events e
                             WHERE e.stream_id = s.stream_id AND e.version = s.version OFFSET 0) e
         WHERE e.recorded_at > now() - make_interval(secs => $3)) AS calling`,
      [this.#range, LEASE_MS / 1_000, CALL_MS / 1_000],
    );
    return calling;
  }

  /**
   * Takes the range from the source once every append under way has ended; whoever appends later
   * sees that it has gone. @throws MoveRefused when something does not end
   */
  async fence(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.source.execute(this.#fenceStatements()).then(() => undefined);
      } catch (error) {
        await this.source.execute('ROLLBACK');
        if (!isLockTimeout(error)) throw error;
        if (attempt === FENCE_ATTEMPTS_MAX) throw new MoveRefused(await this.#heldText());
        await delay(FENCE_PAUSE_MS);
      }
    }
  }

  /** In one message, so that a mover that is stopped never leaves the lock behind. */
  #fenceStatements(): string {
    const range = `'${this.#range}'::int4range`;
    return `BEGIN; SET LOCAL lock_timeout = ${FENCE_LOCK_MS};
      LOCK TABLE ${this.#schema}.streams IN SHARE MODE;
      UPDATE ${this.#schema}.carried_shards
      SET carried = carried - int4multirange(${range}), closing = closing - int4multirange(${range});
      UPDATE ${this.#schema}.leaving_shards SET fenced_at = clock_timestamp() WHERE shards = ${range};
      COMMIT`;
  }

  async #heldText(): Promise<string> {
    const holders = await this.source.execute<{ pid: number; name: string }>(
      `SELECT DISTINCT l.pid, coalesce(nullif(a.application_name, ''), 'unnamed') AS name
       FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE l.relation = '${this.#schema}.streams'::regclass AND l.granted
         AND l.mode IN ('RowExclusiveLock', 'ShareUpdateExclusiveLock', 'ShareRowExclusiveLock')
       ORDER BY l.pid LIMIT 5`,
    );
    const names = holders.map(({ pid, name }) => `${name} (process ${pid})`).join(', ');
    return (
      `Appends under way in the source did not end${names === '' ? '' : `; the table is held by ${names}`}. ` +
      `The source carries ${shardRangeText(this.move.shards)} as before; run this again.`
    );
  }

  /** The source carries the range again, open for all; harmless where nothing was taken from it. */
  async giveBack(): Promise<void> {
    await this.source.transaction(async () => {
      await this.source.execute(
        `UPDATE ${this.#schema}.carried_shards
         SET carried = carried + int4multirange($1::int4range),
             closing = closing - int4multirange($1::int4range)
         WHERE EXISTS (SELECT FROM ${this.#schema}.leaving_shards
                       WHERE shards = $1::int4range AND to_cell = $2)`,
        [this.#range, this.move.to],
      );
      await this.source.execute(
        `UPDATE ${this.#schema}.leaving_shards SET closed_at = NULL, fenced_at = NULL WHERE shards = $1`,
        [this.#range],
      );
    });
  }
}
