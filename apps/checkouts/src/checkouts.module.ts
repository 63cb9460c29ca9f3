import 'reflect-metadata';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import { Streams, StreamWriter, Sweeper, type SweepLimits } from '@sluice/aggregates';
import { checkoutDecider, type CheckoutState, type RecoveryPauses } from '@sluice/domain-checkouts';
import { EventStore } from '@sluice/event-store';
import type { Queries } from '@sluice/messaging';
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
import { Pool } from 'pg';
import { AttemptOutcomes } from './attempt-outcomes.js';
import {
  checkoutAggregate,
  type CheckoutStreams,
  type CheckoutWriter,
} from './checkout-aggregate.js';
import { CheckoutMetrics } from './checkout-metrics.js';
import { CheckoutQueries } from './checkout-queries.js';
import { CheckoutsHandler } from './checkouts.handler.js';
import { CheckoutsLifecycle } from './checkouts.lifecycle.js';
import { CommandsController } from './commands.controller.js';
import type { WalletsInUse } from './offered-wallets.js';
import { PageWallets } from './page-wallets.js';
import { QueriesController } from './queries.controller.js';
import { RecoveryProcessor } from './recovery.processor.js';
import { ResultCalls } from './result-calls.js';
import { migrations } from './schema.js';
import { CheckoutsSettings } from './settings.js';
import { walletsInUse } from './wallets-in-use.js';
import { Widgets } from './widgets.js';

/** How soon recovery asks again about a shopper who is away at the page of somebody else. */
const ASK_AGAIN_OF_OPEN_MS = 60_000;

/** What checkouts is started with. */
export interface CheckoutsOptions extends ServiceParts {
  /** Missing ones have their defaults; `databaseUrl` has none. */
  readonly settings: Partial<CheckoutsSettings> & Pick<CheckoutsSettings, 'databaseUrl'>;
  /** Where commands and queries arrive, e.g. `bus.transport('checkouts')`. */
  readonly transport: CustomTransportStrategy;
  /** To ask what became of attempts, and for calls of pages of results. */
  readonly queries: Queries;
  /** Instead of the settings' key file; the caller closes it. */
  readonly keyProvider?: KeyProvider;
  /** Instead of the settings' command key file; the caller closes it. */
  readonly commandKeys?: KeyProvider;
}

const SETTINGS: Token<CheckoutsSettings> = token('settings');
const QUERIES: Token<Queries> = token('queries');
const KEYS: Token<OpenKeys> = token('keys');
const COMMAND_KEYS: Token<OpenKeys> = token('command keys');
const STREAMS: Token<CheckoutStreams> = token('streams');
const WRITER: Token<CheckoutWriter> = token('writer');
const SWEEPER: Token<Sweeper<CheckoutState>> = token('sweeper');

/** Checkout streams: what a shopper is to pay, until somebody has read that it is paid (Interface 3). */
@Module({})
export class CheckoutsModule {
  /**
   * Migrates if it is given the owner's address, and takes commands and queries. Throws an error
   * with a readable message if settings, key file or database cannot be used.
   */
  static async start(options: CheckoutsOptions): Promise<RunningService & FollowsClocks> {
    const settings = withDefaults(CheckoutsSettings, options.settings);
    const wallets = await walletsInUse(settings);
    const keys = await openBothKeys(settings, options);
    const module = CheckoutsModule.of(options, settings, { ...keys, wallets });
    const running = await startModule(module, options.logger);
    const store = running.get(EventStore);
    const sweeper = running.get<Sweeper<CheckoutState>>(SWEEPER);
    return {
      close: () => running.close(),
      nextDueMs: (entityId) => store.nextDueOfMs(entityId),
      doWhatIsDue: async (entityId, untilMs) => {
        const done = await sweeper.sweepTenant(entityId, untilMs);
        await running.get(ResultCalls).ended();
        return done;
      },
    };
  }

