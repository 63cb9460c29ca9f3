import 'reflect-metadata';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import {
  StreamQueries,
  Streams,
  StreamWriter,
  Sweeper,
  type SweepLimits,
} from '@sluice/aggregates';
import { type AcquirerSettings, type Connector, connectorsFor } from '@sluice/connectors';
import type { AuthenticationVault, Vault } from '@sluice/contracts';
import { paymentDecider, type RecoverySchedule } from '@sluice/domain-payments';
import { EventStore, migrations } from '@sluice/event-store';
import type { Queries } from '@sluice/messaging';
import { codes } from '@sluice/result-codes';
import {
  CLOCK_MARGIN_MS,
  databaseTime,
  EnvelopeOpener,
  ensureMigrated,
  HealthChecks,
  type KeyProvider,
  type OpenKeys,
  openKeys,
  Outage,
  OutboundHosts,
  EntityClock,
  type FollowsClocks,
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
  SET_CLOCKS,
  type ServiceParts,
  startModule,
  TRANSPORT,
} from '@sluice/service-module';
import { Pool } from 'pg';
import { CommandsController } from './commands.controller.js';
import { AccountConnectors } from './account-connectors.js';
import { AttemptReversalsController } from './attempt-reversals.controller.js';
import { AskedReferences } from './asked-references.js';
import { AuthenticationProofsController } from './authentication-proofs.controller.js';
import { AuthorizationResumption } from './authorization-resumption.js';
import { AttemptReversals } from './attempt-reversals.js';
import { BankReturnsController } from './bank-returns.controller.js';
import { BankReturns } from './bank-returns.js';
import { ChargesController } from './charges.controller.js';
import { Charges } from './charges.js';
import { Connectors } from './connectors.js';
import { EarlierPaymentsReader } from './earlier-payments.js';
import { RecoveryProcessor } from './recovery.processor.js';
import { LiveRoutes } from './live-routes.js';
import { ReviewDecisionsController } from './review-decisions.controller.js';
import { SecondAuthentications } from './second-authentications.js';
import { RiskDecisions } from './risk-decisions.js';
import { RiskQuestions } from './risk-questions.js';
import { PaymentMetrics } from './payment-metrics.js';
import { PaymentQueries } from './payment-queries.js';
import { PaymentRouting } from './payment-routing.js';
import { ShopperReturns } from './shopper-returns.js';
import { paymentAggregate } from './payment-aggregate.js';
import { PaymentWorkflow } from './payment.workflow.js';
import { PaymentsLifecycle } from './payments.lifecycle.js';
import { PaymentsHandler } from './payments.handler.js';
import { QueriesController } from './queries.controller.js';
import { TakenBrandsController } from './taken-brands.controller.js';
import {
  COMMAND_KEYS,
  KEYS,
  SCHEDULE,
  SETTINGS,
  STREAMS,
  SWEEPER,
  VAULT,
  WRITER,
} from './payments-tokens.js';
import { PaymentsSettings } from './settings.js';
import { questionsOf, riskProviders } from './risk-providers.js';

/** Everything else works: reads, chargebacks, and payments that other processes take. */
const NO_CONNECTOR =
  `No connector leads to an acquirer: payments are refused with ${codes.connectorNotAvailable}. ` +
  'A test installation sets PAYMENTS_SIMULATOR_URL; a live one needs its acquirer in libs/connectors.';

/** What payments is started with. */
export interface PaymentsOptions extends ServiceParts {
  /** Missing ones have their defaults; `databaseUrl` has none. */
  readonly settings: Partial<PaymentsSettings> & Pick<PaymentsSettings, 'databaseUrl'>;
  /** Where commands and queries arrive, e.g. `bus.transport('payments')`. */
  readonly transport: CustomTransportStrategy;
  readonly vault: Vault & Pick<AuthenticationVault, 'revealProof'>;
  /** Where it learns merchant accounts and routes; absent: there are none. */
  readonly queries?: Queries;
  /** The settings of the acquirers, by their names. */
  readonly acquirers?: AcquirerSettings;
  /** Instead of those of the acquirers; the first takes new payments. Closed with the service. */
  readonly connectors?: readonly Connector[] | undefined;
  /** Instead of the settings' key file; the caller closes it. */
  readonly keyProvider?: KeyProvider;
  /** Instead of the settings' command key file; the caller closes it. */
  readonly commandKeys?: KeyProvider;
}

