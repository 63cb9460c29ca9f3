import 'reflect-metadata';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import { builtInBins } from '@sluice/answers';
import type { SeededReceivers } from '@sluice/contracts';
import { EventStore } from '@sluice/event-store';
import type { Events, Queries } from '@sluice/messaging';
import {
  buildNumberOfFiles,
  databaseTime,
  ensureMigrated,
  EntityClock,
  type FollowsClocks,
  type KeyProvider,
  type OpenKeys,
  openKeys,
  OutboundHosts,
  RemoteClock,
  type RunningService,
  withDefaults,
} from '@sluice/service';
import {
  CLOCK,
  Database,
  DatabaseModule,
  type DatabaseUse,
  given,
  LOGGER,
  made,
  METRICS,
  ServiceModule,
  type ServiceParts,
  SET_CLOCKS,
  startModule,
  type Token,
  token,
  TRANSPORT,
} from '@sluice/service-module';
import { Pool } from 'pg';
import { AccountPaths } from './account-paths.js';
import { Attempts } from './attempts.js';
import { Beginnings } from './beginnings.js';
import { CalledAddresses } from './called-addresses.js';
import { Claims } from './claims.js';
import { DeliveriesProcessor } from './deliveries.processor.js';
import { Endings } from './endings.js';
import { Intake } from './intake.js';
import { mailProviders } from './mails/mail-providers.js';
import { MailsProcessor } from './mails/mails.processor.js';
import { Notifications } from './notifications.js';
import { QueriesController } from './queries.controller.js';
import { ReceiverCalls } from './receiver-calls.js';
import { ReceiverTests } from './receiver-tests.js';
import { Receivers } from './receivers.js';
import { ResultCalls } from './result-calls.js';
import { Retention } from './retention.js';
import { migrations } from './schema.js';
import { SealedSecrets } from './sealed-secrets.js';
import { SeededSubscriptions } from './seeded-subscriptions.js';
import { WebhooksSettings } from './settings.js';
import { KEYS, SETTINGS } from './tokens.js';
import { Subscriptions } from './subscriptions.js';
import { WebhookMetrics } from './webhooks-metrics.js';
import { WebhooksLifecycle } from './webhooks.lifecycle.js';

/** What webhooks is started with. */
export interface WebhooksOptions extends ServiceParts {
  /** Missing ones have their defaults; `databaseUrl` has none. */
  readonly settings: Partial<WebhooksSettings> & Pick<WebhooksSettings, 'databaseUrl'>;
  /** What happens. */
  readonly events: Events;
  /** Where queries arrive, e.g. `bus.transport('webhooks')`. */
  readonly transport: CustomTransportStrategy;
  /** To ask payments what is to be told, and accounts who stands where. */
  readonly queries: Queries;
  /** Instead of the settings' key file; the caller closes it. */
  readonly keyProvider?: KeyProvider;
}

/** Webhooks at work. */
export interface RunningWebhooks extends RunningService, FollowsClocks {
  /** Brings these nodes to exactly the receivers that a sandbox's seed file has. */
  seed(nodes: readonly SeededReceivers[]): Promise<void>;
  /** What earlier seeds have said: a sandbox keeps it through its resets, also once it was started again. */
  seeded(): Promise<readonly SeededReceivers[]>;
  /** Begins what is due now, and waits until it has ended; makes the tests that were asked for, and mails. */
  look(): Promise<void>;
}

const QUERIES: Token<Queries> = token('queries');
const EVENTS: Token<Events> = token('events');

