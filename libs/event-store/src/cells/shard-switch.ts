import { OUTBOX_SLOTS } from '../append-parts.js';
import { channelOf, type OutboxNews } from '../outbox-signal.js';
import type { MovedShards, MoveSessions } from './move-state.js';
import { ClaimCopy } from './shard-claims.js';
import { MarkCopy } from './shard-marks.js';
import { sqlRange } from './shard-range.js';

/** Rows of one page between the databases. */
const ROWS_MAX = 10_000;

const RECORDED: OutboxNews = 'recorded';

/** What came with the switch. */
export interface Switched {
  /** Idempotency keys that are still in use. */
  readonly idempotencyKeys: number;
  /** Streams that the sweeper will look at. */
  readonly dueStreams: number;
  /** Events that wait to be published. */
  readonly waitingEvents: number;
}

/**
 * Gives the target what changes from moment to moment (idempotency keys, due times, pointers of the
 * outbox), and with it the range. One transaction of the target: whoever dies in it leaves nothing.
 */
export class ShardSwitch {
  readonly #schema: string;
  readonly #range: string;

  constructor(
    private readonly sessions: MoveSessions,
    private readonly move: MovedShards,
  ) {
    this.#schema = move.schema;
    this.#range = sqlRange(move.shards);
  }

  /** `beforeCommit` is told when everything is there and the range is not carried yet. */
  run(beforeCommit: () => void): Promise<Switched> {
    const { target } = this.sessions;
    return target.transaction(async () => {
      const switched = {
        idempotencyKeys: await new ClaimCopy(this.sessions, this.move).copyNewer(),
        dueStreams: await this.#copyDueTimes(),
        waitingEvents: await this.#copyOutbox(),
      };
      await this.#copyParked();
      await new MarkCopy(this.sessions, this.move).copy();
      beforeCommit();
      await target.execute(
        `UPDATE ${this.#schema}.carried_shards SET carried = carried + int4multirange($1::int4range)`,
        [this.#range],
      );
      await target.execute(
        `UPDATE ${this.#schema}.shard_moves SET switched_at = now() WHERE shards = $1`,
        [this.#range],
      );
      // The target's relays may be at rest; they hear it when this is committed.
      await target.execute('SELECT pg_notify($1, $2)', [channelOf(this.#schema), RECORDED]);
      return switched;
    });
  }

  async #copyDueTimes(): Promise<number> {
    let streams = 0;
    let after = '';
    for (;;) {
      const rows = await this.sessions.source.execute<{ stream_id: string; due_at: string }>(
        `SELECT stream_id, due_at::text AS due_at FROM ${this.#schema}.streams
         WHERE due_at IS NOT NULL AND stream_id > $1
           AND ${this.#schema}.shard_of(stream_id) <@ $2::int4range
         ORDER BY stream_id LIMIT ${ROWS_MAX}`,
        [after, this.#range],
      );
      const last = rows.at(-1);
      if (last === undefined) return streams;
      after = last.stream_id;
      streams += rows.length;
      await this.sessions.target.execute(
        `UPDATE ${this.#schema}.streams s SET due_at = d.due_at::timestamptz
         FROM unnest($1::text[], $2::text[]) AS d (stream_id, due_at)
         WHERE s.stream_id = d.stream_id`,
        [rows.map((row) => row.stream_id), rows.map((row) => row.due_at)],
      );
    }
  }

  /** The source's relay may publish some of them as well; readers know an event by its version. */
  async #copyOutbox(): Promise<number> {
    let events = 0;
    let after = { slot: -1, id: '0' };
    for (;;) {
      const rows = await this.sessions.source.execute<{
        slot: number;
        id: string;
        stream_id: string;
        version: number;
      }>(
        `SELECT slot, id::text AS id, stream_id, version FROM ${this.#schema}.outbox
         WHERE (slot, id) > ($1::smallint, $2::bigint)
           AND ${this.#schema}.shard_of(stream_id) <@ $3::int4range
         ORDER BY slot, outbox.id LIMIT ${ROWS_MAX}`,
        [after.slot, after.id, this.#range],
      );
      const last = rows.at(-1);
      if (last === undefined) return events;
      after = last;
      events += rows.length;
      await this.sessions.target.execute(
        `INSERT INTO ${this.#schema}.outbox (slot, stream_id, version)
         SELECT hashtextextended(stream_id, 0) & ${OUTBOX_SLOTS - 1}, stream_id, version
         FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS o (stream_id, version, place)
         ORDER BY place`,
        [rows.map((row) => row.stream_id), rows.map((row) => row.version)],
      );
    }
  }

  /** A person looks at each of them, so they are few. */
  async #copyParked(): Promise<void> {
    const rows = await this.sessions.source.execute<{
      stream_id: string;
      version: number;
      reason: string | null;
      parked_at: string;
    }>(
      `SELECT stream_id, version, reason, parked_at::text AS parked_at
       FROM ${this.#schema}.outbox_parked WHERE ${this.#schema}.shard_of(stream_id) <@ $1::int4range`,
      [this.#range],
    );
    await this.sessions.target.execute(
      `INSERT INTO ${this.#schema}.outbox_parked (stream_id, version, reason, parked_at)
       SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::timestamptz[])
       ON CONFLICT (stream_id, version) DO NOTHING`,
      [
        rows.map((row) => row.stream_id),
        rows.map((row) => row.version),
        rows.map((row) => row.reason),
        rows.map((row) => row.parked_at),
      ],
    );
  }
}
