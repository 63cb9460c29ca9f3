import { runningPostgres } from '@sluice/embedded-postgres';
import { launched } from '@sluice/testing/programs';
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { clusterProcesses, type CpuUsage, cpuUsage, totalOf, usedBetween } from './cpu-usage.js';
import type { InstallationUnderTest } from './installation-under-test.js';
import { cpuSecondsOfEndedChildren } from './process-usage.js';

/** How fast the rows of a projection were made. */
export interface RebuildFigures {
  readonly events: number;
  readonly seconds: number;
  /** Of every process that took part, from reading to the indexes (D-60). */
  readonly cpuSeconds: number;
}

/** The same, and whose CPU it was. */
export interface StoreRebuildFigures extends RebuildFigures {
  readonly parts: Readonly<Record<'node' | 'postgres', number>>;
}

const DATABASE = 'sluice';
const COMMAND_LINE = 'apps/cli/dist/main.js';
const REBUILD = ['replay', '--projection', 'transactions', '--into', 'shadow', '--execute'];
/** Enough that starting the command does not count. */
const EVENTS_WANTED = 600_000;
/** Between a payment and its copy: more than the bench has paid, so that copies are later ones. */
const COPIES_APART_MS = 600_000;
const POLL_INTERVAL_MS = 20;
const CAUGHT_UP_WITHIN_MS = 120_000;
/** What takes part when reporting reads its topic again. */
const READERS = ['reporting', 'kafka', 'postgres'];

/** Looks into the projection of a cluster and makes it again, in both ways that there are. */
export class RebuildBench {
  #isReaderStopped = false;

  private constructor(
    private readonly installation: InstallationUnderTest,
    private readonly database: pg.Client,
  ) {}

  /** The database's own administrator, as an operator may be. */
  static async of(installation: InstallationUnderTest): Promise<RebuildBench> {
    const url = new URL((await runningPostgres(installation.dataFolder)) ?? '');
    url.pathname = `/${DATABASE}`;
    const database = new pg.Client({ connectionString: url.href });
    // A lost connection shows in the statement under way.
    database.on('error', () => undefined);
    await database.connect();
    return new RebuildBench(installation, database);
  }