/** Payments at work. */
export interface RunningPayments extends RunningService, FollowsClocks {
  /** Requests without a final outcome that were found at start and will be recovered. */
  readonly openAtStart: number;
  /** Learns changes of merchant accounts and routes, and which nodes have rules, now and not in a while. */
  refreshRoutes(): Promise<void>;
}

/** Payment streams, and the workflows that call connectors. */
@Module({})
export class PaymentsModule {
  /**
   * Migrates if it is given the owner's address, begins to recover what an earlier process left
   * open, and takes commands and queries. Throws an error with a readable message if settings, key
   * file or database cannot be used.
   */
  static async start(options: PaymentsOptions): Promise<RunningPayments> {
    const settings = withDefaults(PaymentsSettings, options.settings);
    const keys = await openBothKeys(settings, options);
    const module = PaymentsModule.of(options, settings, keys);
    const running = await startModule(module, options.logger);
    const [routes, questions] = [running.get(LiveRoutes), running.get(RiskQuestions)];
    return {
      openAtStart: running.get(PaymentsLifecycle).openAtStart,
      refreshRoutes: async () => {
        await Promise.all([routes.refresh(), questions.refresh()]);
      },
      close: () => running.close(),
      nextDueMs: (entityId) => running.get(EventStore).nextDueOfMs(entityId),
      doWhatIsDue: (entityId, untilMs) => {
        return running.get(SWEEPER).sweepTenant(entityId, untilMs);
      },
    };
  }

  private static of(
    options: PaymentsOptions,
    settings: PaymentsSettings,
    { keys, commandKeys }: BothKeys,
  ): DynamicModule {
    return {
      module: PaymentsModule,
      imports: [ServiceModule.of(options), DatabaseModule.of(databaseOf(settings))],
      controllers: [
        ...[CommandsController, QueriesController, TakenBrandsController],
        ...[BankReturnsController, AttemptReversalsController, ReviewDecisionsController],
        ...[AuthenticationProofsController, ChargesController],
      ],
      providers: [
        given(TRANSPORT, options.transport),
        given(SETTINGS, settings),
        given(VAULT, options.vault),
        given(KEYS, keys),
        given(COMMAND_KEYS, commandKeys),
        given(EnvelopeOpener, new EnvelopeOpener(commandKeys.provider)),
        given(SCHEDULE, scheduleOf(settings)),
        connectorsOf(options, settings),
        routesOf(options),
        questionsOf(options),
        made(PaymentRouting, { routes: LiveRoutes, connectors: Connectors }, (parts) => {
          return new PaymentRouting(parts.routes, parts.connectors);
        }),
        ...storeProviders,
        ...riskProviders,
        ...paymentProviders,
        ...recoveryProviders,
      ],
    };
  }
}

interface BothKeys {
  readonly keys: OpenKeys;
  readonly commandKeys: OpenKeys;
}

/** Opens the keys of its own personal data, and of what edge has sealed. */
async function openBothKeys(
  settings: PaymentsSettings,
  { keyProvider, commandKeys, logger }: PaymentsOptions,
): Promise<BothKeys> {
  const own = { keyProvider, keyFile: settings.keyFile, variable: 'PAYMENTS_KEY_FILE' };
  const { commandKeyFile: keyFile } = settings;
  const ofCommands = { keyProvider: commandKeys, keyFile, variable: 'COMMAND_KEY_FILE' };
  const keys = await openKeys(own, logger);
  try {
    return { keys, commandKeys: await openKeys(ofCommands, logger) };
  } catch (error) {
    keys.close();
    throw error;
  }
}

function databaseOf(settings: PaymentsSettings): DatabaseUse {
  const { databaseUrl, schema, connectionsMax, cell } = settings;
  return {
    ...{ service: 'payments', calledInLog: "payments' database" },
    ...{ databaseUrl, schema, connectionsMax, isDurable: true },
    prepare: () => ensureMigrated(settings, (names) => migrations({ ...names, cell })),
    check: (pool) => pool.query('SELECT FROM streams LIMIT 0'),
  };
}