/** Tells merchants what has become of their payments (Interface 6); the only process that calls their servers. */
@Module({})
export class WebhooksModule {
  /**
   * Migrates if it is given the owner's address, and hears and tells. Throws an error with a readable message if
   * settings, key file or database cannot be used.
   */
  static async start(options: WebhooksOptions): Promise<RunningWebhooks> {
    const settings = withDefaults(WebhooksSettings, options.settings);
    const { keyProvider, logger } = options;
    const { keyFile } = settings;
    const keys = await openKeys({ keyProvider, keyFile, variable: 'WEBHOOKS_KEY_FILE' }, logger);
    const running = await startModule(WebhooksModule.of(options, settings, keys), logger);
    return {
      seed: (nodes) => running.get(SeededSubscriptions).seed(nodes),
      seeded: () => running.get(SeededSubscriptions).seeded(),
      look: async () => {
        await running.get(ReceiverTests).look();
        await running.get(DeliveriesProcessor).look();
        await running.get(MailsProcessor).look();
      },
      nextDueMs: (entityId) => running.get(Claims).nextDueOfMs(entityId),
      doWhatIsDue: (entityId, untilMs) =>
        running.get(DeliveriesProcessor).lookOf(entityId, untilMs),
      close: () => running.close(),
    };
  }

  private static of(
    options: WebhooksOptions,
    settings: WebhooksSettings,
    keys: OpenKeys,
  ): DynamicModule {
    const { gatewayEnvironment, buildNumber = buildNumberOfFiles(import.meta.url) } = settings;
    const { binTable: bins = builtInBins(gatewayEnvironment) } = settings;
    const { queries, events } = options;
    return {
      module: WebhooksModule,
      imports: [ServiceModule.of(options), DatabaseModule.of(databaseOf(settings))],
      controllers: [QueriesController],
      providers: [
        given(TRANSPORT, options.transport),
        given(SETTINGS, settings),
        given(QUERIES, queries),
        given(EVENTS, events),
        given(KEYS, keys),
        given(Notifications, new Notifications({ queries, bins, buildNumber })),
        given(CalledAddresses, new CalledAddresses(queries)),
        given(Receivers, new Receivers(settings)),
        ...subscriptionProviders,
        ...deliveryProviders,
        ...mailProviders,
        ...lifecycleProviders,
      ],
    };
  }
}

function databaseOf(settings: WebhooksSettings): DatabaseUse {
  const { databaseUrl, schema, connectionsMax } = settings;
  return {
    ...{ service: 'webhooks', calledInLog: "webhooks' database" },
    ...{ databaseUrl, schema, connectionsMax, isDurable: true },
    prepare: () => ensureMigrated(settings, migrations),
    check: (pool) => pool.query('SELECT FROM queues LIMIT 0'),
  };
}

/** Who wants to hear what. */
const subscriptionProviders: readonly Provider[] = [
  made(EventStore, { pool: Pool, settings: SETTINGS }, ({ pool, settings }) => {
    return new EventStore(pool, { schema: settings.schema });
  }),
  // Every instant that is recorded or compared with a recorded one is the database's.
  made(RemoteClock, { pool: Pool, clock: CLOCK, logger: LOGGER }, ({ pool, ...parts }) => {
    return new RemoteClock({ ...parts, whose: 'the database', ask: () => databaseTime(pool) });
  }),
  // What is an entity's date is its clock's (page 0078).
  made(EntityClock, { machine: RemoteClock, clocks: SET_CLOCKS }, ({ machine, clocks }) => {
    return new EntityClock(machine, clocks);
  }),
  made(
    Subscriptions,
    { store: EventStore, machine: RemoteClock, clock: EntityClock },
    (parts) => new Subscriptions(parts),
  ),
  made(SealedSecrets, { keys: KEYS, clock: RemoteClock }, ({ keys, clock }) => {
    return new SealedSecrets(keys.provider, clock);
  }),
  made(
    SeededSubscriptions,
    { subscriptions: Subscriptions, secrets: SealedSecrets },
    (parts) => new SeededSubscriptions(parts),
  ),
  made(AccountPaths, { queries: QUERIES, clock: RemoteClock }, ({ queries, clock }) => {
    return new AccountPaths(queries, clock);
  }),
];

