import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CustomTransportStrategy, MicroserviceOptions } from '@nestjs/microservices';
import {
  DEMO_ACCESS_TOKEN,
  DEMO_ENTITY_ID,
  demoChannel,
  parseSeed,
  type SeedChannel,
} from '@sluice/domain-accounts';
import { type Logger, migrate, type RunningService, type ServiceDatabase } from '@sluice/service';
import { DataSource } from 'typeorm';
import { AccountStore } from './account-store.js';
import { QueriesController } from './queries.controller.js';
import { credentialRows, directoryVersionRows, nodeRows } from './rows.js';
import { migrations } from './schema.js';

/** Edges ask every two seconds, and seeding is rare. */
const CONNECTIONS_MAX = 2;
/** D-10, as in every service. */
const STATEMENT_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** What accounts is started with. */
export interface AccountsStart {
  readonly database: ServiceDatabase;
  /** 32 bytes; the key of credential hashes, which edge has as well (S-AUT-01). */
  readonly credentialKey: Buffer;
  /** Whether seeded channels may record chargebacks over HTTP (D-32). */
  readonly manualChargebacks: boolean;
  /** Where queries arrive, e.g. `bus.transport('accounts')`. */
  readonly transport: CustomTransportStrategy;
  readonly logger: Logger;
}

/** Accounts at work. */
export interface RunningAccounts extends RunningService {
  /** Creates or replaces channels; seeding the same again changes nothing. */
  seed(channels: readonly SeedChannel[]): Promise<void>;
}

/** PSPs, divisions, merchants, channels, and who may act for them (Interface 5). */
@Module({})
export class AccountsModule {
  /** The channel of every sandbox, and its token as an example prints it. */
  static readonly demo = {
    entityId: DEMO_ENTITY_ID,
    accessToken: DEMO_ACCESS_TOKEN,
    channel: demoChannel,
  } as const;

  /** Reads a seed file, for a composition that may import the module alone. */
  static readonly parseSeed = parseSeed;

  /** Brings the schema up to date and takes queries. */
  static async start(options: AccountsStart): Promise<RunningAccounts> {
    const { database, credentialKey, manualChargebacks, transport, logger } = options;
    const { schema, ownerUrl } = database;
    await migrate({ url: ownerUrl, schema, migrations: migrations(database) });
    const source = await dataSource(database, logger).initialize();
    const store = new AccountStore(source, credentialKey);
    const application = await NestFactory.createMicroservice<MicroserviceOptions>(
      AccountsModule.with(store),
      { strategy: transport, logger: false },
    );
    await application.listen();
    let closing: Promise<void> | undefined;
    return {
      seed: (channels) => store.seed(channels, { manualChargebacks }),
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

function dataSource({ appUrl, schema }: ServiceDatabase, logger: Logger): DataSource {
  return new DataSource({
    type: 'postgres',
    url: appUrl,
    schema,
    entities: [nodeRows, credentialRows, directoryVersionRows],
    synchronize: false,
    logging: false,
    poolSize: CONNECTIONS_MAX,
    // Without a listener a restart of the server would end this process.
    poolErrorHandler: (error: Error) =>
      logger.warn({ err: error }, 'A database connection was lost.'),
    extra: {
      application_name: 'sluice-accounts',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    },
  });
}
