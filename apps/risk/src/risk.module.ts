import 'reflect-metadata';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import type { AuthenticationVault } from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';
import {
  EnvelopeSealer,
  ensureMigrated,
  type FollowsClocks,
  HealthChecks,
  type KeyProvider,
  type OpenKeys,
  openKeys,
  type RunningService,
  type TlsMaterial,
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
import { AddressFiles } from './assessment/address-files.js';
import { AssessmentsLifecycle } from './assessment/assessments.lifecycle.js';
import { Assessor } from './assessment/assessor.js';
import { Outcomes } from './assessment/outcomes.js';
import { PayerHashes } from './assessment/payer-hashes.js';
import { Reviews } from './assessment/reviews.js';
import { RuleBook } from './assessment/rule-book.js';
import { ScorerCalls } from './assessment/scorer-calls.js';
import { Scorers, type ScorerSettings } from './assessment/scorers.js';
import { authenticationProviders } from './authentication/authentication-providers.js';
import { AuthenticationServerSettings } from './authentication/authentication-settings.js';
import { AuthenticationsController } from './authentication/authentications.controller.js';
import { AuthenticationsLifecycle } from './authentication/authentications.lifecycle.js';
import { DirectoryServers } from './authentication/directory-servers.js';
import { ResultsAddress } from './authentication/results-address.js';
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
  /** Which has the cards of shoppers who are authenticated. */
  readonly vault: AuthenticationVault;
  readonly authentication?: Partial<AuthenticationServerSettings>;
  /** Our certificate for the simulator, and for those who tell results; absent: plain HTTP. */
  readonly tls?: TlsMaterial | undefined;
}

/** Risk at work. */
export interface RunningRisk extends RunningService, FollowsClocks {
  /** Reads the rules and tells of reviews now, and not in a while; fetches card ranges that are due. */
  look(): Promise<void>;
}

interface Opened {
  readonly servers: DirectoryServers;
  readonly keys: OpenKeys;
  readonly address: ResultsAddress;
}

const QUERIES: Token<Queries> = token('queries');
const KEYS: Token<OpenKeys> = token('keys');

/**
 * What comes before money moves: the rules of merchants, with what people decide about what they hold up, and
 * the authentication of shoppers.
 */
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
    const authentication = withDefaults(AuthenticationServerSettings, options.authentication ?? {});
    const servers = await DirectoryServers.open({
      ...{ testUrl: authentication.testDirectoryUrl, tls: options.tls, logger },
      file: authentication.directoryServersFile,
    });
    const keys = await openKeys({ keyProvider, keyFile, variable: 'RISK_KEY_FILE' }, logger);
    const opened = { servers, keys, address: new ResultsAddress(authentication) };
    const running = await startModule(RiskModule.of(options, settings, opened), logger);
    return {
      look: async () => {
        await running.get(AssessmentsLifecycle).look();
        await running.get(AuthenticationsLifecycle).refreshRanges();
      },
      nextDueMs: (entityId) => running.get(Reviews).nextReleaseMs(entityId),
      doWhatIsDue: (entityId) => running.get(AssessmentsLifecycle).releaseOf(entityId),
      close: () => running.close(),
    };
  }

  private static of(
    options: RiskOptions,
    settings: RiskSettings,
    { servers, keys, address }: Opened,
  ): DynamicModule {
    const { vault, tls } = options;
    const outside = { schema: settings.schema, keys: KEYS, vault, servers, address, tls };
    return {
      module: RiskModule,
      imports: [ServiceModule.of(options), DatabaseModule.of(databaseOf(settings))],
      controllers: [AssessmentsController, AuthenticationsController],
      providers: [
        given(TRANSPORT, options.transport),
        given(QUERIES, options.queries),
        given(KEYS, keys),
        made(AddressFiles, { logger: LOGGER }, ({ logger }) => {
          const { ipCountryFile: countries, proxyFile: proxies } = settings;
          return new AddressFiles({ countries, proxies }, logger);
        }),
        made(
          Scorers,
          { metrics: RiskMetrics, clock: CLOCK, logger: LOGGER },
          (parts) => new Scorers({ ...parts, settings: scorerSettings(settings) }),
        ),
        ...assessmentProviders,
        ...authenticationProviders(outside),
      ],
    };
  }
}

/** Rules of merchants, and what they count. */
const assessmentProviders: readonly Provider[] = [
  made(RiskMetrics, { metrics: METRICS }, ({ metrics }) => new RiskMetrics(metrics)),
  made(RuleBook, { pool: Pool }, ({ pool }) => new RuleBook(pool)),
  made(Reviews, { pool: Pool, clocks: SET_CLOCKS }, ({ pool, clocks }) => {
    return new Reviews(pool, clocks);
  }),
  made(
    Outcomes,
    { pool: Pool, logger: LOGGER, clocks: SET_CLOCKS },
    ({ pool, logger, clocks }) => new Outcomes(pool, logger, clocks),
  ),
  made(PayerHashes, { pool: Pool, keys: KEYS }, ({ pool, keys }) => {
    return new PayerHashes(pool, keys.provider);
  }),
  made(ScorerCalls, { pool: Pool, scorers: Scorers }, (parts) => new ScorerCalls(parts)),
  made(
    Assessor,
    {
      ...{ pool: Pool, rules: RuleBook, hashes: PayerHashes },
      ...{ addresses: AddressFiles, scorers: ScorerCalls },
      ...{ keys: KEYS, clock: CLOCK, metrics: RiskMetrics, setClocks: SET_CLOCKS },
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
      ...{ keys: KEYS, metrics: RiskMetrics, outcomes: Outcomes },
      ...{ addresses: AddressFiles, scorers: Scorers, scorerCalls: ScorerCalls },
    },
    (parts) => new AssessmentsLifecycle(parts),
  ),
];

function scorerSettings(settings: RiskSettings): ScorerSettings {
  const { scorersFile: file, simulatorUrl, privateTargets } = settings;
  return { file, simulatorUrl, privateTargets };
}

function databaseOf(settings: RiskSettings): DatabaseUse {
  const { databaseUrl, schema, connectionsMax } = settings;
  return {
    ...{ service: 'risk', calledInLog: "risk's database" },
    ...{ databaseUrl, schema, connectionsMax, isDurable: true },
    prepare: () => ensureMigrated(settings, migrations),
    check: (pool) => pool.query('SELECT FROM rule_sets LIMIT 0'),
  };
}