  /**
   * Empties the live tables, sets them back to the beginning, and ends reporting: the one that comes in
   * its place reads the topic from its beginning.
   */
  async fromKafka(): Promise<RebuildFigures> {
    const { id } = await this.#only<{ id: number }>(
      `SELECT id FROM reporting.table_sets WHERE projection = 'transactions' AND state = 'live'`,
    );
    const streams = `reporting.transactions_${id}_streams`;
    const { events } = await this.#only<{ events: number }>(
      `SELECT sum(version)::int AS events FROM ${streams}`,
    );
    const old = this.#pidOf('reporting');
    process.kill(old, 'SIGSTOP');
    const truncate = `TRUNCATE reporting.transactions_${id}, ${streams}`;
    await this.database.query(truncate);
    // Without a checkpoint it would go on from the offsets that the broker keeps.
    await this.database.query('UPDATE reporting.checkpoints SET "offset" = -1');
    process.kill(old, 'SIGKILL');
    const applied = async (): Promise<number> =>
      (
        await this.#only<{ events: number }>(
          `SELECT coalesce(sum(version), 0)::int AS events FROM ${streams}`,
        )
      ).events;
    await this.#until(async () => (await applied()) > 0);
    const [startedAt, before, begun] = [
      performance.now(),
      cpuUsage(this.installation),
      await applied(),
    ];
    await this.#until(async () => (await applied()) >= events);
    const used = usedBetween(before, cpuUsage(this.installation));
    return figures(events - begun, startedAt, totalOf(readersOf(used)));
  }

  /**
   * Copies the history until it is long. Reporting stops before that: it would find the copies
   * missing in its rows, and fetch them one by one while a rebuild is measured.
   */
  async lengthen(onProgress: (line: string) => void): Promise<void> {
    process.kill(this.#readerPid(), 'SIGSTOP');
    this.#isReaderStopped = true;
    await this.#multiply(onProgress);
  }

  /** Fills new tables from the store by the operator's command, of this build unless told. */
  async fromStore(root?: string): Promise<StoreRebuildFigures> {
    const { events } = await this.#only<{ events: number }>(
      'SELECT count(*)::int AS events FROM payments.events',
    );
    const startedAt = performance.now();
    const [before, commandBefore] = [cpuUsage(this.installation), cpuSecondsOfEndedChildren()];
    const words = [...launched(COMMAND_LINE, root), ...REBUILD];
    await commandLine([...words, '--data', this.installation.dataFolder]);
    const postgres = usedBetween(before, cpuUsage(this.installation)).get('postgres') ?? 0;
    const node = cpuSecondsOfEndedChildren() - commandBefore;
    const parts = { node, postgres };
    const rebuilt = { ...figures(events, startedAt, postgres + node), parts };
    await this.#dropRebuilt();
    return rebuilt;
  }

  /** Leaves the installation as it is. */
  async close(): Promise<void> {
    if (this.#isReaderStopped) process.kill(this.#readerPid(), 'SIGCONT');
    await this.database.end();
  }

  async #multiply(onProgress: (line: string) => void): Promise<void> {
    const { events } = await this.#only<{ events: number }>(
      'SELECT count(*)::int AS events FROM payments.events',
    );
    const copies = Math.ceil(EVENTS_WANTED / Math.max(1, events)) - 1;
    onProgress(`Copying ${events} events ${copies} times …`);
    await this.database.query(
      `CREATE TEMP TABLE originals AS SELECT stream_id, version, command_id, type, schema_version,
         data::text AS data, metadata, recorded_at FROM payments.events`,
    );
    for (let copy = 1; copy <= copies; copy += 1) {
      // Another id, of the same payment made later; its data names it as its first transaction.
      await this.database.query(COPY_STREAMS, [copy, copy * COPIES_APART_MS]);
    }
    // As autovacuum would have done in a minute, and then in the middle of a rebuild.
    await this.database.query('VACUUM (ANALYZE) payments.events');
    await this.database.query('CHECKPOINT');
  }

  /** Whoever asks for the next rebuild finds the database as it was. */
  async #dropRebuilt(): Promise<void> {
    const { rows } = await this.database.query<{ id: number }>(
      `DELETE FROM reporting.table_sets WHERE state = 'following' RETURNING id`,
    );
    for (const { id } of rows) {
      const table = `reporting.transactions_${String(id)}`;
      const drop = `DROP TABLE ${table}, ${table}_streams`;
      await this.database.query(drop);
    }
    await this.database.query('CHECKPOINT');
  }

  /** What feeds the projection: the sandbox is one process. */
  #readerPid(): number {
    const { profile, pid } = this.installation;
    return profile === 'sandbox' ? pid : this.#pidOf('reporting');
  }

  #pidOf(name: string): number {
    const found = clusterProcesses(this.installation).find((each) => each.name === name);
    if (found === undefined) throw new Error(`The cluster has no process ${name}.`);
    return found.pid;
  }

  async #only<Row extends pg.QueryResultRow>(text: string): Promise<Row> {
    const { rows } = await this.database.query<Row>(text);
    if (rows[0] === undefined) throw new Error(`Nothing found by: ${text}`);
    return rows[0];
  }

  async #until(isReached: () => Promise<boolean>): Promise<void> {
    const giveUpAt = performance.now() + CAUGHT_UP_WITHIN_MS;
    while (!(await isReached())) {
      if (performance.now() > giveUpAt) throw new Error('Reporting does not catch up.');
      await pause(POLL_INTERVAL_MS);
    }
  }
}

const COPY_STREAMS = `
  INSERT INTO payments.events
    (event_id, stream_id, version, command_id, type, schema_version, data, metadata, recorded_at)
  SELECT gen_random_uuid(), copy_id, version, command_id, type, schema_version,
    replace(data, stream_id, copy_id)::json, metadata, recorded_at
  FROM originals, LATERAL (
    SELECT lpad(to_hex(('x' || left(stream_id, 12))::bit(48)::bigint + $2::bigint), 12, '0')
      || substr(stream_id, 13, 4) || right(md5(stream_id || $1::text), 16) AS copy_id) c
  ORDER BY copy_id, version`;

function readersOf(used: CpuUsage): CpuUsage {
  return new Map([...used].filter(([name]) => READERS.includes(name)));
}

function figures(events: number, startedAt: number, cpuSeconds: number): RebuildFigures {
  return { events, seconds: (performance.now() - startedAt) / 1_000, cpuSeconds };
}

function commandLine(words: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The command ended with ${String(code)}.`));
    });
  });
}
