import type { EventPublisher } from '@sluice/contracts';
import { applyTopics, createKafka, HttpQueries } from '@sluice/messaging';
import { ensureRolesAndSchema, type ServiceDatabase } from '@sluice/service';
import {
  launched,
  settableDatabaseClock,
  type ServiceProcess,
  startServiceProcess,
  startTestDatabase,
  type TestDatabase,
  type TestKafka,
} from '@sluice/testing';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

const WORKSPACE = join(import.meta.dirname, '..', '..', '..');
const KEY = Buffer.alloc(32, 1).toString('base64');
const DATABASES = [
  ...(['payments', 'registrations', 'checkouts', 'vault', 'sepa', 'risk'] as const),
  ...(['scheduling', 'webhooks', 'accounts', 'reporting'] as const),
] as const;
/** Where nobody is: of a service that is asked by nobody here, or starts later. */
const NOWHERE = 'http://127.0.0.1:1';
const POLL_INTERVAL_MS = 10;
/** Where the others find it, and what says that. */
const ANSWERED = 'Other services are answered.';

type Environment = Readonly<Record<string, string>>;

/** Every service of a payment as a process of its own, over a real Kafka and PostgreSQL. */
export class Services {
  readonly #all: ServiceProcess[] = [];
  readonly #newest = new Map<string, ServiceProcess>();
  #folder = '';
  #database: TestDatabase | undefined;
  #databases: Readonly<Record<(typeof DATABASES)[number], ServiceDatabase>> | undefined;
  #urls: Environment = {};
  #edgeUrl = '';

  constructor(
    private readonly kafka: TestKafka,
    /** What each of them is told besides. */
    private readonly environment: Environment = {},
  ) {}

  /** Where merchants reach it. */
  get url(): string {
    return this.#edgeUrl;
  }

  /** The newest process of each service, by its name. */
  get processes(): ReadonlyMap<string, ServiceProcess> {
    return this.#newest;
  }

  /** Everything that any of them has logged. */
  get output(): string {
    return this.#all.map(({ output }) => output).join('\n');
  }

