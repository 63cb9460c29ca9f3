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
import { EventStore } from '@sluice/event-store';
import {
  createPool,
  ensureMigrated,
  frameworkLog,
  type HealthChecks,
  type Logger,
  type Metrics,
  type RunningService,
  type ServiceAddress,
  systemClock,
} from '@sluice/service';
import { AccountTree } from './account-tree.js';
import { watchAskers } from './accounts-metrics.js';
import { Askers } from './askers.js';
import { QueriesController } from './queries.controller.js';
import { migrations } from './schema.js';

/** Edges ask every two seconds, and seeding is rare. */
const CONNECTIONS = 2;

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
    const { databaseUrl, schema, connectionsMax = CONNECTIONS } = database;
    const pool = createPool(databaseUrl, {
      ...{ service: 'accounts', schema, connectionsMax, metrics: options.metrics },
      onError: (error) => logger.warn({ err: error }, 'A database connection was lost.'),
    });
    const store = new EventStore(pool, { schema });
    const tree = new AccountTree({ store, credentialKey, clock: systemClock });
    const askers = new Askers(pool);
    try {
      const application = await NestFactory.createMicroservice<MicroserviceOptions>(
        AccountsModule.with(tree, askers),
        { strategy: transport, logger: frameworkLog(logger), abortOnError: false },
      );
      await application.listen();
      if (options.metrics !== undefined) watchAskers(options.metrics, askers);
      options.health?.readyWhen('database', () => store.incarnation());
      let closing: Promise<void> | undefined;
      const close = async (): Promise<void> => {
        await application.close();
        tree.close();
        await pool.end();
      };
      return {
        seed: (accounts) => tree.seed(accounts, { manualChargebacks }),
        revokeDemo: () => tree.revoke(demoChannel),
        close: () => (closing ??= close()),
      };
    } catch (error) {
      await pool.end();
      throw error;
    }
  }

  private static with(tree: AccountTree, askers: Askers): DynamicModule {
    return {
      module: AccountsModule,
      controllers: [QueriesController],
      providers: [
        { provide: AccountTree, useValue: tree },
        { provide: Askers, useValue: askers },
      ],
    };
  }
}
