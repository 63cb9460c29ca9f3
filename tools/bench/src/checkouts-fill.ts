import { runningPostgres } from '@sluice/embedded-postgres';
import pg from 'pg';
import type { InstallationUnderTest } from './installation-under-test.js';

const DATABASE = 'sluice';
/** Rows of one statement: an event, a head and a key each. */
const BATCH = 20_000;
const MINUTE_MS = 60_000;
const LIFE_MS = 30 * MINUTE_MS;
const CALL_AFTER_MS = 29 * MINUTE_MS;
const POLL_MS = 500;

/**
 * The checkouts of an installation, past its services: copies of one that nobody has submitted, as if made
 * over the last half hour, and other times for real ones. Nobody can open a copy, and nobody has to.
 */
export class CheckoutsFill {
  private constructor(private readonly database: pg.Client) {}

  /** Of an installation that has checkouts, and nothing to do. */
  static async of({ dataFolder }: InstallationUnderTest): Promise<CheckoutsFill> {
    const url = new URL((await runningPostgres(dataFolder)) ?? '');
    url.pathname = `/${DATABASE}`;
    const database = new pg.Client({ connectionString: url.href });
    await database.connect();
    // Nothing of this has to survive a crash.
    await database.query("SET synchronous_commit = off; SET work_mem = '128MB'");
    return new CheckoutsFill(database);
  }

  /** So many copies, made evenly over the last half hour before an instant. */
  async add(copies: number, untilMs: number): Promise<void> {
    for (let from = 0; from < copies; from += BATCH) {
      const to = Math.min(from + BATCH, copies) - 1;
      await this.database.query(COPY, [from, to, untilMs - LIFE_MS, LIFE_MS / copies]);
    }
  }

  /** What autovacuum would have done over the time. */
  async settle(): Promise<void> {
    await this.database.query('VACUUM (ANALYZE)');
    await this.database.query('CHECKPOINT');
  }

  /** Waits until checkouts knows of so many successes. */
  async untilSucceeded(count: number): Promise<void> {
    for (;;) {
      const found = await this.#number(
        `SELECT count(*)::int AS number FROM checkouts.events WHERE type = 'AttemptSucceeded'`,
      );
      if (found >= count) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Of all that have succeeded, the call after 29 minutes is due within a second from an instant on. */
  async callFrom(atMs: number): Promise<void> {
    await this.database.query(DATED, [atMs - CALL_AFTER_MS]);
    await this.database.query(DUE, [atMs]);
  }

  /** Copies that end within a second from an instant on, as they are, and what is open beside them. */
  async endFrom(count: number, atMs: number): Promise<void> {
    await this.database.query(ENDING, [count, atMs - LIFE_MS]);
  }

  /** How many calls are recorded. */
  called(): Promise<number> {
    return this.#number(
      `SELECT count(*)::int AS number FROM checkouts.events WHERE type = 'ResultCalled'`,
    );
  }

  async open(): Promise<number> {
    return this.#number(`SELECT count(*)::int AS number FROM checkouts.streams`);
  }

  /** How often a table of checkouts was read from end to end so far. */
  async scans(): Promise<number> {
    await this.database.query('SELECT pg_stat_force_next_flush()');
    return this.#number(
      `SELECT sum(seq_scan)::int AS number FROM pg_stat_user_tables
       WHERE schemaname = 'checkouts' AND relname IN ('events', 'streams')`,
    );
  }

  close(): Promise<void> {
    return this.database.end();
  }

  async #number(text: string): Promise<number> {
    const { rows } = await this.database.query<{ number: number }>(text);
    return rows[0]?.number ?? 0;
  }
}

const AT = (instant: string): string =>
  `jsonb_set(metadata::jsonb, '{recordedAtMs}', to_jsonb(${instant}))::json`;

/** Copies number `$1` to `$2` of any one that nobody has submitted, from `$3` on, `$4` apart. */
const COPY = `
  WITH template AS MATERIALIZED (
    SELECT e.* FROM checkouts.streams s JOIN checkouts.events e ON e.stream_id = s.stream_id
    WHERE s.version = 1 AND s.stream_id NOT LIKE '%.copy' ORDER BY s.stream_id LIMIT 1),
  p AS MATERIALIZED (
    SELECT upper(md5('copy' || n)) || '.copy' AS id, ($3 + n * $4::float8)::bigint AS at_ms
    FROM generate_series($1::bigint, $2::bigint) n),
  events AS (
    INSERT INTO checkouts.events
      (stream_id, version, event_id, command_id, type, schema_version, data, metadata)
    SELECT p.id, 1, gen_random_uuid(), gen_random_uuid(), t.type, t.schema_version,
      replace(t.data::text, t.stream_id, p.id)::json, ${AT('p.at_ms')}
    FROM p, template t),
  keys AS (
    INSERT INTO checkouts.personal_keys (stream_id, wrapped)
    SELECT p.id, k.wrapped FROM p, template t JOIN checkouts.personal_keys k ON k.stream_id = t.stream_id)
  INSERT INTO checkouts.streams (stream_id, version) SELECT id, 1 FROM p`;

/** All that have succeeded were made from `$1` on, within a second. */
const DATED = `
  UPDATE checkouts.events e SET metadata = ${AT('($1::bigint + s.place)')}
  FROM (SELECT stream_id, (row_number() OVER (ORDER BY stream_id) - 1) * 1000
          / count(*) OVER () AS place
        FROM checkouts.events WHERE type = 'AttemptSucceeded') s
  WHERE e.stream_id = s.stream_id AND e.type = 'CheckoutCreated'`;

const DUE = `
  UPDATE checkouts.streams h
  SET due_at = to_timestamp($1::float8 / 1000) + s.place * interval '1 ms'
  FROM (SELECT stream_id, (row_number() OVER (ORDER BY stream_id) - 1) * 1000
          / count(*) OVER () AS place
        FROM checkouts.events WHERE type = 'AttemptSucceeded') s
  WHERE h.stream_id = s.stream_id`;

const ENDING = `
  UPDATE checkouts.events SET metadata = ${AT('($2::bigint + s.place)')}
  FROM (SELECT stream_id AS id, (row_number() OVER ()) * 1000 / $1 AS place
        FROM checkouts.streams WHERE stream_id LIKE '%.copy' LIMIT $1) s
  WHERE stream_id = s.id`;
