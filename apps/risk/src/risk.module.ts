import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import { EventStore } from '@sluice/event-store';
import type { Queries } from '@sluice/messaging';
import {
  ensureMigrated,
  type KeyProvider,
  type OpenKeys,
  openKeys,
  type RunningService,
  withDefaults,
} from '@sluice/service';
import {
  DatabaseModule,
  type DatabaseUse,
  given,
  made,
  ServiceModule,
  type ServiceParts,
  startModule,
  type Token,
  token,
  TRANSPORT,
} from '@sluice/service-module';
import { Pool } from 'pg';
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

const QUERIES: Token<Queries> = token('queries');
const KEYS: Token<OpenKeys> = token('keys');

/** The rules of merchants, and the authentication of shoppers by 3-D Secure, before money moves. */
@Module({})
export class RiskModule {
  /**
   * Migrates if it is given the owner's address, and takes queries. Throws an error with a readable
   * message if settings, key file or database cannot be used.
   */
  static async start(options: RiskOptions): Promise<RunningService> {
    const settings = withDefaults(RiskSettings, options.settings);
    const { keyProvider, logger } = options;
    const { keyFile } = settings;
    const keys = await openKeys({ keyProvider, keyFile, variable: 'RISK_KEY_FILE' }, logger);
    const running = await startModule(RiskModule.of(options, settings, keys), logger);
    return { close: () => running.close() };
  }

  private static of(options: RiskOptions, settings: RiskSettings, keys: OpenKeys): DynamicModule {
    const { schema } = settings;
    return {
      module: RiskModule,
      imports: [ServiceModule.of(options), DatabaseModule.of(databaseOf(settings))],
      controllers: [AssessmentsController],
      providers: [
        given(TRANSPORT, options.transport),
        given(QUERIES, options.queries),
        given(KEYS, keys),
        made(EventStore, { pool: Pool }, ({ pool }) => new EventStore(pool, { schema })),
      ],
    };
  }
}

function databaseOf(settings: RiskSettings): DatabaseUse {
  const { databaseUrl, schema, connectionsMax } = settings;
  return {
    ...{ service: 'risk', calledInLog: "risk's database" },
    ...{ databaseUrl, schema, connectionsMax, isDurable: true },
    prepare: () => ensureMigrated(settings, migrations),
  };
}
