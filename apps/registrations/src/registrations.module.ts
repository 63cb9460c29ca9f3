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
import type { KeepingVault } from '@sluice/contracts';
import {
  type RecoveryPauses,
  registrationDecider,
  type RegistrationStreamState,
} from '@sluice/domain-registrations';
import { EventStore, migrations } from '@sluice/event-store';
import {
  databaseTime,
  EnvelopeOpener,
  ensureMigrated,
  EntityClock,
  type FollowsClocks,
  type KeyProvider,
  type OpenKeys,
  openKeys,
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
import type { Queries } from '@sluice/messaging';
import { Pool } from 'pg';
import { CommandsController } from './commands.controller.js';
import { PaymentDecisions } from './payment-decisions.js';
import { QueriesController } from './queries.controller.js';
import { RecoveryProcessor } from './recovery.processor.js';
import { RegistrationMetrics } from './registration-metrics.js';
import { RegistrationQueries } from './registration-queries.js';
import { RegistrationTransactions } from './registration-transactions.js';
import {
  registrationAggregate,
  type RegistrationStreams,
  type RegistrationWriter,
} from './registration-aggregate.js';
import { RegistrationWorkflow } from './registration.workflow.js';
import { RegistrationsHandler } from './registrations.handler.js';
import { RegistrationsLifecycle } from './registrations.lifecycle.js';
import { RegistrationsSettings } from './settings.js';

/** How soon forgetting is tried again, while the vault does not answer. */
const FORGET_AGAIN_AFTER_MS = 5_000;
/** Most payments have ended by then, and whoever wants to hear of what they have stored waits for this. */
const PAYMENT_ASKED_AFTER_MS = 3_000;

/** What registrations is started with. */
export interface RegistrationsOptions extends ServiceParts {
  /** Missing ones have their defaults; `databaseUrl` has none. */
  readonly settings: Partial<RegistrationsSettings> & Pick<RegistrationsSettings, 'databaseUrl'>;
  /** Where commands and queries arrive, e.g. `bus.transport('registrations')`. */
  readonly transport: CustomTransportStrategy;
  readonly vault: KeepingVault;
  /** To ask payments what became of a payment. */
  readonly queries: Queries;
  /** Instead of the settings' key file; the caller closes it. */
  readonly keyProvider?: KeyProvider;
  /** Instead of the settings' command key file; the caller closes it. */
  readonly commandKeys?: KeyProvider;
}

const SETTINGS: Token<RegistrationsSettings> = token('settings');
const VAULT: Token<KeepingVault> = token('vault');
const QUERIES: Token<Queries> = token('queries');
const KEYS: Token<OpenKeys> = token('keys');
const COMMAND_KEYS: Token<OpenKeys> = token('command keys');
const STREAMS: Token<RegistrationStreams> = token('streams');
const WRITER: Token<RegistrationWriter> = token('writer');
const SWEEPER: Token<Sweeper<RegistrationStreamState>> = token('sweeper');

/** Registration streams, and what the vault keeps for them (Interface 2.16). */
@Module({})
export class RegistrationsModule {
  /**
   * Migrates if it is given the owner's address, and takes commands and queries. Throws an error
   * with a readable message if settings, key file or database cannot be used.
   */
  static async start(options: RegistrationsOptions): Promise<RunningService & FollowsClocks> {
    const settings = withDefaults(RegistrationsSettings, options.settings);
    const keys = await openBothKeys(settings, options);
    const running = await startModule(
      RegistrationsModule.of(options, settings, keys),
      options.logger,
    );
    const store = running.get(EventStore);
    const sweeper = running.get<Sweeper<RegistrationStreamState>>(SWEEPER);
    return {
      close: () => running.close(),
      nextDueMs: (entityId) => store.nextDueOfMs(entityId),
      doWhatIsDue: (entityId, untilMs) => sweeper.sweepTenant(entityId, untilMs),
    };
  }

  private static of(
    options: RegistrationsOptions,
    settings: RegistrationsSettings,
    { keys, commandKeys }: BothKeys,
  ): DynamicModule {
    return {
      module: RegistrationsModule,
      imports: [ServiceModule.of(options), DatabaseModule.of(databaseOf(settings))],
      controllers: [CommandsController, QueriesController],
      providers: [
        given(TRANSPORT, options.transport),
        given(SETTINGS, settings),
        given(VAULT, options.vault),
        given(QUERIES, options.queries),
        given(KEYS, keys),
        given(COMMAND_KEYS, commandKeys),
        given(EnvelopeOpener, new EnvelopeOpener(commandKeys.provider)),
        ...storeProviders,
        ...registrationProviders,
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
  settings: RegistrationsSettings,
  { keyProvider, commandKeys, logger }: RegistrationsOptions,
): Promise<BothKeys> {
  const own = { keyProvider, keyFile: settings.keyFile, variable: 'REGISTRATIONS_KEY_FILE' };
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

function databaseOf(settings: RegistrationsSettings): DatabaseUse {
  const { databaseUrl, schema, connectionsMax } = settings;
  return {
    ...{ service: 'registrations', calledInLog: "registrations' database" },
    ...{ databaseUrl, schema, connectionsMax, isDurable: true },
    prepare: () => ensureMigrated(settings, migrations),
    check: (pool) => pool.query('SELECT FROM streams LIMIT 0'),
  };
}

/** Storage of streams, and the clock for them. */
const storeProviders: readonly Provider[] = [
  made(RegistrationMetrics, { metrics: METRICS }, ({ metrics }) => {
    return new RegistrationMetrics(metrics);
  }),
  made(EventStore, { pool: Pool, settings: SETTINGS }, ({ pool, settings }) => {
    return new EventStore(pool, { schema: settings.schema, publishes: true });
  }),
  // Every instant that is recorded or compared with a recorded one is the database's.
  made(RemoteClock, { pool: Pool, clock: CLOCK, logger: LOGGER }, ({ pool, ...parts }) => {
    return new RemoteClock({ ...parts, whose: 'the database', ask: () => databaseTime(pool) });
  }),
  // What is an entity's date is its clock's (page 0078).
  made(EntityClock, { machine: RemoteClock, clocks: SET_CLOCKS }, ({ machine, clocks }) => {
    return new EntityClock(machine, clocks);
  }),
  made(STREAMS, { settings: SETTINGS }, ({ settings }) => {
    return new Streams(registrationDecider.initialState, settings.streamWaitingMax);
  }),
  made(
    WRITER,
    {
      ...{ settings: SETTINGS, store: EventStore, clocks: SET_CLOCKS },
      ...{ clock: RemoteClock, metrics: RegistrationMetrics },
    },
    ({ settings, store, clocks, clock, metrics }) => {
      const aggregate = registrationAggregate(pausesOf(settings), clocks);
      return new StreamWriter(aggregate, store, clock, (result, state, events) =>
        metrics.appended(result, state, events),
      );
    },
  ),
];

/** Commands and queries. */
const registrationProviders: readonly Provider[] = [
  made(PaymentDecisions, { queries: QUERIES }, ({ queries }) => new PaymentDecisions(queries)),
  made(
    RegistrationWorkflow,
    {
      ...{ streams: STREAMS, writer: WRITER, vault: VAULT, payments: PaymentDecisions },
      ...{ machine: RemoteClock, clock: EntityClock, logger: LOGGER },
      ...{ store: EventStore, keys: KEYS },
    },
    ({ store, keys, ...parts }) =>
      new RegistrationWorkflow({
        ...{ ...parts, keys: keys.provider, personalKeys: store.personalKeys },
      }),
  ),
  made(
    RegistrationsHandler,
    {
      ...{ store: EventStore, streams: STREAMS, writer: WRITER, workflow: RegistrationWorkflow },
      ...{ keys: KEYS, machine: RemoteClock, clock: EntityClock, metrics: RegistrationMetrics },
    },
    ({ keys, ...parts }) => new RegistrationsHandler({ ...parts, keys: keys.provider }),
  ),
  made(
    RegistrationQueries,
    { store: EventStore, handler: RegistrationsHandler, keys: KEYS },
    ({ store, handler, keys }) => new RegistrationQueries(store, handler, keys.provider),
  ),
  made(StreamQueries, { store: EventStore, keys: KEYS }, ({ store, keys }) => {
    return new StreamQueries(store, keys.provider);
  }),
  made(
    RegistrationTransactions,
    { store: EventStore, handler: RegistrationsHandler, streamQueries: StreamQueries },
    ({ store, handler, streamQueries }) =>
      new RegistrationTransactions(store, handler, streamQueries),
  ),
];

/** What earlier processes left open, what is over, and start and stop. */
const recoveryProviders: readonly Provider[] = [
  made(
    RecoveryProcessor,
    {
      ...{ store: EventStore, streams: STREAMS, writer: WRITER },
      ...{ workflow: RegistrationWorkflow, clock: EntityClock },
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
        ...{ ...parts, what: 'registrations', limits: sweepLimits(settings) },
        sweep: (stream) => recovery.recover(stream),
      });
    },
  ),
  made(
    RegistrationsLifecycle,
    {
      ...{ database: Database, clock: RemoteClock, store: EventStore, writer: WRITER },
      ...{
        workflow: RegistrationWorkflow,
        sweeper: SWEEPER,
        keys: KEYS,
        commandKeys: COMMAND_KEYS,
      },
      ...{ metrics: RegistrationMetrics, logger: LOGGER },
    },
    (parts) => new RegistrationsLifecycle(parts),
  ),
];

function pausesOf({ leaseMs }: RegistrationsSettings): RecoveryPauses {
  return {
    keepingMs: leaseMs,
    paymentMs: PAYMENT_ASKED_AFTER_MS,
    forgettingMs: FORGET_AGAIN_AFTER_MS,
  };
}

function sweepLimits(settings: RegistrationsSettings): SweepLimits {
  const { leaseMs, sweepIntervalMs, sweepConcurrencyMax } = settings;
  return {
    pollIntervalMs: sweepIntervalMs,
    concurrencyMax: sweepConcurrencyMax,
    claimLeaseMs: leaseMs,
    restAfterClockStepMs: leaseMs,
  };
}