function connectorsOf(options: PaymentsOptions, settings: PaymentsSettings): Provider {
  const parts = { metrics: PaymentMetrics, logger: LOGGER, clock: CLOCK };
  return made(Connectors, parts, ({ metrics, logger, clock }) => {
    const { acquirers = {}, queries, vault } = options;
    const ports = queries && { queries, vault };
    const all = options.connectors ?? connectorsFor(acquirers, settings, ports);
    if (all.length === 0) logger.warn(NO_CONNECTOR);
    const timed = (connector: Connector): Connector => metrics.timed(connector);
    const ofAccounts = new AccountConnectors({
      ...{ limits: settings, timed, logger, secretsFolder: settings.secretsFolder },
      outbound: new OutboundHosts(settings.privateTargets),
      retire: (connector) => connectors.retire(connector),
      monotonicMs: () => clock.monotonicMs(),
    });
    const connectors = new Connectors(all.map(timed), settings.callsMax, ofAccounts);
    return connectors;
  });
}

function routesOf({ queries }: PaymentsOptions): Provider {
  const parts = { connectors: Connectors, clock: CLOCK, logger: LOGGER };
  return made(LiveRoutes, parts, ({ connectors, clock, logger }) => {
    const outage = new Outage(clock, logger, {
      begins: 'The routes of merchants cannot be refreshed.',
      goesOn: 'The routes of merchants still cannot be refreshed.',
      ends: 'The routes of merchants are refreshed again.',
    });
    return new LiveRoutes({
      ...{ queries, outage },
      changed: ({ accounts }) => connectors.useAccounts(accounts),
    });
  });
}

/** Storage of streams, and the clock for them. */
const storeProviders: readonly Provider[] = [
  made(PaymentMetrics, { metrics: METRICS }, ({ metrics }) => new PaymentMetrics(metrics)),
  made(EventStore, { pool: Pool, settings: SETTINGS }, ({ pool, settings }) => {
    return new EventStore(pool, { schema: settings.schema, publishes: true, hasShards: true });
  }),
  // Every instant that is recorded or compared with a recorded one is the database's; of the
  // process's own clock only the monotonic part counts.
  made(RemoteClock, { pool: Pool, clock: CLOCK, logger: LOGGER }, ({ pool, ...parts }) => {
    return new RemoteClock({ ...parts, whose: 'the database', ask: () => databaseTime(pool) });
  }),
  // What is an entity's date is its clock's (page 0078).
  made(EntityClock, { machine: RemoteClock, clocks: SET_CLOCKS }, ({ machine, clocks }) => {
    return new EntityClock(machine, clocks);
  }),
  made(STREAMS, { settings: SETTINGS }, ({ settings }) => {
    return new Streams(paymentDecider.initialState, settings.streamWaitingMax);
  }),
  made(
    WRITER,
    {
      ...{ connectors: Connectors, schedule: SCHEDULE, store: EventStore },
      ...{ clock: RemoteClock, clocks: SET_CLOCKS, metrics: PaymentMetrics },
    },
    ({ connectors, schedule, store, clock, clocks, metrics }) => {
      const aggregate = paymentAggregate(connectors, schedule, clocks);
      return new StreamWriter(aggregate, store, clock, (result, state, events) =>
        metrics.appended(result, state, events),
      );
    },
  ),
];

