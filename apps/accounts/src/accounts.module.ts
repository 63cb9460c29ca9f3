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
  SettingsError,
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
import { AccountNodes } from './account-nodes.js';
import { AccountTree } from './account-tree.js';
import { watchAskers } from './accounts-metrics.js';
import { Askers } from './askers.js';
import { QueriesController } from './queries.controller.js';
import { RoutingRefused } from './routing-changes.js';
import { migrations } from './schema.js';

/** Edge and payments ask every two seconds, and seeding is rare. */
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
  /**
   * Creates or replaces nodes; seeding the same again changes nothing.
   * @throws SettingsError for merchant accounts or routes that cannot be as they are said
   */
  seed(accounts: readonly SeedAccount[]): Promise<void>;
  /** Revokes the credentials of the demo channel, and takes its routes away, if there is one. */
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
      seed: (accounts) => tree.seed(accounts, { manualChargebacks }).catch(asSettingsError),
      revokeDemo: async () => {
        await tree.revoke(demoChannel);
        await tree.removeRouting(demoAccounts);
      },
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
        made(AccountNodes, { store: EventStore, clock: CLOCK }, (parts) => new AccountNodes(parts)),
        made(AccountTree, { nodes: AccountNodes }, (parts) => {
          return new AccountTree({ ...parts, credentialKey: options.credentialKey });
        }),
        made(Askers, { pool: Pool }, ({ pool }) => new Askers(pool)),
      ],
    };
  }

  constructor(
    private readonly nodes: AccountNodes,
    private readonly askers: Askers,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    watchAskers(this.metrics, this.askers);
  }

  onApplicationShutdown(): void {
    this.nodes.close();
  }
}

/** What a seed says of routing is a setting of the installation. */
function asSettingsError(error: unknown): never {
  if (!(error instanceof RoutingRefused)) throw error;
  throw new SettingsError(`The seed is refused: ${error.message}.`, { cause: error });
}