  /** Prepares database and topics, and starts everything that a payment needs. */
  async start(
    /** What accounts is told in place of its demo channel. */
    accounts: Environment = {},
  ): Promise<Record<'payments' | 'vault' | 'edge', ServiceProcess>> {
    this.#folder = await mkdtemp(join(tmpdir(), 'sluice-services-'));
    const keys = { current: '1', keys: { '1': KEY } };
    await writeFile(join(this.#folder, 'keys.json'), JSON.stringify(keys), { mode: 0o600 });
    this.#database = await startTestDatabase();
    this.#databases = await ensureRolesAndSchema(this.#database.url, DATABASES);
    await this.#makeTopics();
    const [vault] = await Promise.all([
      this.startVault(),
      this.#started('ACCOUNTS_URLS', ANSWERED, 'accounts', {
        ...this.#databaseOf('accounts'),
        CREDENTIAL_KEY: KEY,
        ACCOUNTS_DEMO_CHANNEL: 'true',
        ...accounts,
      }),
      this.#started('PAYMENTS_SIMULATOR_URL', 'The simulator takes transactions.', 'simulator', {
        SIMULATOR_BOOK: join(this.#folder, 'book.jsonl'),
      }),
    ]);
    await this.startRisk();
    const payments = await this.startPayments();
    await this.#started('REGISTRATIONS_URLS', ANSWERED, 'registrations', {
      ...this.#databaseOf('registrations'),
      ...this.#urls,
      REGISTRATIONS_KEY_FILE: join(this.#folder, 'keys.json'),
      COMMAND_KEY_FILE: join(this.#folder, 'keys.json'),
    });
    await this.#started('CHECKOUTS_URLS', ANSWERED, 'checkouts', {
      ...this.#databaseOf('checkouts'),
      WEBHOOKS_URLS: NOWHERE,
      ...this.#urls,
      CHECKOUTS_KEY_FILE: join(this.#folder, 'keys.json'),
      COMMAND_KEY_FILE: join(this.#folder, 'keys.json'),
    });
    await this.startScheduling();
    const edge = await this.startEdge();
    return { payments, vault, edge };
  }

  /** Starts a vault; on the port of the one before, if there was one. */
  startVault(): Promise<ServiceProcess> {
    return this.#started('VAULT_URLS', ANSWERED, 'vault', {
      ...this.#databaseOf('vault'),
      VAULT_FINGERPRINT_KEY: KEY,
      VAULT_KEY_FILE: join(this.#folder, 'keys.json'),
      INTERNAL_PORT: portOf(this.#urls['VAULT_URLS']),
    });
  }

  /** Starts payments; on the port of the one before, if there was one. */
  startPayments(): Promise<ServiceProcess> {
    return this.#started('PAYMENTS_URLS', ANSWERED, 'payments', {
      ...this.#databaseOf('payments'),
      SEPA_URLS: NOWHERE,
      ...this.#urls,
      PAYMENTS_KEY_FILE: join(this.#folder, 'keys.json'),
      COMMAND_KEY_FILE: join(this.#folder, 'keys.json'),
      INTERNAL_PORT: portOf(this.#urls['PAYMENTS_URLS']),
    });
  }

  /** Starts risk; on the port of the one before, if there was one. */
  startRisk(): Promise<ServiceProcess> {
    return this.#started('RISK_URLS', ANSWERED, 'risk', {
      ...{ ...this.#databaseOf('risk'), PAYMENTS_URLS: NOWHERE, ...this.#urls },
      RISK_KEY_FILE: join(this.#folder, 'keys.json'),
      INTERNAL_PORT: portOf(this.#urls['RISK_URLS']),
    });
  }

  /** Starts scheduling; on the port of the one before, if there was one. */
  startScheduling(environment: Environment = {}): Promise<ServiceProcess> {
    return this.#started('SCHEDULING_URLS', ANSWERED, 'scheduling', {
      ...{ ...this.#databaseOf('scheduling'), ...this.#urls, ...environment },
      SCHEDULING_KEY_FILE: join(this.#folder, 'keys.json'),
      COMMAND_KEY_FILE: join(this.#folder, 'keys.json'),
      INTERNAL_PORT: portOf(this.#urls['SCHEDULING_URLS']),
    });
  }

  /** Starts what tells merchants. */
  async startWebhooks(): Promise<ServiceProcess> {
    const webhooks = this.#start('webhooks', {
      ...{ ...this.#databaseOf('webhooks'), ...this.#urls },
      WEBHOOKS_KEY_FILE: join(this.#folder, 'keys.json'),
    });
    await webhooks.logged('The service webhooks has started.');
    return webhooks;
  }

  /** Starts an edge on a port of its own. */
  async startEdge(environment: Environment = {}): Promise<ServiceProcess> {
    const edge = this.#start('edge', {
      ...{ CREDENTIAL_KEY: KEY, EDGE_PORT: '0', REPORTING_URLS: NOWHERE },
      COMMAND_KEY_FILE: join(this.#folder, 'keys.json'),
      ...this.#urls,
      ...environment,
    });
    this.#edgeUrl = String((await edge.logged('Edge takes requests.'))['url']);
    return edge;
  }

  /** Starts what publishes the events of a service. */
  async startRelay(publisher: EventPublisher = 'payments'): Promise<ServiceProcess> {
    const environment = { ...this.#databaseOf(publisher), RELAYED_SERVICE: publisher };
    const relay = this.#start('relay', environment, `${publisher}-relay`);
    await relay.logged(`The service ${publisher}-relay has started.`);
    return relay;
  }

  /** Starts what makes queries answerable of them; before edge, which asks it. */
  startReporting(): Promise<ServiceProcess> {
    return this.#started('REPORTING_URLS', ANSWERED, 'reporting', {
      ...this.#databaseOf('reporting'),
      ...this.#urls,
      INTERNAL_PORT: portOf(this.#urls['REPORTING_URLS']),
    });
  }

  /** Starts what makes files for a bank; no payment here goes there. */
  startSepa(): Promise<ServiceProcess> {
    return this.#started('SEPA_URLS', ANSWERED, 'sepa', {
      ...this.#databaseOf('sepa'),
      ...this.#urls,
      SEPA_FOLDER: this.#sepaFolder,
      SEPA_LOOK_EVERY_MS: '100',
    });
  }

  /** Asks sepa what has become of an order, as payments does. */
  async askSepa(reference: string): Promise<unknown> {
    const queries = new HttpQueries({ urls: { sepa: [this.#urls['SEPA_URLS'] ?? ''] } });
    try {
      return await queries.ask('sepa', 'sepa.order', { reference });
    } finally {
      await queries.close();
    }
  }

  /** A file of the bank arrives, with this reference in place of its placeholder. */
  async bankAnswers(file: string, reference: string): Promise<void> {
    const text = await readFile(join(WORKSPACE, file), 'utf8');
    const incoming = join(this.#sepaFolder, 'incoming');
    await writeFile(join(incoming, '.answer'), text.replaceAll('REFERENCE', reference));
    await rename(join(incoming, '.answer'), join(incoming, 'answer.xml'));
  }

  get #sepaFolder(): string {
    return join(this.#folder, 'sepa');
  }

  /** Starts the reference, which no other service asks; where it is. */
  async startReferencePage(): Promise<string> {
    const page = this.#start('reference-page', {});
    const { url } = await page.logged('The reference page is served.');
    await page.logged('The service reference-page has started.');
    return String(url);
  }

  /** Waits until so many payments are recorded without an outcome. */
  untilOpen(count: number): Promise<void> {
    return this.#asOwner(async (client) => {
      const text = 'SELECT FROM payments.streams WHERE due_at IS NOT NULL';
      while ((await client.query(text)).rowCount !== count) await pause(POLL_INTERVAL_MS);
    });
  }

  /** What its database has. */
  rows<Row extends pg.QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<readonly Row[]> {
    return this.#asOwner(
      async (client) => (await client.query<Row>(text, [...(values ?? [])])).rows,
    );
  }

  /** Gives a service that has no process yet a clock of its own. */
  clockOf(name: (typeof DATABASES)[number]): ReturnType<typeof settableDatabaseClock> {
    const query = (text: string, values?: readonly unknown[]): Promise<unknown> =>
      this.rows(text, values);
    return settableDatabaseClock({ query }, this.#databases?.[name].appRole);
  }

  /** What its operator types; throws with all that it says if it fails. */
  async sluice(...words: readonly string[]): Promise<string> {
    const environment = {
      ...{ ...this.#databaseOf('accounts'), ...this.#databaseOf('webhooks') },
      WEBHOOKS_KEY_FILE: join(this.#folder, 'keys.json'),
    };
    const line = [...launched('apps/cli/dist/main.js'), ...words];
    const env = { PATH: process.env['PATH'], ...environment };
    return (await promisify(execFile)(process.execPath, line, { env })).stdout;
  }

  /** Ends everything, whatever state it is in. */
  async remove(): Promise<void> {
    await Promise.all(this.#all.map((service) => service.kill()));
    await this.#database?.drop();
    await rm(this.#folder, { recursive: true });
  }

  async #started(
    variable: string,
    message: string,
    name: string,
    environment: Environment,
  ): Promise<ServiceProcess> {
    const service = this.#start(name, environment);
    const url = String((await service.logged(message))['url']);
    this.#urls = { ...this.#urls, [variable]: url };
    await service.logged(`The service ${name} has started.`);
    return service;
  }

  #start(folder: string, environment: Environment, name = folder): ServiceProcess {
    const { brokers, topicPrefix } = this.kafka;
    const service = startServiceProcess({
      entry: `apps/${folder}/dist/main.js`,
      environment: {
        KAFKA_BROKERS: brokers.join(','),
        KAFKA_TOPIC_PREFIX: topicPrefix,
        ...this.environment,
        ...environment,
      },
    });
    this.#all.push(service);
    this.#newest.set(name, service);
    return service;
  }

  #databaseOf(name: (typeof DATABASES)[number]): Environment {
    const database = this.#databases?.[name];
    if (database === undefined) throw new Error('not started');
    const prefix = name.toUpperCase();
    return {
      [`${prefix}_DATABASE_URL`]: database.appUrl,
      [`${prefix}_OWNER_DATABASE_URL`]: database.ownerUrl,
    };
  }

  async #asOwner<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ connectionString: this.#database?.url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  async #makeTopics(): Promise<void> {
    const { brokers, topicPrefix } = this.kafka;
    const admin = createKafka({ brokers, clientId: 'services-test' }).admin();
    await admin.connect();
    await applyTopics(admin, { prefix: topicPrefix });
    await admin.disconnect();
  }
}

function portOf(url: string | undefined): string {
  return url === undefined ? '0' : new URL(url).port;
}