  private static of(
    options: CheckoutsOptions,
    settings: CheckoutsSettings,
    { keys, commandKeys, wallets }: BothKeys & { readonly wallets: WalletsInUse },
  ): DynamicModule {
    return {
      module: CheckoutsModule,
      imports: [ServiceModule.of(options), DatabaseModule.of(databaseOf(settings))],
      controllers: [CommandsController, QueriesController],
      providers: [
        given(TRANSPORT, options.transport),
        given(SETTINGS, settings),
        given(QUERIES, options.queries),
        given(KEYS, keys),
        given(COMMAND_KEYS, commandKeys),
        given(EnvelopeOpener, new EnvelopeOpener(commandKeys.provider)),
        given(PageWallets, new PageWallets(wallets)),
        ...storeProviders,
        ...checkoutProviders,
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
  settings: CheckoutsSettings,
  { keyProvider, commandKeys, logger }: CheckoutsOptions,
): Promise<BothKeys> {
  const own = { keyProvider, keyFile: settings.keyFile, variable: 'CHECKOUTS_KEY_FILE' };
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

function databaseOf(settings: CheckoutsSettings): DatabaseUse {
  const { databaseUrl, schema, connectionsMax } = settings;
  return {
    ...{ service: 'checkouts', calledInLog: "checkouts' database" },
    ...{ databaseUrl, schema, connectionsMax, isDurable: true },
    prepare: () => ensureMigrated(settings, migrations),
    check: (pool) => pool.query('SELECT FROM streams LIMIT 0'),
  };
}

/** Storage of streams, and the clock for them. */
const storeProviders: readonly Provider[] = [
  made(CheckoutMetrics, { metrics: METRICS }, ({ metrics }) => new CheckoutMetrics(metrics)),
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
  made(STREAMS, { settings: SETTINGS }, ({ settings }) => {
    return new Streams(checkoutDecider.initialState, settings.streamWaitingMax);
  }),
  made(
    WRITER,
    {
      ...{ settings: SETTINGS, store: EventStore, clocks: SET_CLOCKS },
      ...{ clock: RemoteClock, metrics: CheckoutMetrics },
    },
    ({ settings, store, clocks, clock, metrics }) =>
      new StreamWriter(
        checkoutAggregate(pausesOf(settings), clocks),
        store,
        clock,
        (result, _state, events) => metrics.appended(result, events),
      ),
  ),
];

/** Commands and queries. */
const checkoutProviders: readonly Provider[] = [
  made(
    AttemptOutcomes,
    {
      ...{ queries: QUERIES, writer: WRITER, machine: RemoteClock, clock: EntityClock },
      ...{ logger: LOGGER, settings: SETTINGS },
    },
    ({ settings, ...parts }) => new AttemptOutcomes({ ...parts, ...pausesOf(settings) }),
  ),
  made(
    CheckoutsHandler,
    {
      ...{ store: EventStore, streams: STREAMS, writer: WRITER, outcomes: AttemptOutcomes },
      ...{ keys: KEYS, machine: RemoteClock, clock: EntityClock, metrics: CheckoutMetrics },
    },
    ({ keys, ...parts }) => new CheckoutsHandler({ ...parts, keys: keys.provider }),
  ),
  made(
    CheckoutQueries,
    {
      ...{ store: EventStore, streams: STREAMS, writer: WRITER, outcomes: AttemptOutcomes },
      ...{ keys: KEYS, machine: RemoteClock, clock: EntityClock },
    },
    ({ keys, ...parts }) => new CheckoutQueries({ ...parts, keys: keys.provider }),
  ),
  made(Widgets, { pool: Pool, machine: RemoteClock }, ({ pool, machine }) => {
    return new Widgets(pool, machine);
  }),
];

/** What earlier processes left open, and start and stop. */
const recoveryProviders: readonly Provider[] = [
  made(
    ResultCalls,
    {
      ...{ queries: QUERIES, streams: STREAMS, writer: WRITER },
      ...{ clock: EntityClock, logger: LOGGER },
    },
    (parts) => new ResultCalls(parts),
  ),
  made(
    RecoveryProcessor,
    {
      ...{ store: EventStore, streams: STREAMS, writer: WRITER, outcomes: AttemptOutcomes },
      calls: ResultCalls,
    },
    (parts) => new RecoveryProcessor(parts),
  ),
  made(
    SWEEPER,
    {
      ...{ store: EventStore, streams: STREAMS, clock: RemoteClock, logger: LOGGER },
      ...{ recovery: RecoveryProcessor, settings: SETTINGS, setClocks: SET_CLOCKS },
    },
    ({ recovery, settings, ...parts }) =>
      new Sweeper({
        ...{ ...parts, what: 'checkouts', limits: sweepLimits(settings) },
        sweep: (stream) => recovery.recover(stream),
      }),
  ),
  made(
    CheckoutsLifecycle,
    {
      ...{ database: Database, clock: RemoteClock, store: EventStore, writer: WRITER },
      ...{
        sweeper: SWEEPER,
        calls: ResultCalls,
        metrics: CheckoutMetrics,
        keys: KEYS,
        commandKeys: COMMAND_KEYS,
        logger: LOGGER,
      },
    },
    (parts) => new CheckoutsLifecycle(parts),
  ),
];

function pausesOf({ leaseMs }: CheckoutsSettings): RecoveryPauses {
  return { attemptMs: leaseMs, openMs: ASK_AGAIN_OF_OPEN_MS };
}

function sweepLimits(settings: CheckoutsSettings): SweepLimits {
  const { leaseMs, sweepIntervalMs, sweepConcurrencyMax } = settings;
  return {
    pollIntervalMs: sweepIntervalMs,
    concurrencyMax: sweepConcurrencyMax,
    claimLeaseMs: leaseMs,
    // Nobody outside waits for it.
    refills: true,
    restAfterClockStepMs: leaseMs,
  };
}
