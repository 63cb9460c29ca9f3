import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CustomTransportStrategy, MicroserviceOptions } from '@nestjs/microservices';
import {
  DEMO_ACCESS_TOKEN,
  DEMO_ENTITY_ID,
  demoAccounts,
  demoChannel,
  parseSeed,
  type SeedAccount,
} from '@sluice/domain-accounts';
import {
  expectLoss,
  exposePool,
  frameworkLog,
  type HealthChecks,
  type Logger,
  type Metrics,
  ensureMigrated,
  type RunningService,
  type ServiceAddress,
} from '@sluice/service';
import { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import { AccountStore } from './account-store.js';
import { watchAskers } from './accounts-metrics.js';
import { QueriesController } from './queries.controller.js';
import { askerRows, credentialRows, directoryVersionRows, nodeRows } from './rows.js';
import { migrations } from './schema.js';

/** Edges ask every two seconds, and seeding is rare. */
const CONNECTIONS = 2;
/** D-10, as in every service. */
const STATEMENT_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** Where its tables are. */
export interface AccountsDatabase extends ServiceAddress {
  readonly connectionsMax?: number;
}

/** What accounts is started with. */
export interface AccountsStart {
  readonly database: AccountsDatabase;
  /** 32 bytes; the key of credential hashes, which edge has as well (S-AUT-01). */
  readonly credentialKey: Buffer;
  /** Whether seeded channels may record chargebacks over HTTP (D-32). */
  readonly manualChargebacks: boolean;
  /** Where queries arrive, e.g. `bus.transport('accounts')`. */
  readonly transport: CustomTransportStrategy;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Hears when accounts can answer. */
  readonly health?: HealthChecks;
}

/** Accounts at work. */
export interface RunningAccounts extends RunningService {
  /** Creates or replaces nodes; seeding the same again changes nothing. */
  seed(accounts: readonly SeedAccount[]): Promise<void>;
  /** Takes what opens the demo channel away, if there is such a channel. */
  revokeDemo(): Promise<void>;
}

/** PSPs, divisions, merchants, channels, and who may act for them (Interface 5). */
@Module({})
export class AccountsModule {
  /** The channel of every sandbox, and its token as an example prints it. */
  static readonly demo = {
    entityId: DEMO_ENTITY_ID,
    accessToken: DEMO_ACCESS_TOKEN,
    accounts: demoAccounts,
  } as const;

  /** Reads a seed file, for a composition that may import the module alone. */
  static readonly parseSeed = parseSeed;

  /** Migrates if it is given the owner's address, and takes queries. */
  static async start(options: AccountsStart): Promise<RunningAccounts> {
    const { database, credentialKey, manualChargebacks, transport, logger } = options;
    await ensureMigrated(database, migrations);
    const source = await dataSource(database, logger).initialize();
    const store = new AccountStore(source, credentialKey);
    const application = await NestFactory.createMicroservice<MicroserviceOptions>(
      AccountsModule.with(store),
      { strategy: transport, logger: frameworkLog(logger) },
    );
    await application.listen();
    if (options.metrics !== undefined) {
      // TypeORM does not say that its driver's master is a pool of pg, but it is.
      const { master } = source.driver as unknown as { readonly master: Pool };
      exposePool(options.metrics, master);
      watchAskers(options.metrics, store);
    }
    options.health?.readyWhen('database', () => store.directoryVersion());
    let closing: Promise<void> | undefined;
    return {
      seed: (accounts) => store.seed(accounts, { manualChargebacks }),
      revokeDemo: () => store.revoke(demoChannel),
      close: () => (closing ??= application.close().then(() => source.destroy())),
    };
  }

  private static with(store: AccountStore): DynamicModule {
    return {
      module: AccountsModule,
      controllers: [QueriesController],
      providers: [{ provide: AccountStore, useValue: store }],
    };
  }
}

function dataSource(
  { databaseUrl, schema, connectionsMax = CONNECTIONS }: AccountsDatabase,
  logger: Logger,
): DataSource {
  return new DataSource({
    type: 'postgres',
    url: databaseUrl,
    schema,
    entities: [nodeRows, credentialRows, directoryVersionRows, askerRows],
    synchronize: false,
    logging: false,
    poolSize: connectionsMax,
    // Without a listener a restart of the server would end this process.
    poolErrorHandler: (error: Error) =>
      logger.warn({ err: error }, 'A database connection was lost.'),
    extra: {
      application_name: 'sluice-accounts',
      onConnect: expectLoss,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    },
  });
}
