import 'reflect-metadata';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import type { Queries } from '@sluice/messaging';
import {
  EnvelopeSealer,
  ensureMigrated,
  HealthChecks,
  type KeyProvider,
  type OpenKeys,
  openKeys,
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
  startModule,
  type Token,
  token,
  TRANSPORT,
} from '@sluice/service-module';
import { Pool } from 'pg';
import { AssessmentsLifecycle } from './assessment/assessments.lifecycle.js';
import { Assessor } from './assessment/assessor.js';
import { PayerHashes } from './assessment/payer-hashes.js';
import { Reviews } from './assessment/reviews.js';
import { RuleBook } from './assessment/rule-book.js';
import { RiskMetrics } from './risk-metrics.js';
import { AssessmentsController } from './assessment/assessments.controller.js';
import { migrations } from './schema.js';
import { RiskSettings } from './settings.js';

/** What risk is started with. */
export interface RiskOptions extends ServiceParts {
  /** Missing ones have their defaults; `databaseUrl` has none. */
  readonly settings: Partial<RiskSettings> & Pick<RiskSettings, 'databaseUrl'>;
  /** Where queries arrive, e.g. `bus.transport('risk')`. */
  readonly transport: CustomTransportStrategy;
  /** To tell payments what has been decided. */
  readonly queries: Queries;
  /** Instead of the settings' key file; the caller closes it. */
  readonly keyProvider?: KeyProvider;
}

/** Risk at work. */
export interface RunningRisk extends RunningService {
  /** Reads the rules and tells of reviews now, and not in a while. */
  look(): Promise<void>;
}

const QUERIES: Token<Queries> = token('queries');
const KEYS: Token<OpenKeys> = token('keys');

/** The rules of merchants, before money moves, and what people decide about what they hold up. */
@Module({})
export class RiskModule {
  /**
   * Migrates if it is given the owner's address, and takes queries. Throws an error with a readable
   * message if settings, key file or database cannot be used.
   */
  static async start(options: RiskOptions): Promise<RunningRisk> {
    const settings = withDefaults(RiskSettings, options.settings);
    const { keyProvider, logger } = options;
    const { keyFile } = settings;
    const keys = await openKeys({ keyProvider, keyFile, variable: 'RISK_KEY_FILE' }, logger);
    const running = await startModule(RiskModule.of(options, settings, keys), logger);
    return {
      look: () => running.get(AssessmentsLifecycle).look(),
      close: () => running.close(),
    };
  }

  private static of(options: RiskOptions, settings: RiskSettings, keys: OpenKeys): DynamicModule {
    return {
      module: RiskModule,
      imports: [ServiceModule.of(options), DatabaseModule.of(databaseOf(settings))],
      controllers: [AssessmentsController],
      providers: [
        given(TRANSPORT, options.transport),
        given(QUERIES, options.queries),
        given(KEYS, keys),
        ...assessmentProviders,
      ],
    };
  }
}

/** Rules of merchants, and what they count. */
const assessmentProviders: readonly Provider[] = [
  made(RiskMetrics, { metrics: METRICS }, ({ metrics }) => new RiskMetrics(metrics)),
  made(RuleBook, { pool: Pool }, ({ pool }) => new RuleBook(pool)),
  made(Reviews, { pool: Pool }, ({ pool }) => new Reviews(pool)),
  made(PayerHashes, { pool: Pool, keys: KEYS }, ({ pool, keys }) => {
    return new PayerHashes(pool, keys.provider);
  }),
  made(
    Assessor,
    {
      ...{ pool: Pool, rules: RuleBook, hashes: PayerHashes },
      ...{ keys: KEYS, clock: CLOCK, metrics: RiskMetrics },
    },
    ({ keys, clock, ...parts }) => {
      return new Assessor({ ...parts, sealer: new EnvelopeSealer(keys.provider, clock) });
    },
  ),
  made(
    AssessmentsLifecycle,
    {
      ...{ database: Database, rules: RuleBook, hashes: PayerHashes, reviews: Reviews },
      ...{ queries: QUERIES, health: HealthChecks, clock: CLOCK, logger: LOGGER },
      ...{ keys: KEYS, metrics: RiskMetrics },
    },
    (parts) => new AssessmentsLifecycle(parts),
  ),
];

function databaseOf(settings: RiskSettings): DatabaseUse {
  const { databaseUrl, schema, connectionsMax } = settings;
  return {
    ...{ service: 'risk', calledInLog: "risk's database" },
    ...{ databaseUrl, schema, connectionsMax, isDurable: true },
    prepare: () => ensureMigrated(settings, migrations),
    check: (pool) => pool.query('SELECT FROM rule_sets LIMIT 0'),
  };
}
