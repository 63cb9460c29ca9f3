import {
  declareEvents,
  eventTopics,
  internalCallers,
  type Message,
  type PublishedEventData,
  type RoutingAnswer,
  type TransactionAnswer,
  type TransactionQuery,
} from '@sluice/contracts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@sluice/embedded-postgres';
import { type EntityId, newMessageId, newTransactionId } from '@sluice/identifiers';
import { type LocalKafka, startLocalKafka } from '@sluice/local-kafka';
import { applyTopics, createKafka, KafkaBus, queryPattern, QueryServer } from '@sluice/messaging';
import {
  createLogger,
  ensureRolesAndSchema,
  FileKeyProvider,
  InternalServer,
  migrate,
  type ServiceDatabase,
} from '@sluice/service';
import { launched } from '@sluice/testing/programs';
import { webhooks } from '@sluice/webhooks';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { cpuSecondsOf, cpuSecondsOfTree } from './process-usage.js';
import { nameOf } from './webhooks-receiver.js';
import { subscribe, type WantedSubscription } from './webhooks-subscriptions.js';

const READY = 'Webhooks hears what happens, and tells receivers.';
const PUBLISHED_AT_ONCE = 500;
const POLL_MS = 20;
const APPROVED_AT = 3;

interface Parts {
  readonly folder: string;
  readonly postgres: EmbeddedPostgres;
  readonly kafka: LocalKafka;
  readonly bus: KafkaBus;
  readonly others: QueryServer;
  readonly administrator: pg.Client;
  readonly place: Record<'url' | 'schema' | 'keyFile', string>;
  readonly service: ChildProcess;
}

/**
 * The process of webhooks as it is, over a PostgreSQL and a Kafka of its own. What it asks of payments and
 * accounts is answered here, at once, so that its own work is measured and not theirs.
 */
export class WebhooksService {
  private constructor(private readonly parts: Parts) {}

  /** @param nodes the channels that there are */
  static async start(
    nodes: readonly EntityId[],
    profileDirectory: string | undefined,
  ): Promise<WebhooksService> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-webhooks-'));
    const postgres = await startEmbeddedPostgres(join(folder, 'postgres'));
    const kafka = await startLocalKafka({ folder: join(folder, 'kafka'), benchmark: true });
    await declareTopics(kafka);
    const keyFile = join(folder, 'webhooks.json');
    (await FileKeyProvider.open(keyFile, { createIfAbsent: true })).close();
    const { webhooks: database } = await ensureRolesAndSchema(postgres.url, ['webhooks']);
    const { ownerUrl: url, appUrl, schema, appRole } = database;
    await migrate({
      url,
      schema,
      appRole,
      migrations: webhooks.migrations?.({ schema, appRole }) ?? [],
    });
    const administrator = new pg.Client({ connectionString: postgres.url });
    await administrator.connect();
    const others = otherServices(nodes);
    const urls = await others.listen();
    return new WebhooksService({
      ...{ folder, postgres, kafka, administrator, others },
      place: { url: appUrl, schema, keyFile },
      bus: new KafkaBus({ brokers: [kafka.brokers], clientId: 'relay' }),
      service: await startService(
        { database, keyFile, urls, brokers: kafka.brokers },
        profileDirectory,
      ),
    });
  }

  get pid(): number {
    return this.parts.service.pid ?? 0;
  }

  /** A subscription of each node, which is active and is told at its address. */
  subscribe(wanted: readonly WantedSubscription[]): Promise<void> {
    return subscribe(this.parts.place, wanted);
  }

  /** A payment of each of these is approved. @returns the names of the events */
  async paid(entities: readonly EntityId[]): Promise<readonly string[]> {
    const messages = entities.map(approvalOf);
    for (let at = 0; at < messages.length; at += PUBLISHED_AT_ONCE) {
      const some = messages.slice(at, at + PUBLISHED_AT_ONCE);
      await this.parts.bus.events.publish(eventTopics.payments, some);
    }
    return messages.map(({ key }) => nameOf(key, APPROVED_AT));
  }

  /** Waits until everything is recorded as acknowledged that its receiver has heard. */
  async untilRecorded(): Promise<void> {
    while ((await this.#number(WAITING)) > 0) await pause(POLL_MS);
  }

  /** Transactions of PostgreSQL so far. */
  async commits(): Promise<number> {
    await this.parts.administrator.query('SELECT pg_stat_clear_snapshot()');
    return this.#number(COMMITS);
  }

  /** Of all processes of PostgreSQL so far. */
  databaseCpuSeconds(): number {
    const { service, kafka } = this.parts;
    const others = [process.pid, service.pid ?? 0, kafka.pid].map(cpuSecondsOf);
    return others.reduce((left, seconds) => left - seconds, cpuSecondsOfTree(process.pid));
  }

  /** Forgets what was told; another round begins with empty tables. */
  async empty(): Promise<void> {
    const { administrator } = this.parts;
    await administrator.query('TRUNCATE webhooks.queues, webhooks.deliveries, webhooks.attempts');
  }

  async stop(): Promise<void> {
    const { service, bus, others, administrator, kafka, postgres, folder } = this.parts;
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    await ended;
    await bus.close();
    await others.close();
    await administrator.end();
    await kafka.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }

  async #number(text: string): Promise<number> {
    const { rows } = await this.parts.administrator.query<{ number: number }>(text);
    return rows[0]?.number ?? 0;
  }
}

