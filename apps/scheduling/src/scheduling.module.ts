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
import { scheduleDecider, type ScheduleStreamState } from '@sluice/domain-scheduling';
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
import { ChannelSettings } from './channel-settings.js';
import { Charges } from './charges.js';
import { CommandsController } from './commands.controller.js';
import { QueriesController } from './queries.controller.js';
import { RunsProcessor } from './runs.processor.js';
import {
  scheduleAggregate,
  type ScheduleStreams,
  type ScheduleWriter,
} from './schedule-aggregate.js';
import { ScheduleQueries } from './schedule-queries.js';
import { ScheduleTransactions } from './schedule-transactions.js';
import { migrations } from './schema.js';
import { SchedulesHandler } from './schedules.handler.js';
import { SchedulingLifecycle } from './scheduling.lifecycle.js';
import { SchedulingMetrics } from './scheduling-metrics.js';
import { SchedulingSettings } from './settings.js';

/** What scheduling is started with. */
export interface SchedulingOptions extends ServiceParts {
  /** Missing ones have their defaults; `databaseUrl` has none. */
  readonly settings: Partial<SchedulingSettings> & Pick<SchedulingSettings, 'databaseUrl'>;
  /** Where commands and queries arrive, e.g. `bus.transport('scheduling')`. */
  readonly transport: CustomTransportStrategy;
  /** To ask accounts and registrations, and to have payments charge. */
  readonly queries: Queries;
  /** Instead of the settings' key file; the caller closes it. */
  readonly keyProvider?: KeyProvider;
  /** Instead of the settings' command key file; the caller closes it. */
  readonly commandKeys?: KeyProvider;
}

const SETTINGS: Token<SchedulingSettings> = token('settings');
const QUERIES: Token<Queries> = token('queries');
const KEYS: Token<OpenKeys> = token('keys');
const COMMAND_KEYS: Token<OpenKeys> = token('command keys');
const STREAMS: Token<ScheduleStreams> = token('streams');
const WRITER: Token<ScheduleWriter> = token('writer');
const SWEEPER: Token<Sweeper<ScheduleStreamState>> = token('sweeper');

/** Schedules, and their runs (Interface 2.18, wire contract 6). */
@Module({})
export class SchedulingModule {
  /**
   * Migrates if it is given the owner's address, takes commands and queries, and runs what is due. Throws
   * an error with a readable message if settings, key file or database cannot be used.
   */
  static async start(options: SchedulingOptions): Promise<RunningService & FollowsClocks> {
    const settings = withDefaults(SchedulingSettings, options.settings);
    const keys = await openBothKeys(settings, options);
    const running = await startModule(SchedulingModule.of(options, settings, keys), options.logger);
    const [store, sweeper] = [
      running.get(EventStore),
      running.get<Sweeper<ScheduleStreamState>>(SWEEPER),
    ];
    return {
      close: () => running.close(),
      nextDueMs: (entityId) => store.nextDueOfMs(entityId),
      doWhatIsDue: (entityId, untilMs) => sweeper.sweepTenant(entityId, untilMs),
    };
  }

