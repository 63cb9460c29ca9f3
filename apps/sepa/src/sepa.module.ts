import 'reflect-metadata';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import type { BankAccountVault } from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';
import {
  ensureMigrated,
  EntityClock,
  type FollowsClocks,
  type RunningService,
  withDefaults,
} from '@sluice/service';
import {
  CLOCK,
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
import { SepaLifecycle, foldersIn } from './sepa.lifecycle.js';
import { SepaMetrics } from './sepa-metrics.js';
import { type Creditors, creditorsOf } from './creditors.js';
import { Gatherer } from './gatherer.js';
import { Incoming } from './incoming.js';
import { Orders } from './orders.js';
import { OutgoingFolder } from './outgoing-folder.js';
import { QueriesController } from './queries.controller.js';
import { Retention } from './retention.js';
import { Returns } from './returns.js';
import { migrations } from './schema.js';
import { SepaSettings } from './settings.js';
import { StrandedRefunds } from './stranded-refunds.js';

/** What sepa is started with. */
export interface SepaOptions extends ServiceParts {
  /** Missing ones have their defaults; the database and the folder have none. */
  readonly settings: Partial<SepaSettings> & Pick<SepaSettings, 'databaseUrl' | 'folder'>;
  /** Where queries arrive, e.g. `bus.transport('sepa')`. */
  readonly transport: CustomTransportStrategy;
  readonly vault: BankAccountVault;
  /** To tell payments what the bank has taken back. */
  readonly queries: Queries;
}

/** Bank-files at work. */
export interface RunningSepa extends RunningService, FollowsClocks {
  /** Does whatever is due now, and not in a while. */
  look(): Promise<void>;
}

const SETTINGS: Token<SepaSettings> = token('settings');
const VAULT: Token<SepaOptions['vault']> = token('vault');
const QUERIES: Token<Queries> = token('queries');
const CREDITORS: Token<Creditors> = token('creditors');

/** Direct debits and credits in files for a bank, and what the bank answers. */
@Module({})
export class SepaModule {
  /**
   * Migrates if it is given the owner's address, and takes orders. Throws an error with a readable
   * message if settings, creditors, folder or database cannot be used.
   */
  static async start(options: SepaOptions): Promise<RunningSepa> {
    const settings = withDefaults(SepaSettings, options.settings);
    const creditors = await creditorsOf(settings);
    const module = SepaModule.of(options, settings, creditors);
    const running = await startModule(module, options.logger);
    return {
      look: () => running.get(SepaLifecycle).look(),
      nextDueMs: (entityId) => running.get(Gatherer).nextDueMs(entityId),
      doWhatIsDue: (entityId) => running.get(SepaLifecycle).gatherOf(entityId),
      close: () => running.close(),
    };
  }

  private static of(
    options: SepaOptions,
    settings: SepaSettings,
    creditors: Creditors,
  ): DynamicModule {
    return {
      module: SepaModule,
      imports: [ServiceModule.of(options), DatabaseModule.of(databaseOf(settings))],
      controllers: [QueriesController],
      providers: [
        given(TRANSPORT, options.transport),
        given(SETTINGS, settings),
        given(VAULT, options.vault),
        given(QUERIES, options.queries),
        given(CREDITORS, creditors),
        given(OutgoingFolder, new OutgoingFolder(foldersIn(settings.folder).outgoing)),
        ...providers,
      ],
    };
  }
}

function databaseOf(settings: SepaSettings): DatabaseUse {
  const { databaseUrl, schema, connectionsMax } = settings;
  return {
    ...{ service: 'sepa', calledInLog: "sepa' database" },
    ...{ databaseUrl, schema, connectionsMax, isDurable: true },
    prepare: () => ensureMigrated(settings, migrations),
    check: (pool) => pool.query('SELECT FROM orders LIMIT 0'),
  };
}

const LOGGED = { pool: Pool, machine: CLOCK, logger: LOGGER, metrics: SepaMetrics };

const providers: readonly Provider[] = [
  made(SepaMetrics, { metrics: METRICS }, ({ metrics }) => new SepaMetrics(metrics)),
  // What is an entity's date is its clock's (page 0078).
  made(EntityClock, { machine: CLOCK, clocks: SET_CLOCKS }, ({ machine, clocks }) => {
    return new EntityClock(machine, clocks);
  }),
  made(
    Orders,
    {
      ...{ pool: Pool, vault: VAULT, creditors: CREDITORS },
      ...{ machine: CLOCK, clock: EntityClock },
    },
    (parts) => new Orders(parts),
  ),
  made(
    Gatherer,
    {
      ...{ ...LOGGED, vault: VAULT, creditors: CREDITORS },
      ...{ clock: EntityClock, setClocks: SET_CLOCKS },
      ...{ outgoing: OutgoingFolder, settings: SETTINGS },
    },
    ({ settings: { debitLeadDays }, ...parts }) => new Gatherer({ ...parts, debitLeadDays }),
  ),
  made(
    Incoming,
    { ...LOGGED, clock: EntityClock, settings: SETTINGS },
    ({ settings, ...parts }) =>
      new Incoming({ ...parts, folder: foldersIn(settings.folder).incoming }),
  ),
  made(Returns, { ...LOGGED, queries: QUERIES }, (parts) => new Returns(parts)),
  made(StrandedRefunds, LOGGED, (parts) => new StrandedRefunds(parts)),
  made(Retention, { pool: Pool, vault: VAULT, machine: CLOCK }, (parts) => new Retention(parts)),
  made(
    SepaLifecycle,
    {
      ...{ ...LOGGED, gatherer: Gatherer, incoming: Incoming, returns: Returns },
      ...{
        stranded: StrandedRefunds,
        retention: Retention,
        outgoing: OutgoingFolder,
        settings: SETTINGS,
      },
    },
    (parts) => new SepaLifecycle(parts),
  ),
];
