import { runningPostgres } from '@sluice/embedded-postgres';
import pg from 'pg';
import type { InstallationUnderTest } from './installation-under-test.js';

const DATABASE = 'sluice';
/** Rows of one statement: an event and a head each. */
const BATCH = 20_000;
const POLL_MS = 500;

/** What became of schedules that were due at once, in seconds after that. */
export interface RunsSeen {
  readonly performed: number;
  readonly failed: number;
  /** When the last one was started, and when it was decided. */
  readonly startedAfterS: number;
  readonly decidedAfterS: number;
}

/** The schedules of an installation, past its services: copies of those that it has really made. */
export class SchedulesFill {
  private constructor(private readonly database: pg.Client) {}

  static async of({ dataFolder }: InstallationUnderTest): Promise<SchedulesFill> {
    const url = new URL((await runningPostgres(dataFolder)) ?? '');
    url.pathname = `/${DATABASE}`;
    const database = new pg.Client({ connectionString: url.href });
    await database.connect();
    // Nothing of this has to survive a crash.
    await database.query("SET synchronous_commit = off; SET work_mem = '128MB'");
    return new SchedulesFill(database);
  }

  /** So many copies of a schedule, which are due when it is. */
  async copy(scheduleId: string, copies: number): Promise<void> {
    for (let from = 0; from < copies; from += BATCH) {
      const to = Math.min(from + BATCH, copies) - 1;
      await this.database.query(COPY, [scheduleId, from, to]);
    }
  }

  /** What autovacuum would have done over the time. */
  async settle(): Promise<void> {
    await this.database.query('VACUUM (ANALYZE)');
    await this.database.query('CHECKPOINT');
  }

  /** Waits until nothing is due within the next hour. */
  async untilNothingIsDue(): Promise<void> {
    while ((await this.#number(DUE_SOON)) > 0) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** How often a table of schedules was read from end to end so far. */
  async scans(): Promise<number> {
    await this.database.query('SELECT pg_stat_force_next_flush()');
    return this.#number(SCANS);
  }

  async seen(dueMs: number): Promise<RunsSeen> {
    const { rows } = await this.database.query<RunsSeen>(SEEN, [dueMs]);
    const [seen] = rows;
    if (seen === undefined) throw new Error('Nothing was counted.');
    return seen;
  }

  close(): Promise<void> {
    return this.database.end();
  }

  async #number(text: string): Promise<number> {
    const { rows } = await this.database.query<{ number: number }>(text);
    return rows[0]?.number ?? 0;
  }
}

/** Copies number `$2` to `$3` of the schedule `$1`, with ids of the same time. */
const COPY = `
  WITH p AS MATERIALIZED (
    SELECT substr($1, 1, 12) || substr(md5($1 || n), 1, 20) AS id
    FROM generate_series($2::bigint, $3::bigint) n),
  events AS (
    INSERT INTO scheduling.events
      (stream_id, version, event_id, command_id, type, schema_version, data, metadata)
    SELECT p.id, 1, gen_random_uuid(), gen_random_uuid(), t.type, t.schema_version,
      replace(t.data::text, t.stream_id, p.id)::json, t.metadata
    FROM p, scheduling.events t WHERE t.stream_id = $1 AND t.version = 1)
  INSERT INTO scheduling.streams (stream_id, version, due_at, tenant)
  SELECT p.id, 1, t.due_at, t.tenant FROM p, scheduling.streams t WHERE t.stream_id = $1`;

const DUE_SOON = `
  SELECT count(*)::int AS number FROM scheduling.streams
  WHERE due_at <= now() + interval '1 hour'`;

const SCANS = `
  SELECT coalesce(sum(seq_scan), 0)::int AS number FROM pg_stat_user_tables
  WHERE schemaname = 'scheduling' AND relname IN ('events', 'streams')`;

const SEEN = `
  SELECT count(*) FILTER (WHERE type = 'RunPerformed')::int AS performed,
    count(*) FILTER (WHERE type = 'RunFailed')::int AS failed,
    extract(epoch FROM max(recorded_at) FILTER (WHERE type = 'RunStarted'))::float8
      - $1::float8 / 1000 AS "startedAfterS",
    extract(epoch FROM max(recorded_at) FILTER (WHERE type IN ('RunPerformed', 'RunFailed')))::float8
      - $1::float8 / 1000 AS "decidedAfterS"
  FROM scheduling.events`;
