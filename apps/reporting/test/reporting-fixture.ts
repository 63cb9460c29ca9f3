import { eventTopics, type Message, type RecordedTransactions } from '@sluice/contracts';
import { migrations } from '@sluice/event-store';
import type { TransactionId } from '@sluice/identifiers';
import { type Events, InProcessBus } from '@sluice/messaging';
import {
  type FedTableSet,
  fedTableSet,
  fillTableSet,
  listTableSets,
  type Rebuilt,
} from '@sluice/projections';
import {
  createLogger,
  ensureRolesAndSchema,
  migrate,
  PrometheusMetrics,
  type ServiceDatabase,
} from '@sluice/service';
import { startTestDatabase, type TestDatabase } from '@sluice/testing';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ReportingModule } from '../src/index.js';
import { transactions } from '../src/projections/transactions.projection.js';
import { reportingMetrics } from '../src/reporting-metrics.js';
import { ENTITY_ID, momentOf, ofPayment, Payments } from './payment-streams-fixture.js';

/** What is special about an instance of reporting. */
export interface InstanceOptions {
  readonly log: Log;
  readonly settings: object;
  /** Absent: the world's own. */
  readonly bus?: InProcessBus;
  /** Absent: the bus's. */
  readonly events?: Events;
  /** Absent: a fraction of what queries wait really. */
  readonly queryWaitMs?: number;
}

/** What an instance of reporting has logged. */
export class Log {
  readonly lines: { readonly level: string; readonly msg: string }[] = [];
  readonly logger = createLogger({
    ...{ service: 'reporting', level: 'info' },
    destination: {
      write: (line) => {
        this.lines.push(JSON.parse(line) as Log['lines'][number]);
      },
    },
  });

  count(sentence: string | RegExp): number {
    return this.lines.filter(({ msg }) =>
      typeof sentence === 'string' ? msg === sentence : sentence.test(msg),
    ).length;
  }
}

/** A database with payments' store and reporting, which runs or not. */
export class ReportingWorld {
  readonly bus = new InProcessBus();
  /** Of all instances together. */
  readonly metrics = new PrometheusMetrics(reportingMetrics.declarations);
  /** Of the instance that runs, or ran last. */
  log = new Log();
  #running: { close(): Promise<void> } | undefined;

  private constructor(
    readonly admin: pg.Pool,
    readonly payments: Payments,
    readonly database: ServiceDatabase,
    readonly testDatabase: TestDatabase,
  ) {}

  static async make(): Promise<ReportingWorld> {
    const testDatabase = await startTestDatabase();
    const services = await ensureRolesAndSchema(testDatabase.url, ['payments', 'reporting']);
    const { appRole, ownerUrl } = services.payments;
    await migrate({
      url: ownerUrl,
      schema: 'payments',
      migrations: migrations({ schema: 'payments', appRole }),
      appRole,
    });
    const admin = new pg.Pool({ connectionString: testDatabase.url, max: 8 });
    const payments = new Payments(services.payments, admin);
    const { reporting } = services;
    await ReportingModule.migrate(reporting, [transactions]);
    return new ReportingWorld(admin, payments, reporting, testDatabase);
  }

  /** How many events rebuilds of this world's instances say they have read. */
  async replayedEvents(): Promise<number> {
    const line = /^sluice_replay_events_total\{projection="transactions"\} ([0-9]{1,9})$/m;
    return Number(line.exec(await this.metrics.exposition())?.[1]);
  }

  async start(settings: object = {}, queryWaitMs?: number): Promise<void> {
    this.log = new Log();
    const waiting = queryWaitMs === undefined ? {} : { queryWaitMs };
    this.#running = await this.instance({ log: this.log, settings, ...waiting });
    await eventually(async () => (await this.headsCursors()) > 0);
  }

  /** From here on what is paid reaches the rows by its messages alone, for a second at least. */
  async startCompared(settings: object = {}, queryWaitMs?: number): Promise<void> {
    const before = this.payments.comparisons;
    await this.start(settings, queryWaitMs);
    await eventually(() => Promise.resolve(this.payments.comparisons > before));
  }

  /** Starts it with what it needs to rebuild by itself; it need not get anywhere. */
  async startRebuilding(settings: object = {}): Promise<void> {
    this.log = new Log();
    const all = { ...this.rebuildSettings, ...settings };
    this.#running = await this.instance({ log: this.log, settings: all });
  }

