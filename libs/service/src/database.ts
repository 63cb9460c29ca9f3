import { Client, type ClientConfig, Pool } from 'pg';
import type { Metrics } from './metrics.js';
import { exposePool } from './process-metrics.js';

/** How a service uses its pool. */
export interface PoolOptions {
  /** Shown by the server beside each connection. */
  readonly service: string;
  /** Put first on the search path, so that statements need no prefix. */
  readonly schema?: string;
  readonly connectionsMax: number;
  /** Shows how busy the pool is. */
  readonly metrics?: Metrics | undefined;
  /** Called with the error of an idle connection; the pool continues with a new one. */
  readonly onError: (error: Error) => void;
  readonly statementTimeoutMs?: number;
  readonly idleInTransactionTimeoutMs?: number;
  /**
   * A commit does not wait for the disk, so a crash of the server may undo the last half second: only
   * for what can be made again.
   */
  readonly commitsMayBeLost?: true | undefined;
}

/**
 * D-10: no statement on the payment path takes longer, and a longer one would hold up every reader.
 */
const STATEMENT_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
/** A server that restarts is back within this; longer waits belong to the caller. */
const CONNECT_TIMEOUT_MS = 5_000;
const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * A pool for one service. 64-bit integers come as strings, which `pg` does by itself and nobody may
 * change: a number would round amounts and positions.
 */
export function createPool(url: string, options: PoolOptions): Pool {
  const { schema, commitsMayBeLost } = options;
  if (schema !== undefined && !IDENTIFIER.test(schema)) {
    throw new TypeError(`Not an SQL identifier: ${schema}`);
  }
  const pool = new Pool({
    connectionString: url,
    application_name: `sluice-${options.service}`,
    max: options.connectionsMax,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout:
      options.idleInTransactionTimeoutMs ?? IDLE_IN_TRANSACTION_TIMEOUT_MS,
    options: [
      ...(schema === undefined ? [] : [`-c search_path=${schema}`]),
      ...(commitsMayBeLost === true ? ['-c synchronous_commit=off'] : []),
    ].join(' '),
  });
  // Without a listener a restart of the server would end this process.
  pool.on('error', options.onError);
  pool.on('connect', expectLoss);
  if (options.metrics !== undefined) exposePool(options.metrics, pool);
  return pool;
}

/**
 * For every new connection of a pool. A connection has no listener between being handed out and the
 * continuation of the code that asked for it, and the server may have ended it in the same packet
 * that said it was ready.
 */
export function expectLoss(client: Pick<Client, 'on'>): void {
  client.on('error', () => undefined);
}

/**
 * A separate connection for one piece of work; the caller ends it. Losing it fails the current
 * statement; without one, the process does not end because of it.
 */
export async function connectClient(config: ClientConfig): Promise<Client> {
  const client = new Client(config);
  expectLoss(client);
  await client.connect();
  return client;
}

/** Thrown if the server may lose what it has acknowledged; no payment may be kept there. */
export class DurabilityError extends Error {
  override readonly name = 'DurabilityError';
}

const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;
/** Levels of `synchronous_commit` that wait for this server's disk at least. */
const SYNCHRONOUS = ['on', 'remote_apply', 'remote_write'];

/**
 * Refuses, with a sentence, a server that could forget a committed payment (R-CRA-03): `fsync`,
 * `full_page_writes` and `synchronous_commit` must be on.
 */
export async function assertDurable(pool: Pick<Pool, 'query'>): Promise<void> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'SELECT name, setting FROM pg_settings WHERE name = ANY ($1) ORDER BY name',
    [DURABILITY_SETTINGS],
  );
  const off = rows.filter(({ name, setting }) =>
    name === 'synchronous_commit' ? !SYNCHRONOUS.includes(setting) : setting !== 'on',
  );
  if (off.length === 0) return;
  const list = off.map(({ name, setting }) => `${name} is ${setting}`).join(' and ');
  throw new DurabilityError(
    `This PostgreSQL may lose committed payments in a crash: ${list}. Switch it on and start again.`,
  );
}

/** What the database's clock says, milliseconds since the epoch. */
export async function databaseTime(pool: Pick<Pool, 'query'>): Promise<number> {
  const { rows } = await pool.query<{ seconds: string }>(
    'SELECT extract(epoch FROM clock_timestamp()) AS seconds',
  );
  return Number(rows[0]?.seconds) * 1_000;
}
