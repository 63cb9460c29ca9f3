import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { runningPostgres, startEmbeddedPostgres } from '@sluice/embedded-postgres';
import pg from 'pg';
import type { AppendMember, NewEvent } from './append-member.js';
import { EventStore, type EventStoreOptions } from './event-store.js';
import { FIRST_CELL } from './cells/cell-tables.js';
import { migrations } from './schema.js';

/** The schema of every store in these specs. */
export const SCHEMA = 'ledger';

const CONNECTIONS_MAX = '200';
const START_WITHIN_MS = 60_000;

/** A database with the store's tables, and stores on it; made and dropped by jest's hooks. */
export class StoreFixture {
  /** A superuser's pool. */
  owner = new pg.Pool();
  readonly #pools: pg.Pool[] = [];
  #ownerUrl = '';
  #appUrl = '';

  /** `cell`: which cell of the service the store is. */
  constructor(private readonly cell = FIRST_CELL) {
    beforeAll(() => this.#create(), START_WITHIN_MS);
    afterEach(() => this.closePools());
    afterAll(() => this.#drop());
  }

  /** The app role's connection string. */
  get appUrl(): string {
    return this.#appUrl;
  }

  /** A superuser's connection string. */
  get ownerUrl(): string {
    return this.#ownerUrl;
  }

  /** As the app role; ended with the test. */
  pool(options: pg.PoolConfig = {}): pg.Pool {
    const pool = new pg.Pool({ connectionString: this.#appUrl, max: 4, ...options });
    pool.on('error', () => undefined);
    this.#pools.push(pool);
    return pool;
  }

  /** A store with a pool of its own, as if in a process of its own. */
  store(options: Partial<EventStoreOptions> = {}, pool = this.pool()): EventStore {
    return new EventStore(pool, { schema: SCHEMA, ...options });
  }

  async rows<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]> {
    return (await this.owner.query<Row>(text, values)).rows;
  }

  /** Resolves once so many statements of the app role wait for a lock. */
  async blocked(count: number): Promise<void> {
    for (;;) {
      const [row] = await this.rows<{ waiting: string }>(
        `SELECT count(*) AS waiting FROM pg_stat_activity
         WHERE wait_event_type = 'Lock' AND usename = current_database() || '_app'`,
      );
      if (Number(row?.waiting) >= count) return;
    }
  }

  /** What must hold whatever happened: the streams that break it. */
  async broken(): Promise<unknown[]> {
    return this.rows(
      `SELECT stream_id, s.version, e.highest, e.number FROM ${SCHEMA}.streams s
       FULL JOIN (SELECT stream_id, max(version) AS highest, count(*) AS number
                  FROM ${SCHEMA}.events GROUP BY stream_id) e USING (stream_id)
       WHERE s.version IS DISTINCT FROM e.highest OR e.number <> e.highest`,
    );
  }

  async closePools(): Promise<void> {
    await Promise.all(this.#pools.splice(0).map((pool) => pool.end()));
  }

  async #create(): Promise<void> {
    const serverUrl = process.env['DATABASE_URL'] ?? (await workerServer());
    const name = `test_${randomBytes(6).toString('hex')}`;
    const appRole = `${name}_app`;
    await withClient(serverUrl, async (client) => {
      await client.query(`CREATE DATABASE ${name}`);
      await client.query(`CREATE ROLE ${appRole} LOGIN PASSWORD 'app'`);
    });
    this.#ownerUrl = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
    this.#appUrl = Object.assign(new URL(this.#ownerUrl), {
      username: appRole,
      password: 'app',
    }).href;
    await this.owner.end();
    this.owner = new pg.Pool({ connectionString: this.#ownerUrl, max: 4 });
    // The database is dropped by force, perhaps while one of its connections is just ending.
    this.owner.on('error', () => undefined);
    await this.owner.query(`CREATE SCHEMA ${SCHEMA}`);
    for (const { statements } of migrations({ schema: SCHEMA, appRole, cell: this.cell })) {
      for (const statement of statements) await this.owner.query(statement);
    }
  }

  async #drop(): Promise<void> {
    await this.owner.end();
    const name = new URL(this.#ownerUrl).pathname.slice(1);
    await withClient(process.env['DATABASE_URL'] ?? (await workerServer()), async (client) => {
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await client.query(`DROP ROLE ${name}_app`);
    });
  }
}

/** One server for all spec files of a jest worker; it ends and is deleted with the worker. */
async function workerServer(): Promise<string> {
  const startedAt = Math.round(performance.timeOrigin);
  const folder = join(tmpdir(), `sluice-event-store-${String(process.pid)}-${String(startedAt)}`);
  const running = await runningPostgres(folder);
  if (running !== undefined) return running;
  const { url } = await startEmbeddedPostgres(folder, {
    removeFolderAtEnd: true,
    settings: { max_connections: CONNECTIONS_MAX },
  });
  return url;
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** A new stream id, as transaction ids are. */
export function newStreamId(): string {
  return randomBytes(16).toString('hex');
}

export function newEvent(fields: Partial<NewEvent> = {}): NewEvent {
  return {
    id: randomUUID(),
    type: 'Booked',
    schemaVersion: 1,
    data: '{"amount": "100"}',
    metadata: '{}',
    ...fields,
  };
}

/** The first append of a new stream, unless `fields` say otherwise. */
export function newMember(fields: Partial<AppendMember> = {}): AppendMember {
  return {
    streamId: newStreamId(),
    expectedVersion: 0,
    commandId: randomUUID(),
    events: [newEvent()],
    ...fields,
  };
}

/** An idempotency claim; the transaction is another one each time. */
export function newClaim(key: string): NonNullable<AppendMember['idempotency']> {
  return { key, fingerprint: `of ${key}`, answer: '{"ndc": "1"}', transactionId: newStreamId() };
}

/** Appends so many events to each of so many new streams. */
export async function append(store: EventStore, streams: number, events = 1): Promise<string[]> {
  const ids = Array.from({ length: streams }, () => newStreamId());
  await Promise.all(
    ids.flatMap((streamId) =>
      Array.from({ length: events }, (_, expectedVersion) =>
        store.append(newMember({ streamId, expectedVersion })),
      ),
    ),
  );
  return ids;
}
