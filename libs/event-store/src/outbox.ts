import { OUTBOX_SLOTS } from './append-parts.js';
import type { Database } from './database.js';
import { EVENT_COLUMNS, type EventRow, type RecordedEvent, storedEvent } from './recorded-event.js';

/** An event that waits to be published, with its data as it was written. */
export interface WaitingEvent extends RecordedEvent {
  readonly slot: number;
  /** A decimal number; grows within a stream with the version. */
  readonly outboxId: string;
  /** An earlier event of the stream is parked, so this one must not go either. */
  readonly streamParked: boolean;
  /** The incarnation of the store in which it was found (D-23). */
  readonly incarnation: string;
}

/** An event that the transport refused permanently, or one that follows it in its stream. */
export interface ParkedEvent {
  readonly streamId: string;
  readonly version: number;
  /** Why it was refused; absent for one that only follows. */
  readonly reason?: string;
  /** Milliseconds since the epoch, by the database's clock. */
  readonly parkedAtMs: number;
}

/** How far publishing is behind. */
export interface OutboxLag {
  /** Events that wait; counted to a million. */
  readonly waiting: number;
  /** How long ago the oldest of them was recorded; 0 when none waits. */
  readonly oldestAgeMs: number;
  /** Events that wait for an operator. */
  readonly parked: number;
}

/** Counting more would take longer than anybody wants to wait. */
const COUNTED_MAX = 1_000_000;
/** What one batch may weigh as stored; small enough for memory, whatever is in the events. */
const BATCH_BYTES_MAX = 4 * 1024 * 1024;

/**
 * The events that are recorded and not published yet (D-21).
 *
 * A slot is read by id, without the watermark that readers of all events need, and that is safe.
 * Appends of one stream exclude each other by the lock on its head, which is taken before the ids
 * are drawn and held until the commit: so the ids of one stream grow in the order of its versions,
 * and whoever sees a version sees all before it that are not published. (So the identity must not
 * cache numbers per session.) Across streams, ids may become visible out of order. That skips
 * nothing, because no position is remembered: what was published is deleted by its key, and what
 * appears late is found later.
 *
 * A restored store draws ids again that were used before. A relay that still holds events from
 * before the restore must not delete or park, by their keys, other events that now wait under the
 * same keys. So both work only while the store has the incarnation in which the events were found.
 *
 * A plan that was made while the tables were empty must not scan full ones. So rows are looked up
 * one by one, and `OFFSET 0` keeps the planner from joining them in another way.
 */
export class Outbox {
  constructor(
    private readonly database: Database,
    private readonly schema: string,
  ) {}

  /**
   * The next events of the slots that this relay holds, in order within each slot, the slots taking
   * turns so that none starves behind another's backlog. Deletes those that it published before, in
   * the same round trip and like `delete`.
   */
  async next(
    relay: string,
    limit: number,
    published: readonly WaitingEvent[] = [],
  ): Promise<readonly WaitingEvent[]> {
    const { schema } = this;
    const rows = await this.database.execute<[...EventRow, number, string, boolean, string]>({
      name: 'outbox next',
      text: `WITH published AS MATERIALIZED (
               SELECT * FROM unnest($3::smallint[], $4::bigint[]) AS p (slot, id)
               WHERE ${this.#sameLife('$5')}),
             gone AS (DELETE FROM ${schema}.outbox
                      WHERE ${this.#theseRows('$3', '$4')} AND ${this.#sameLife('$5')}),
             own AS MATERIALIZED (
               SELECT slot, ceil($2::int / count(*) OVER ())::int AS share
               FROM ${schema}.relay_slots WHERE holder = $1 AND leased_until > now())
             SELECT ${EVENT_COLUMNS}, e.slot, e.id::text, e.stream_parked,
                    (SELECT id::text FROM ${schema}.incarnation) FROM (
               SELECT e.*, o.slot, o.id, o.place, o.stream_parked,
                      sum(e.stored_bytes) OVER (ORDER BY o.place, o.slot) AS bytes,
                      row_number() OVER (ORDER BY o.place, o.slot) AS number
               FROM own s
               CROSS JOIN LATERAL (
                 SELECT w.slot, w.id, w.stream_id, w.version,
                        row_number() OVER (ORDER BY w.id) AS place,
                        EXISTS (SELECT FROM ${schema}.outbox_parked p
                                WHERE p.stream_id = w.stream_id
                                  AND p.version < w.version) AS stream_parked
                 FROM (SELECT * FROM ${schema}.outbox w WHERE w.slot = s.slot
                       AND w.id NOT IN (SELECT id FROM published)
                       ORDER BY w.id LIMIT s.share) w) o
               CROSS JOIN LATERAL (
                 SELECT *, pg_column_size(data) AS stored_bytes FROM ${schema}.events
                 WHERE stream_id = o.stream_id AND version = o.version OFFSET 0) e) e
             WHERE e.number = 1 OR e.bytes <= ${BATCH_BYTES_MAX}
             ORDER BY e.place, e.slot LIMIT $2`,
      values: [relay, limit, ...keysOf(published)],
    });
    return rows.map((row) => ({
      ...storedEvent(row),
      slot: row[9],
      outboxId: row[10],
      streamParked: row[11],
      incarnation: row[12],
    }));
  }