const WAITING = `SELECT count(*)::int AS number
  FROM (SELECT FROM webhooks.deliveries WHERE standing = 'waiting' LIMIT 1) AS one`;
const COMMITS = `SELECT xact_commit::int AS number FROM pg_stat_database
  WHERE datname = current_database()`;

async function declareTopics({ brokers }: LocalKafka): Promise<void> {
  const admin = createKafka({ brokers: [brokers], clientId: 'bench' }).admin();
  await admin.connect();
  const declarations = Object.values(eventTopics).flatMap((topic) => declareEvents(topic));
  await applyTopics(admin, { declarations });
  await admin.disconnect();
}

async function startService(
  told: {
    readonly database: ServiceDatabase;
    readonly keyFile: string;
    readonly urls: string;
    readonly brokers: string;
  },
  profileDirectory: string | undefined,
): Promise<ChildProcess> {
  const { database, keyFile, urls, brokers } = told;
  const profiling =
    profileDirectory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`];
  const service = spawn(
    process.execPath,
    [...profiling, ...launched('apps/webhooks/dist/main.js')],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...{ PATH: process.env['PATH'], MANAGEMENT_PORT: '0', KAFKA_BROKERS: brokers },
        ...{ WEBHOOKS_DATABASE_URL: database.appUrl, WEBHOOKS_SCHEMA: database.schema },
        ...{ WEBHOOKS_KEY_FILE: keyFile, WEBHOOKS_PRIVATE_TARGETS: 'all' },
        ...{ PAYMENTS_URLS: urls, ACCOUNTS_URLS: urls, REGISTRATIONS_URLS: urls },
        ...{ SCHEDULING_URLS: urls, CHECKOUTS_URLS: urls },
      },
    },
  );
  const lines = createInterface(service.stdout);
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.includes(READY)) resolve();
    });
    service.once('exit', (code) => reject(new Error(`webhooks ended with ${String(code)}`)));
  });
  return service;
}

/** Payments and accounts. */
function otherServices(nodes: readonly EntityId[]): QueryServer {
  const logger = createLogger({ service: 'bench', level: 'silent' });
  const server = new InternalServer({ logger });
  const address = { host: '127.0.0.1', port: 0 };
  const others = new QueryServer(server, address, internalCallers);
  const routing: RoutingAnswer = {
    directory: { version: 'bench', nodes: nodes.map((id) => ({ id })) },
  };
  others.addHandler(queryPattern('accounts.routing'), () => Promise.resolve(routing));
  others.addHandler(queryPattern('payments.transaction'), (query) =>
    Promise.resolve(transactionOf(query as TransactionQuery)),
  );
  return others;
}

/** As a payment by card is answered that says what shops say. */
function transactionOf({ transactionId: id, entityId }: TransactionQuery): TransactionAnswer {
  return {
    transaction: {
      ...{ id, entityId, operation: 'debit', status: 'approved', resultCode: '000.100.110' },
      ...{ amount: { minor: '9200', currency: 'EUR' }, channelName: 'Bench', mode: 'INTERNAL' },
      ...{ ndc: `bench-${id}`, recordedAtMs: Date.now() },
      parameters: { merchantTransactionId: `order-${id}`, descriptor: 'Books' },
      personal: {
        ...{ 'customer.email': 'jane@shop.example', 'customer.ip': '192.0.2.1' },
        ...{ 'customer.givenName': 'Jane', 'customer.surname': 'Jones' },
        ...{ 'billing.street1': 'Main Street 7', 'billing.city': 'Munich' },
        ...{ 'billing.postcode': '80331', 'billing.country': 'DE' },
      },
    },
  };
}

function approvalOf(entityId: EntityId): Message {
  const nowMs = Date.now();
  const streamId = newTransactionId(nowMs);
  const data: PublishedEventData = {
    ...{ streamId, version: APPROVED_AT, recordedAtMs: nowMs, incarnation: newMessageId(nowMs) },
    event: { transactionId: streamId },
    metadata: { entityId, channelName: 'Bench', ndc: `bench-${streamId}` },
  };
  const id = newMessageId(nowMs);
  const causes = { correlationId: id, causationId: id };
  const type = 'TransactionApproved';
  return { id, type, schemaVersion: 1, key: streamId, ...causes, data };
}