  get rebuildSettings() {
    const { ownerUrl: ownerDatabaseUrl } = this.database;
    return { ownerDatabaseUrl, eventSourceUrls: [this.payments.database.appUrl] };
  }

  /** An instance of reporting; the caller closes it. */
  instance({
    bus = this.bus,
    events = bus.events,
    log,
    settings,
    queryWaitMs = 100,
  }: InstanceOptions) {
    return ReportingModule.start({
      settings: { databaseUrl: this.database.appUrl, pollIntervalMs: 20, ...settings },
      ...{ events, transport: bus.transport('reporting'), queries: this.payments.queries },
      projections: [transactions],
      ...{ logger: log.logger, retryDelaysMs: [5, 5, 5, 5], rebuildRetryMs: 50 },
      ...{ rebuildChunkEvents: 1_000, queryWaitMs },
      metrics: this.metrics,
    });
  }

  /** Makes the tables what an earlier version had made, while reporting does not run. */
  async makeEarlier(id = 1): Promise<void> {
    await this.admin.query('UPDATE reporting.table_sets SET version = 1 WHERE id = $1', [id]);
    await this.admin.query(
      `ALTER TABLE reporting.transactions_${id} DROP COLUMN avs_response, DROP COLUMN cvv_response`,
    );
  }

  /** Number, version and state of each table set. */
  async states(): Promise<readonly (readonly [number, number, string])[]> {
    const sets = await listTableSets(this.admin, 'reporting', transactions.name);
    return sets.map(({ id, version, state }) => [id, version, state] as const);
  }

  /** Resolves when queries read these tables. */
  async untilLive(id: number): Promise<void> {
    await eventually(async () =>
      (await this.states()).some(([set, , state]) => set === id && state === 'live'),
    );
  }

  async stop(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.bus.close();
    await this.admin.end();
    await this.testDatabase.drop();
  }

  publish(messages: readonly Message[]): Promise<void> {
    return this.bus.events.publish(eventTopics.payments, messages);
  }

  /** How many table sets have compared themselves with payments since they were made. */
  async headsCursors(): Promise<number> {
    const { rows } = await this.admin.query<{ count: number }>(
      'SELECT count(heads_cursor)::int AS count FROM reporting.table_sets',
    );
    return rows[0]?.count ?? 0;
  }

  set(id: number): FedTableSet {
    return fedTableSet(transactions, 'reporting', id);
  }

  get rebuildOptions() {
    const { payments, database } = this;
    return {
      source: { url: payments.database.appUrl, schema: 'payments' },
      target: { url: database.ownerUrl, schema: 'reporting', appRole: database.appRole },
      projection: transactions,
    };
  }

  rebuild(chunkEvents?: number): Promise<Rebuilt> {
    return fillTableSet({
      ...this.rebuildOptions,
      ...(chunkEvents !== undefined && { chunkEvents }),
    });
  }

  /** The rows of a table set, in order. */
  async rows(id = 1): Promise<readonly Record<string, unknown>[]> {
    const { rows } = await this.admin.query<Record<string, unknown>>(
      `SELECT * FROM reporting.transactions_${id} ORDER BY transaction_id`,
    );
    return rows;
  }

  async count(id = 1): Promise<number> {
    const { rows } = await this.admin.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM reporting.transactions_${id}`,
    );
    return rows[0]?.count ?? 0;
  }

  search(parameters: object): Promise<RecordedTransactions> {
    const query = {
      entityId: ENTITY_ID,
      limit: 100,
      pageNo: 1,
      includeLinked: false,
      ...parameters,
    };
    return this.bus.queries.ask<RecordedTransactions>('reporting', 'reporting.transactions', query);
  }

  linked(parameters: object): Promise<RecordedTransactions> {
    const query = { entityId: ENTITY_ID, limit: 100, offset: 0, ...parameters };
    const name = 'reporting.linkedTransactions';
    return this.bus.queries.ask<RecordedTransactions>('reporting', name, query);
  }

  /** A payment's first transaction as it is found, or with it all of the payment. */
  async find(
    id: TransactionId,
    parameters: object = {},
  ): Promise<RecordedTransactions['transactions']> {
    return ofPayment(id, (await this.search({ by: momentOf(id), ...parameters })).transactions);
  }
}

/** Waits for what other parts of the process do by themselves. */
export async function eventually(holds: () => Promise<boolean>, withinMs = 20_000): Promise<void> {
  for (const giveUpAt = Date.now() + withinMs; !(await holds());) {
    if (Date.now() > giveUpAt) throw new Error('It did not happen in time.');
    await delay(10);
  }
}
