import 'reflect-metadata';
import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { CustomTransportStrategy } from '@nestjs/microservices';
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
  ensureMigrated,
  type Metrics,
  type RunningService,
  type ServiceAddress,
} from '@sluice/service';
import {
  CLOCK,
  DatabaseModule,
  type DatabaseUse,
  given,
  made,
  METRICS,
  ServiceModule,
  type ServiceParts,
  startModule,
  TRANSPORT,
} from '@sluice/service-module';
import { Pool } from 'pg';
import { AccountTree } from './account-tree.js';
import { watchAskers } from './accounts-metrics.js';
import { Askers } from './askers.js';
import { QueriesController } from './queries.controller.js';
import { migrations } from './schema.js';

/** Edges ask every two seconds, and seeding is rare. */
const CONNECTIONS = 2;

/** Where the tables of accounts are. */
export interface AccountsDatabase extends ServiceAddress {
  readonly connectionsMax?: number;
}

/** What accounts is started with. */
export interface AccountsStart extends ServiceParts {
  readonly database: AccountsDatabase;
  /** 32 bytes; the key of credential hashes, which edge has too (S-AUT-01). */
  readonly credentialKey: Buffer;
  /** Whether seeded channels may record chargebacks over HTTP (D-32). */
  readonly manualChargebacks: boolean;
  /** Where queries arrive, e.g. `bus.transport('accounts')`. */
  readonly transport: CustomTransportStrategy;
}

/** Accounts at work. */
export interface RunningAccounts extends RunningService {
  /** Creates or replaces nodes; seeding the same again changes nothing. */
  seed(accounts: readonly SeedAccount[]): Promise<void>;
  /** Revokes the credentials of the demo channel, if there is one. */
  revokeDemo(): Promise<void>;
}

/** PSPs, divisions, merchants, channels, and who may act for them (Interface 5). */
@Module({})
export class AccountsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  /** The channel of every sandbox, and its token as an example prints it. */
  static readonly demo = {
    entityId: DEMO_ENTITY_ID,
    accessToken: DEMO_ACCESS_TOKEN,
    accounts: demoAccounts,
  } as const;

  /** Reads a seed file; for a composition, which may import nothing but the module. */
  static readonly parseSeed = parseSeed;

  /** Migrates if it is given the owner's address, and takes queries. */
  static async start(options: AccountsStart): Promise<RunningAccounts> {
    const { manualChargebacks, logger } = options;
    const running = await startModule(AccountsModule.of(options), logger);
    const tree = running.get(AccountTree);
    return {
      seed: (accounts) => tree.seed(accounts, { manualChargebacks }),
      revokeDemo: () => tree.revoke(demoChannel),
      close: () => running.close(),
    };
  }

  private static of({ database, ...options }: AccountsStart): DynamicModule {
    const { connectionsMax = CONNECTIONS, schema } = database;
    const use: DatabaseUse = {
      ...{ service: 'accounts', calledInLog: "the accounts' database", schema, connectionsMax },
      databaseUrl: database.databaseUrl,
      prepare: () => ensureMigrated(database, migrations),
    };
    return {
      module: AccountsModule,
      imports: [ServiceModule.of(options), DatabaseModule.of(use)],
      controllers: [QueriesController],
      providers: [
        given(TRANSPORT, options.transport),
        made(EventStore, { pool: Pool }, ({ pool }) => new EventStore(pool, { schema })),
        made(AccountTree, { store: EventStore, clock: CLOCK }, (parts) => {
          return new AccountTree({ ...parts, credentialKey: options.credentialKey });
        }),
        made(Askers, { pool: Pool }, ({ pool }) => new Askers(pool)),
      ],
    };
  }

  constructor(
    private readonly tree: AccountTree,
    private readonly askers: Askers,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    watchAskers(this.metrics, this.askers);
  }

  onApplicationShutdown(): void {
    this.tree.close();
  }
}