  private static of(
    options: SchedulingOptions,
    settings: SchedulingSettings,
    { keys, commandKeys }: BothKeys,
  ): DynamicModule {
    return {
      module: SchedulingModule,
      imports: [ServiceModule.of(options), DatabaseModule.of(databaseOf(settings))],
      controllers: [CommandsController, QueriesController],
      providers: [
        given(TRANSPORT, options.transport),
        given(SETTINGS, settings),
        given(QUERIES, options.queries),
        given(KEYS, keys),
        given(COMMAND_KEYS, commandKeys),
        given(EnvelopeOpener, new EnvelopeOpener(commandKeys.provider)),
        ...storeProviders,
        ...requestProviders,
        ...runProviders,
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
  settings: SchedulingSettings,
  { keyProvider, commandKeys, logger }: SchedulingOptions,
): Promise<BothKeys> {
  const own = { keyProvider, keyFile: settings.keyFile, variable: 'SCHEDULING_KEY_FILE' };
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

function databaseOf(settings: SchedulingSettings): DatabaseUse {
  const { databaseUrl, schema, connectionsMax } = settings;
  return {
    ...{ service: 'scheduling', calledInLog: "scheduling's database" },
    ...{ databaseUrl, schema, connectionsMax, isDurable: true },
    prepare: () => ensureMigrated(settings, migrations),
    check: (pool) => pool.query('SELECT FROM streams LIMIT 0'),
  };
}

/** Storage of streams, and the clock for them. */
const storeProviders: readonly Provider[] = [
  made(SchedulingMetrics, { metrics: METRICS }, ({ metrics }) => new SchedulingMetrics(metrics)),
  made(EventStore, { pool: Pool, settings: SETTINGS }, ({ pool, settings }) => {
    return new EventStore(pool, { schema: settings.schema, publishes: true, hasTenants: true });
  }),
  // Every instant that is recorded or compared with a recorded one is the database's.
  made(RemoteClock, { pool: Pool, clock: CLOCK, logger: LOGGER }, ({ pool, ...parts }) => {
    return new RemoteClock({ ...parts, whose: 'the database', ask: () => databaseTime(pool) });
  }),
  made(STREAMS, { settings: SETTINGS }, ({ settings }) => {
    return new Streams(scheduleDecider.initialState, settings.streamWaitingMax);
  }),
  // What is an entity's date is its clock's (page 0078).
  made(EntityClock, { machine: RemoteClock, clocks: SET_CLOCKS }, ({ machine, clocks }) => {
    return new EntityClock(machine, clocks);
  }),
  made(
    WRITER,
    {
      ...{ settings: SETTINGS, store: EventStore, clocks: SET_CLOCKS },
      ...{ clock: RemoteClock, metrics: SchedulingMetrics },
    },
    ({ settings, store, clocks, clock, metrics }) => {
      const aggregate = scheduleAggregate(settings.leaseMs, clocks);
      return new StreamWriter(aggregate, store, clock, (...appended) =>
        metrics.appended(...appended),
      );
    },
  ),
];

/** Commands and queries. */
const requestProviders: readonly Provider[] = [
  made(ChannelSettings, { queries: QUERIES, clock: CLOCK }, ({ queries, clock }) => {
    return new ChannelSettings(queries, clock);
  }),
  made(Charges, { queries: QUERIES, clock: EntityClock }, (parts) => new Charges(parts)),
  made(
    SchedulesHandler,
    {
      ...{ store: EventStore, streams: STREAMS, writer: WRITER, channels: ChannelSettings },
      ...{ charges: Charges, keys: KEYS, machine: RemoteClock, clock: EntityClock },
      metrics: SchedulingMetrics,
    },
    ({ keys, ...parts }) => new SchedulesHandler({ ...parts, keys: keys.provider }),
  ),
  made(ScheduleQueries, { store: EventStore, keys: KEYS }, ({ store, keys }) => {
    return new ScheduleQueries(store, keys.provider);
  }),
  made(StreamQueries, { store: EventStore, keys: KEYS }, ({ store, keys }) => {
    return new StreamQueries(store, keys.provider);
  }),
  made(
    ScheduleTransactions,
    { store: EventStore, blocks: StreamQueries },
    ({ store, blocks }) => new ScheduleTransactions(store, blocks),
  ),
];

/** What is due, and start and stop. */
const runProviders: readonly Provider[] = [
  made(
    RunsProcessor,
    {
      ...{ store: EventStore, streams: STREAMS, writer: WRITER, channels: ChannelSettings },
      ...{ charges: Charges, keys: KEYS, machine: RemoteClock, clock: EntityClock },
      ...{ logger: LOGGER, metrics: SchedulingMetrics },
    },
    ({ keys, ...parts }) => new RunsProcessor({ ...parts, keys: keys.provider }),
  ),
  made(
    SWEEPER,
    {
      ...{ store: EventStore, streams: STREAMS, clock: RemoteClock, logger: LOGGER },
      ...{ runs: RunsProcessor, settings: SETTINGS, setClocks: SET_CLOCKS },
    },
    ({ runs, settings, ...parts }) => {
      return new Sweeper({
        ...{ ...parts, what: 'schedules', limits: sweepLimits(settings) },
        sweep: (stream) => runs.run(stream),
      });
    },
  ),
  made(
    SchedulingLifecycle,
    {
      ...{ database: Database, clock: RemoteClock, store: EventStore, writer: WRITER },
      ...{ sweeper: SWEEPER, keys: KEYS, commandKeys: COMMAND_KEYS },
      ...{ metrics: SchedulingMetrics, logger: LOGGER },
    },
    (parts) => new SchedulingLifecycle(parts),
  ),
];

function sweepLimits(settings: SchedulingSettings): SweepLimits {
  const { leaseMs, sweepIntervalMs, runsMax } = settings;
  return {
    ...{ pollIntervalMs: sweepIntervalMs, concurrencyMax: runsMax, claimLeaseMs: leaseMs },
    // Thousands may be due in the same second, and payments says itself how many it takes at once.
    refills: true,
    restAfterClockStepMs: leaseMs,
  };
}
