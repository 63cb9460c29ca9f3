import { setTimeout as delay } from 'node:timers/promises';
import type { Client, QueryResultRow } from 'pg';
import { MoveRefused } from './move-refused.js';

/** Opens a connection as the owner of the tables. The one who gets it ends it. */
export type Connect = () => Promise<Client>;

/**
 * How long a single statement may take. The longest looks through a table for rows of the range,
 * before anybody has to wait for the move.
 */
const STATEMENT_WITHIN_MS = 15 * 60_000;
/** A driver gives up on a server that has not even said that the statement took too long. */
const ANSWER_GRACE_MS = 5_000;
/** Nothing waits for locks for long, except for the fence, which has limits of its own. */
export const LOCK_TIMEOUT_MS = 10_000;
/** A mover that was stopped in the middle of a transaction must not hold its locks for ever. */
const IDLE_IN_TRANSACTION_MS = 60_000;
/** A killed mover's session ends when its statement does, or its server notices. */
const LOCK_WITHIN_MS = 5_000;
const LOCK_PAUSE_MS = 100;

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Rows are compared as text between two servers, so both must print alike. Index access, because
 * pages follow the primary keys and the planner may know nothing of new tables.
 */
const SETTINGS = `SET timezone = 'UTC'; SET datestyle = 'ISO'; SET extra_float_digits = 1;
  SET bytea_output = 'hex'; SET enable_seqscan = off; SET jit = off; SET synchronous_commit = on;
  SET lock_timeout = ${LOCK_TIMEOUT_MS};
  SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;

/** Moves exclude each other by this lock, and `withoutMoves` holds it in shared mode. */
const LOCK = `hashtextextended('shards of ' || $1, 0)`;

/** SQL that says whether a move works in the database now. */
export function moveIsAtWork(schema: string): string {
  return `EXISTS (SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.granted
        AND l.mode = 'ExclusiveLock' AND l.objsubid = 1
        AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('shards of ${schema}', 0))`;
}

/** One connection to one database of a move. Its locks live and die with it. */
export class MoveSession {
  #withinMs = STATEMENT_WITHIN_MS;

  private constructor(private readonly client: Client) {}

  /** Ended by its `close`. */
  static async open(connect: Connect): Promise<MoveSession> {
    const client = await connect();
    // A lost connection fails its statement; here it would end the process.
    client.on('error', () => undefined);
    const session = new MoveSession(client);
    try {
      await client.query(SETTINGS);
      await session.limit(STATEMENT_WITHIN_MS);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /** From now on, how long a statement may take. */
  async limit(withinMs = STATEMENT_WITHIN_MS): Promise<void> {
    this.#withinMs = withinMs;
    await this.execute(`SET statement_timeout = ${withinMs}`);
  }

  async execute<Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<readonly Row[]> {
    // Missing from the driver's types: rejects if the server does not answer for that long.
    const within = { query_timeout: this.#withinMs + ANSWER_GRACE_MS };
    const result = await this.client.query<Row>({
      text,
      ...(values !== undefined && { values: [...values] }),
      ...within,
    });
    return result.rows;
  }

  /** The only row of a statement that always has one. */
  async row<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row> {
    const [row] = await this.execute<Row>(text, values);
    if (row === undefined) throw new Error('The event store lacks a row that every store has.');
    return row;
  }

  /** All or nothing; after an error, nothing, unless the connection was lost in the COMMIT. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.execute('BEGIN');
    try {
      const result = await work();
      await this.execute('COMMIT');
      return result;
    } catch (error) {
      await this.execute('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Never rejects. */
  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }

  /**
   * Until the session ends. @throws MoveRefused when a move, or what excludes moves, holds the lock
   */
  async lock(schema: string, mode: 'move' | 'shared'): Promise<void> {
    const attempt = mode === 'move' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
    const untilMs = performance.now() + LOCK_WITHIN_MS;
    for (;;) {
      const { got } = await this.row<{ got: boolean }>(`SELECT ${attempt}(${LOCK}) AS got`, [
        schema,
      ]);
      if (got) return;
      if (performance.now() > untilMs) throw new MoveRefused(takenText(mode));
      await delay(LOCK_PAUSE_MS);
    }
  }
}

/** Whether a statement failed because it waited for a lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
}

function takenText(mode: 'move' | 'shared'): string {
  return mode === 'move'
    ? 'Another move of shards works in one of these databases, or personal data is being erased there; ' +
        'wait until it ends.'
    : 'Shards are being moved into or out of this database; wait until that ends.';
}