  /** Deletes published events, unless the store was restored since they were found. */
  async delete(events: readonly WaitingEvent[]): Promise<void> {
    await this.database.execute({
      name: 'outbox delete',
      text: `DELETE FROM ${this.schema}.outbox
             WHERE ${this.#theseRows('$1', '$2')} AND ${this.#sameLife('$3')}`,
      values: keysOf(events),
    });
  }

  /**
   * Parks events, each with the reason if it was refused itself; like `delete`, not after a
   * restore.
   */
  async park(events: readonly (WaitingEvent & { readonly reason?: string })[]): Promise<void> {
    const { schema } = this;
    await this.database.execute({
      name: 'outbox park',
      text: `WITH gone AS (
               DELETE FROM ${schema}.outbox
               WHERE ${this.#theseRows('$1', '$2')} AND ${this.#sameLife('$3')})
             INSERT INTO ${schema}.outbox_parked (stream_id, version, reason)
             SELECT * FROM unnest($4::text[], $5::int[], $6::text[])
             WHERE ${this.#sameLife('$3')}
             ON CONFLICT (stream_id, version) DO NOTHING`,
      values: [
        ...keysOf(events),
        events.map(({ streamId }) => streamId),
        events.map(({ version }) => version),
        events.map(({ reason }) => reason ?? null),
      ],
    });
  }

  /** Parked events, the oldest first. */
  async parked(limit: number): Promise<readonly ParkedEvent[]> {
    const rows = await this.database.execute<[string, number, string | null, number]>({
      name: 'outbox parked',
      text: `SELECT stream_id, version, reason, extract(epoch FROM parked_at)::float8 * 1000
             FROM ${this.schema}.outbox_parked
             ORDER BY parked_at, stream_id, version LIMIT $1`,
      values: [limit],
    });
    return rows.map(([streamId, version, reason, ms]) => ({
      streamId,
      version,
      ...(reason !== null && { reason }),
      parkedAtMs: Math.round(ms),
    }));
  }

  /**
   * Publishes a parked stream from where it stopped; returns how many events wait now. An event
   * appended at the same moment may overtake them, which readers detect by its version.
   */
  async release(streamId: string): Promise<number> {
    const { schema } = this;
    const rows = await this.database.execute({
      name: 'outbox release',
      text: `WITH slot AS MATERIALIZED (
               SELECT (hashtextextended($1, 0) & ${OUTBOX_SLOTS - 1})::smallint AS slot),
             parked AS (
               DELETE FROM ${schema}.outbox_parked WHERE stream_id = $1
               RETURNING stream_id, version),
             waiting AS (
               DELETE FROM ${schema}.outbox
               WHERE slot = (SELECT slot FROM slot) AND stream_id = $1
               RETURNING stream_id, version)
             INSERT INTO ${schema}.outbox (slot, stream_id, version)
             SELECT slot, stream_id, version FROM slot,
               (SELECT * FROM parked UNION SELECT * FROM waiting) e
             ORDER BY version RETURNING version`,
      values: [streamId],
    });
    return rows.length;
  }

  /** How far publishing is behind, over all slots. */
  async lag(): Promise<OutboxLag> {
    const { schema } = this;
    const [row] = await this.database.execute<[string, number | null, string]>({
      name: 'outbox lag',
      text: `SELECT (SELECT count(*) FROM (
                       SELECT FROM ${schema}.outbox LIMIT ${COUNTED_MAX}) o)::text,
                    extract(epoch FROM clock_timestamp() - min(e.recorded_at))::float8 * 1000,
                    (SELECT count(*) FROM ${schema}.outbox_parked)::text
             FROM ${schema}.relay_slots s
             CROSS JOIN LATERAL (SELECT stream_id, version FROM ${schema}.outbox
                                 WHERE slot = s.slot ORDER BY id LIMIT 1) o
             CROSS JOIN LATERAL (SELECT recorded_at FROM ${schema}.events
                                 WHERE stream_id = o.stream_id AND version = o.version
                                 OFFSET 0) e`,
    });
    const [waiting, ageMs, parked] = row ?? ['0', null, '0'];
    return {
      waiting: Number(waiting),
      oldestAgeMs: Math.max(0, ageMs ?? 0),
      parked: Number(parked),
    };
  }

  #sameLife(incarnation: string): string {
    return `(SELECT id FROM ${this.schema}.incarnation) = ${incarnation}::uuid`;
  }

  #theseRows(slots: string, ids: string): string {
    return `ctid = ANY (ARRAY (
      SELECT o.ctid FROM unnest(${slots}::smallint[], ${ids}::bigint[]) AS k (slot, id)
      CROSS JOIN LATERAL (SELECT w.ctid FROM ${this.schema}.outbox w
                          WHERE w.slot = k.slot AND w.id = k.id OFFSET 0) o))`;
  }
}

/** The events were found together, so they belong to one incarnation. */
function keysOf(events: readonly WaitingEvent[]): [number[], string[], string | undefined] {
  return [
    events.map(({ slot }) => slot),
    events.map(({ outboxId }) => outboxId),
    events[0]?.incarnation,
  ];
}
