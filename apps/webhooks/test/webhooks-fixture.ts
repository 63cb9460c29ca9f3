// The parts of the specs of webhooks; no other file imports it.
import type {
  Message,
  NotificationType,
  PaymentEventMetadata,
  PublishedEventData,
} from '@sluice/contracts';
import { eventTopics } from '@sluice/contracts';
import { EventStore } from '@sluice/event-store';
import { builtInBins } from '@sluice/answers';
import {
  type CheckoutId,
  type EntityId,
  newMessageId,
  newTransactionId,
  random,
  type TransactionId,
} from '@sluice/identifiers';
import { InProcessBus } from '@sluice/messaging';
import { WebhookSecret } from '@sluice/secrets';
import {
  createLogger,
  createPool,
  EntityClock,
  ensureRolesAndSchema,
  FileKeyProvider,
  migrate,
  OutboundHosts,
  type ServiceDatabase,
  type SetClocks,
} from '@sluice/service';
import { type FixedClock, fixedClock, startTestDatabase, type TestDatabase } from '@sluice/testing';
import { createDecipheriv } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { AccountPaths } from '../src/account-paths.js';
import { Attempts } from '../src/attempts.js';
import { Beginnings } from '../src/beginnings.js';
import { CalledAddresses } from '../src/called-addresses.js';
import { Claims } from '../src/claims.js';
import { DeliveriesProcessor } from '../src/deliveries.processor.js';
import { DeliveryLog } from '../src/delivery-log.js';
import { Endings } from '../src/endings.js';
import { Intake } from '../src/intake.js';
import { Notifications } from '../src/notifications.js';
import { ReceiverCalls } from '../src/receiver-calls.js';
import { ReceiverTests } from '../src/receiver-tests.js';
import { Receivers } from '../src/receivers.js';
import { ResultCalls } from '../src/result-calls.js';
import { migrations } from '../src/schema.js';
import { SealedSecrets } from '../src/sealed-secrets.js';
import { SeededSubscriptions } from '../src/seeded-subscriptions.js';
import { Subscriptions } from '../src/subscriptions.js';
import { WebhookMetrics } from '../src/webhooks-metrics.js';
import { CHANNEL, NOON_MS, ScriptedQueries } from './scripted-queries.js';

export const SECRET = new WebhookSecret('0123456789abcdef'.repeat(4));
export const NEW_SECRET = new WebhookSecret('fedcba9876543210'.repeat(4));

/** So that a few that wait are many. */
export const HASTENED_AT_ONCE = 4;

/** What a receiver was sent, decrypted. */
export interface Heard {
  readonly id: string;
  readonly text: string;
  readonly notification: {
    readonly type: string;
    readonly action?: string;
    readonly payload: Record<string, unknown>;
  };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** How a receiver answers once. */
export type Reaction =
  | number
  | 'hangUp'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

/** A merchant's server on this machine. */
export class LocalReceiver {
  readonly heard: Heard[] = [];
  /** What is answered next; 200 after that. */
  readonly reactions: Reaction[] = [];
  #onHeard: (() => void) | undefined;
  /** By one of which everything must open; otherwise 401 is answered. */
  secrets: readonly WebhookSecret[] = [SECRET];

  private constructor(private readonly server: Server) {}