/** Commands and queries. */
const paymentProviders: readonly Provider[] = [
  made(EarlierPaymentsReader, { store: EventStore }, ({ store }) => {
    return new EarlierPaymentsReader(store);
  }),
  made(
    PaymentWorkflow,
    {
      ...{ streams: STREAMS, writer: WRITER, connectors: Connectors, vault: VAULT },
      ...{ routing: PaymentRouting, earlier: EarlierPaymentsReader },
      second: SecondAuthentications,
      ...{ machine: RemoteClock, clock: EntityClock, logger: LOGGER },
      ...{ metrics: PaymentMetrics, settings: SETTINGS },
    },
    ({ settings: { sendWindowMs }, ...parts }) => new PaymentWorkflow({ ...parts, sendWindowMs }),
  ),
  made(
    PaymentsHandler,
    {
      ...{ store: EventStore, streams: STREAMS, writer: WRITER, workflow: PaymentWorkflow },
      ...{ connectors: Connectors, keys: KEYS, metrics: PaymentMetrics },
      ...{ machine: RemoteClock, clock: EntityClock },
      ...{ routing: PaymentRouting, earlier: EarlierPaymentsReader, settings: SETTINGS },
      risk: RiskDecisions,
    },
    ({ settings: { sendWindowMs }, keys, ...parts }) => {
      return new PaymentsHandler({ ...parts, keys: keys.provider, sendWindowMs });
    },
  ),
  made(StreamQueries, { store: EventStore, keys: KEYS }, ({ store, keys }) => {
    return new StreamQueries(store, keys.provider);
  }),
  made(
    PaymentQueries,
    { store: EventStore, keys: KEYS, streamQueries: StreamQueries },
    ({ store, keys, streamQueries }) => new PaymentQueries(store, keys.provider, streamQueries),
  ),
  made(
    AskedReferences,
    { store: EventStore, handler: PaymentsHandler, machine: RemoteClock },
    (parts) => new AskedReferences(parts),
  ),
  made(AttemptReversals, { references: AskedReferences }, ({ references }) => {
    return new AttemptReversals(references);
  }),
  made(Charges, { handler: PaymentsHandler, machine: RemoteClock }, (parts) => new Charges(parts)),
  made(BankReturns, { references: AskedReferences }, ({ references }) => {
    return new BankReturns(references);
  }),
  made(
    ShopperReturns,
    {
      ...{ queries: PaymentQueries, store: EventStore, streams: STREAMS, writer: WRITER },
      ...{ connectors: Connectors, machine: RemoteClock, clock: EntityClock },
      ...{ questions: RiskQuestions, resumption: AuthorizationResumption },
    },
    (parts) => new ShopperReturns(parts),
  ),
];

/** Recovery of what earlier processes left open, and start and stop. */
const recoveryProviders: readonly Provider[] = [
  made(
    RecoveryProcessor,
    {
      ...{ store: EventStore, streams: STREAMS, writer: WRITER, connectors: Connectors },
      ...{ machine: RemoteClock, clock: EntityClock, schedule: SCHEDULE, logger: LOGGER },
      ...{ questions: RiskQuestions, resumption: AuthorizationResumption },
    },
    (parts) => new RecoveryProcessor(parts),
  ),
  made(
    SWEEPER,
    {
      ...{ store: EventStore, streams: STREAMS, clock: RemoteClock, logger: LOGGER },
      ...{ recovery: RecoveryProcessor, settings: SETTINGS, setClocks: SET_CLOCKS },
    },
    ({ recovery, settings, ...parts }) => {
      return new Sweeper({
        ...{ ...parts, what: 'payments', limits: sweepLimits(settings) },
        sweep: (stream) => recovery.recover(stream),
      });
    },
  ),
  made(
    PaymentsLifecycle,
    {
      ...{ database: Database, clock: RemoteClock, store: EventStore, writer: WRITER },
      ...{ sweeper: SWEEPER, connectors: Connectors, keys: KEYS, commandKeys: COMMAND_KEYS },
      ...{ routes: LiveRoutes, questions: RiskQuestions, health: HealthChecks },
      ...{ metrics: PaymentMetrics, logger: LOGGER, settings: SETTINGS },
    },
    ({ settings: { leaseMs, cell }, ...parts }) => {
      return new PaymentsLifecycle({ ...parts, leaseMs, cell });
    },
  ),
];

function sweepLimits(settings: PaymentsSettings): SweepLimits {
  const { leaseMs, callTimeoutMs } = settings;
  return {
    pollIntervalMs: settings.sweepIntervalMs,
    concurrencyMax: settings.sweepConcurrencyMax,
    // One inquiry and one reversal may each take as long as a call (D-25).
    claimLeaseMs: leaseMs + 2 * callTimeoutMs,
    // After one lease, anything sent before the clock was set is no longer under way (D-25).
    restAfterClockStepMs: leaseMs,
  };
}

function scheduleOf(settings: PaymentsSettings): RecoverySchedule {
  const { sendWindowMs, leaseMs, inquireAfterMs, resolveByMs, lateInquiryAfterMs } = settings;
  const windows = { sendWindowMs, leaseMs, resolveByMs, clockMarginMs: CLOCK_MARGIN_MS };
  return { ...windows, inquireAfterMs, lateInquiryAfterMs };
}