/** What is told, and how it ends. */
const deliveryProviders: readonly Provider[] = [
  made(WebhookMetrics, { metrics: METRICS }, ({ metrics }) => new WebhookMetrics(metrics)),
  made(ReceiverCalls, { settings: SETTINGS, machine: RemoteClock }, ({ settings, machine }) => {
    const { privateTargets, gatewayEnvironment, callsPerReceiverMax } = settings;
    const outbound = new OutboundHosts(privateTargets);
    const rules = { outbound, mayBePlain: gatewayEnvironment === 'test' };
    return new ReceiverCalls({ rules, callsPerReceiverMax, machine });
  }),
  made(
    Attempts,
    {
      ...{ calls: ReceiverCalls, secrets: SealedSecrets },
      ...{ machine: RemoteClock, clock: EntityClock },
    },
    (parts) => new Attempts(parts),
  ),
  made(
    Beginnings,
    {
      ...{ pool: Pool, subscriptions: Subscriptions, receivers: Receivers },
      ...{ machine: RemoteClock, clock: EntityClock, setClocks: SET_CLOCKS },
    },
    (parts) => new Beginnings(parts),
  ),
  made(
    Claims,
    {
      ...{ pool: Pool, beginnings: Beginnings, subscriptions: Subscriptions },
      ...{ receivers: Receivers, settings: SETTINGS },
      ...{ machine: RemoteClock, clock: EntityClock, setClocks: SET_CLOCKS },
    },
    ({ settings, ...parts }) => new Claims({ ...parts, lookEveryMs: settings.lookEveryMs }),
  ),
  made(
    Endings,
    {
      ...{ pool: Pool, settings: SETTINGS, logger: LOGGER },
      ...{ machine: RemoteClock, clock: EntityClock },
    },
    ({ settings, ...parts }) => new Endings({ ...parts, schedule: settings.retries }),
  ),
  made(
    DeliveriesProcessor,
    {
      ...{ claims: Claims, notifications: Notifications, attempts: Attempts, endings: Endings },
      ...{ receivers: Receivers, subscriptions: Subscriptions },
      ...{ addresses: CalledAddresses, calls: ReceiverCalls },
      ...{ machine: RemoteClock, clock: EntityClock },
      ...{ logger: LOGGER, metrics: WebhookMetrics, settings: SETTINGS },
    },
    ({ settings, ...parts }) =>
      new DeliveriesProcessor({ ...parts, lookEveryMs: settings.lookEveryMs }),
  ),
  made(
    ReceiverTests,
    {
      ...{ pool: Pool, subscriptions: Subscriptions, attempts: Attempts },
      ...{ machine: RemoteClock, logger: LOGGER },
    },
    (parts) => new ReceiverTests(parts),
  ),
  made(Retention, { pool: Pool, clock: RemoteClock }, ({ pool, clock }) => {
    return new Retention(pool, clock);
  }),
];

/** What begins and ends. */
const lifecycleProviders: readonly Provider[] = [
  made(
    Intake,
    {
      ...{ pool: Pool, events: EVENTS, subscriptions: Subscriptions, paths: AccountPaths },
      ...{ notifications: Notifications, addresses: CalledAddresses },
      ...{ clock: EntityClock, logger: LOGGER },
      deliveries: DeliveriesProcessor,
    },
    ({ deliveries, ...parts }) => new Intake({ ...parts, onAccepted: () => deliveries.wake() }),
  ),
  made(
    ResultCalls,
    {
      ...{ pool: Pool, addresses: CalledAddresses, clock: EntityClock },
      deliveries: DeliveriesProcessor,
    },
    ({ deliveries, ...parts }) =>
      new ResultCalls({ ...parts, onAccepted: () => deliveries.wake() }),
  ),
  made(
    WebhooksLifecycle,
    {
      ...{ database: Database, clock: RemoteClock, subscriptions: Subscriptions },
      ...{ intake: Intake, deliveries: DeliveriesProcessor, tests: ReceiverTests },
      ...{ retention: Retention, receivers: Receivers, calls: ReceiverCalls, keys: KEYS },
      mails: MailsProcessor,
      ...{ metrics: WebhookMetrics, logger: LOGGER, settings: SETTINGS },
    },
    ({ settings, ...parts }) =>
      new WebhooksLifecycle({ ...parts, lookEveryMs: settings.lookEveryMs }),
  ),
];
