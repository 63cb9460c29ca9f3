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

const DATABASE = 'sluice';
const COMMAND_LINE = launched('tools/cli/dist/main.js');
const REBUILD = ['replay', '--projection', 'transactions', '--into', 'shadow', '--execute'];
/** Enough that starting the command does not count. */
const EVENTS_WANTED = 600_000;
const POLL_INTERVAL_MS = 20;
const CAUGHT_UP_WITHIN_MS = 120_000;
/** What takes part when reporting reads its topic again. */
const READERS = ['reporting', 'kafka', 'postgres'];

/** Looks into the projection of a cluster and makes it again, in both ways that there are. */
export class RebuildBench {
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

  /** Copies the history until it is long, and fills new tables from the store by the operator's command. */
  async fromStore(onProgress: (line: string) => void): Promise<RebuildFigures> {
    await this.#multiply(onProgress);
    const { events } = await this.#only<{ events: number }>(
      'SELECT count(*)::int AS events FROM payments.events',
    );
    const startedAt = performance.now();
    const [before, commandBefore] = [cpuUsage(this.installation), cpuSecondsOfEndedChildren()];
    await commandLine([...REBUILD, '--data', this.installation.dataFolder]);
    const postgres = usedBetween(before, cpuUsage(this.installation)).get('postgres') ?? 0;
    return figures(events, startedAt, postgres + cpuSecondsOfEndedChildren() - commandBefore);
  }

  /** Leaves the installation as it is. */
  async close(): Promise<void> {
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
      // Another id of the same length; the data of a payment names it as its first transaction.
      await this.database.query(COPY_STREAMS, [copy]);
    }
    await this.database.query('ANALYZE payments.events');
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
    SELECT left(stream_id, 16) || right(md5(stream_id || $1::text), 16) AS copy_id) c`;

function readersOf(used: CpuUsage): CpuUsage {
  return new Map([...used].filter(([name]) => READERS.includes(name)));
}

function figures(events: number, startedAt: number, cpuSeconds: number): RebuildFigures {
  return { events, seconds: (performance.now() - startedAt) / 1_000, cpuSeconds };
}

function commandLine(words: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...COMMAND_LINE, ...words], { stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The command ended with ${String(code)}.`));
    });
  });
}