  static async start(port = 0): Promise<LocalReceiver> {
    const server = createServer();
    const receiver = new LocalReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        const isOpened = receiver.#hear(body, request.headers);
        const reaction = isOpened ? (receiver.reactions.shift() ?? 200) : 401;
        if (reaction === 'hangUp') return void request.socket.destroy();
        const {
          status,
          headers = {},
          body: said = '',
        } = typeof reaction === 'number' ? { status: reaction } : reaction;
        response.writeHead(status, headers).end(said);
      });
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook?shop=1`;
  }

  /** Something more is heard. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#onHeard = resolve;
    });
  }

  /** What was heard since the last time. */
  taken(): readonly Heard[] {
    return this.heard.splice(0);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  #hear(body: string, headers: Heard['headers']): boolean {
    for (const secret of this.secrets) {
      const text = opened(body, headers, secret);
      if (text === undefined) continue;
      const notification = JSON.parse(text) as Heard['notification'];
      this.heard.push({ id: String(headers['webhook-id']), text, notification, headers, body });
      this.#onHeard?.();
      return true;
    }
    return false;
  }
}

/** As a merchant's own program reads it; undefined: by another secret, or changed. */
function opened(
  body: string,
  headers: Heard['headers'],
  secret: WebhookSecret,
): string | undefined {
  const hex = body.startsWith('{')
    ? (JSON.parse(body) as { encryptedBody: string }).encryptedBody
    : body;
  const bytesOf = (name: string): Buffer => Buffer.from(String(headers[name]), 'hex');
  const key = Buffer.from(secret.reveal(), 'hex');
  const cipher = createDecipheriv('aes-256-gcm', key, bytesOf('x-initialization-vector'));
  cipher.setAuthTag(bytesOf('x-authentication-tag'));
  try {
    return cipher.update(hex, 'hex', 'utf8') + cipher.final('utf8');
  } catch {
    return undefined;
  }
}

/** An event of payments as its topic has it. */
export function paymentEvent(
  streamId: TransactionId,
  version: number,
  type: string,
  event: Readonly<Record<string, unknown>> = {},
): Message {
  const data: PublishedEventData = {
    ...{ streamId, version, recordedAtMs: NOON_MS, incarnation: newMessageId(NOON_MS) },
    event: { transactionId: streamId, ...event },
    metadata: { entityId: CHANNEL, channelName: 'demo', ndc: 'checkout-1' },
  };
  const id = newMessageId(NOON_MS);
  return { id, type, schemaVersion: 1, key: streamId, correlationId: id, causationId: id, data };
}

/** The same event of a request that has named an address, and of which this was said. */
export function calling(
  message: Message,
  ofRequest: Partial<Pick<PaymentEventMetadata, 'ndc'>> = {},
): Message {
  const data = message.data as PublishedEventData<unknown, object>;
  const metadata = { ...data.metadata, hasNotificationUrl: true, ...ofRequest };
  return { ...message, data: { ...data, metadata } };
}

/** A new payment's id. */
export function newPayment(): TransactionId {
  return newTransactionId(NOON_MS);
}

/** Where what was told, and of whom, leaves traces. */
const KEPT = ['queues', 'deliveries', 'attempts', 'tests', 'events', 'mails'];

interface WorldParts {
  readonly server: TestDatabase;
  readonly database: ServiceDatabase;
  readonly administrator: pg.Pool;
  readonly folder: string;
  readonly keys: FileKeyProvider;
}

/** A database, and what everything in it is sealed with. */
export class WebhooksWorld {
  /** The machine's. */
  readonly clock: FixedClock = fixedClock(NOON_MS);
  /** How far clocks of entities are ahead. */
  readonly ahead = new Map<string, number>();
  readonly setClocks: SetClocks = {
    aheadMs: (entityId) => this.ahead.get(entityId) ?? 0,
    all: () => this.ahead,
  };
  readonly entityClock = new EntityClock(this.clock, this.setClocks);
  readonly queries = new ScriptedQueries();
  readonly bus = new InProcessBus();
  readonly logged: string[] = [];
  readonly logger = createLogger({
    ...{ service: 'webhooks', level: 'info' },
    destination: { write: (line) => void this.logged.push(line) },
  });

  private constructor(private readonly parts: WorldParts) {}

  get database(): ServiceDatabase {
    return this.parts.database;
  }

  get administrator(): pg.Pool {
    return this.parts.administrator;
  }

  get keys(): FileKeyProvider {
    return this.parts.keys;
  }

  get keyFile(): string {
    return join(this.parts.folder, 'keys.json');
  }

  static async make(): Promise<WebhooksWorld> {
    const server = await startTestDatabase();
    const { webhooks: database } = await ensureRolesAndSchema(server.url, ['webhooks']);
    const { ownerUrl: url, schema, appRole } = database;
    await migrate({ url, schema, appRole, migrations: migrations({ schema, appRole }) });
    const folder = await mkdtemp(join(tmpdir(), 'sluice-webhooks-'));
    const keys = await FileKeyProvider.open(join(folder, 'keys.json'), { createIfAbsent: true });
    const administrator = new pg.Pool({ connectionString: server.url, max: 1 });
    return new WebhooksWorld({ server, database, administrator, folder, keys });
  }

  /** As if nothing had happened yet. */
  async empty(): Promise<void> {
    const tables = [...KEPT, 'heard', 'streams', 'mailing', 'alerts'];
    const names = tables.map((table) => `webhooks.${table}`).join(', ');
    await this.administrator.query(`TRUNCATE ${names}`);
    await this.administrator.query('UPDATE webhooks.incarnation SET id = gen_random_uuid()');
    this.ahead.clear();
    this.queries.isAway = false;
    this.queries.asked.length = 0;
    this.logged.length = 0;
  }

  /** Everything that its tables hold, as text. */
  async contents(): Promise<string> {
    const rows = KEPT.map(async (table) => {
      const text = `SELECT coalesce(json_agg(t)::text, '') AS rows FROM webhooks.${table} AS t`;
      return (await this.administrator.query<{ rows: string }>(text)).rows[0]?.rows ?? '';
    });
    return (await Promise.all(rows)).join('\n');
  }

  async close(): Promise<void> {
    const { keys, administrator, server, folder } = this.parts;
    keys.close();
    await this.bus.close();
    await administrator.end();
    await server.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** One process of webhooks, whose clock stands and which does nothing unless it is told. */
export class WebhooksProcess {
  readonly subscriptions: Subscriptions;
  readonly secrets: SealedSecrets;
  readonly seeded: SeededSubscriptions;
  readonly log: DeliveryLog;
  readonly claims: Claims;
  readonly tests: ReceiverTests;
  readonly intake: Intake;
  readonly resultCalls: ResultCalls;
  readonly receivers = new Receivers({ callsMax: 64, callsPerReceiverMax: 8 });
  readonly #pool;
  readonly #calls: ReceiverCalls;
  readonly #deliveries: DeliveriesProcessor;

  private constructor(world: WebhooksWorld, privateTargets: readonly string[] | 'all') {
    const { clock: machine, entityClock: clock, setClocks } = world;
    const { logger, queries, keys, database, bus } = world;
    this.#pool = createPool(database.appUrl, {
      ...{ service: 'webhooks', schema: database.schema, connectionsMax: 4 },
      onError: () => undefined,
    });
    const pool = this.#pool;
    const store = new EventStore(pool, { schema: database.schema });
    this.subscriptions = new Subscriptions({ store, machine, clock });
    this.secrets = new SealedSecrets(keys, machine);
    const { subscriptions, secrets, receivers } = this;
    this.seeded = new SeededSubscriptions({ subscriptions, secrets });
    this.log = new DeliveryLog(pool);
    const rules = { outbound: new OutboundHosts(privateTargets), mayBePlain: true };
    this.#calls = new ReceiverCalls({ rules, callsPerReceiverMax: 8, machine });
    const times = { machine, clock };
    const attempts = new Attempts({ calls: this.#calls, secrets, ...times });
    const looked = { pool, subscriptions, receivers, ...times, setClocks };
    const beginnings = new Beginnings(looked);
    this.claims = new Claims({ ...looked, beginnings, lookEveryMs: 10 });
    const endings = new Endings({
      ...{ pool, schedule: 'family', ...times, logger },
      hastenedAtOnce: HASTENED_AT_ONCE,
    });
    const bins = builtInBins('test');
    const notifications = new Notifications({ queries, bins, buildNumber: 'build' });
    const parts = { notifications, attempts, endings, receivers, subscriptions, ...times, logger };
    const addresses = new CalledAddresses(queries);
    const metrics = new WebhookMetrics();
    const { claims } = this;
    this.#deliveries = new DeliveriesProcessor({
      ...{ ...parts, claims, metrics, addresses, calls: this.#calls },
      lookEveryMs: 10,
      askAgainMs: 1,
    });
    this.tests = new ReceiverTests({ ...parts, attempts, pool, knownForMs: 0 });
    const paths = new AccountPaths(queries, machine);
    const heard = { pool, events: bus.events, subscriptions, paths, notifications, clock, logger };
    const onAccepted = (): void => undefined;
    this.intake = new Intake({ ...heard, addresses, onAccepted });
    this.resultCalls = new ResultCalls({ pool, addresses, clock, onAccepted });
  }

  /** Hears events, and tells when it is told to. */
  static async start(
    world: WebhooksWorld,
    privateTargets: readonly string[] | 'all' = 'all',
  ): Promise<WebhooksProcess> {
    const process = new WebhooksProcess(world, privateTargets);
    await process.intake.start();
    return process;
  }

  /** Asks as checkouts does: nobody has read the result. */
  async callResult(checkoutId: CheckoutId): Promise<void> {
    await this.resultCalls.accept({ checkoutId, entityId: CHANNEL });
  }

  get pool(): pg.Pool {
    return this.#pool;
  }

  /** Tells once what is due, and waits until that has ended. */
  async tell(): Promise<void> {
    await this.#deliveries.look();
  }

  /** The same for an entity that has a clock of its own. */
  tellOf(entityId: string): Promise<number> {
    return this.#deliveries.lookOf(entityId, Infinity);
  }

  /** An active subscription. */
  async subscribe(
    url: string,
    changes: {
      readonly nodeId?: EntityId;
      readonly fields?: 'ALL' | 'NON_CUSTOMER_DATA';
      readonly wrapper?: 'none' | 'JSON';
      readonly isTrusted?: boolean;
      readonly types?: readonly NotificationType[];
    } = {},
  ): Promise<string> {
    const { nodeId = CHANNEL, fields = 'ALL', wrapper = 'none', isTrusted = true } = changes;
    const { types = ['PAYMENT'] } = changes;
    const subscriptionId = random(16).toString('hex');
    const sealedSecret = await this.secrets.seal(subscriptionId, SECRET);
    await this.subscriptions.decide(subscriptionId, 'spec', (metadata) => ({
      ...{ type: 'AddSubscription', subscriptionId, nodeId, url, types, fields },
      ...{ wrapper, secretId: random(16).toString('hex'), sealedSecret, isTrusted, metadata },
    }));
    return subscriptionId;
  }

  async standingOf(id: string): Promise<string | undefined> {
    return (await this.subscriptions.now()).get(id)?.standing;
  }

  async close(): Promise<void> {
    await this.intake.close();
    await this.#deliveries.close();
    await this.#calls.close();
    this.subscriptions.close();
    await this.#pool.end();
  }
}

/** Publishes events of payments, and waits until everybody has heard them. */
export async function happened(
  world: WebhooksWorld,
  ...messages: readonly Message[]
): Promise<void> {
  await world.bus.events.publish(eventTopics.payments, messages);
}
