import 'reflect-metadata';
import {
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import {
  assertDurable,
  createPool,
  type PoolOptions,
  HealthChecks,
  type Logger,
  type Metrics,
} from '@sluice/service';
import { Pool } from 'pg';
import { made } from './providers.js';
import { LOGGER, METRICS, WAIT_FOR, type WaitFor } from './service.module.js';

/** What a service keeps in its database, and how it uses it. */
export interface DatabaseUse {
  /** As connections and metrics name it. */
  readonly service: string;
  /** Its name in log lines about waiting, e.g. `payments' database`. */
  readonly calledInLog: string;
  /** As the application role. */
  readonly databaseUrl: string;
  readonly schema: string;
  readonly connectionsMax: number;
  /** Brings the schema up to date, or waits until another process has done so (D-56). */
  readonly prepare: () => Promise<unknown>;
  /** Whether what is committed must outlive a crash (R-CRA-03). */
  readonly isDurable?: true;
  /** Whether all of it can be made again, so that a commit need not wait for the disk. */
  readonly commitsMayBeLost?: true;
  /** Rejects if the service could not answer now; absent: only if the server does not answer. */
  readonly check?: (pool: Pool) => Promise<unknown>;
}

/** The service's own database: parts that need it wait until it is available. */
@Injectable()
export class Database {
  constructor(
    private readonly use: DatabaseUse,
    readonly pool: Pool,
    private readonly wait: WaitFor,
  ) {}

  /** Repeats a step of the start while the database is unavailable. */
  whenThere<Result>(attempt: () => Promise<Result>): Promise<Result> {
    return this.wait(this.use.calledInLog, attempt);
  }

  /** Resolves when the schema exists, in a server that keeps what it has acknowledged. */
  prepared(): Promise<void> {
    return this.whenThere(async () => {
      await this.use.prepare();
      if (this.use.isDurable === true) await assertDurable(this.pool);
    });
  }

  /** Rejects if the service could not answer now. */
  check(): Promise<unknown> {
    return this.use.check?.(this.pool) ?? this.pool.query('SELECT 1');
  }
}

/**
 * The pool of a service. It is ready before the modules that import this one begin, and ends after
 * them: Nest starts imported modules first and ends them last.
 */
@Module({})
export class DatabaseModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  static of(use: DatabaseUse): DynamicModule {
    const { service, databaseUrl, schema, connectionsMax, commitsMayBeLost } = use;
    const connections = { service, schema, connectionsMax, commitsMayBeLost };
    const providers = [
      made(Pool, { logger: LOGGER, metrics: METRICS }, ({ logger, metrics }) =>
        poolFor(databaseUrl, connections, logger, metrics),
      ),
      made(
        Database,
        { pool: Pool, wait: WAIT_FOR },
        (parts) => new Database(use, parts.pool, parts.wait),
      ),
    ];
    return { module: DatabaseModule, providers, exports: [Pool, Database] };
  }

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(HealthChecks) private readonly health: HealthChecks,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.database.prepared();
  }

  onApplicationBootstrap(): void {
    this.health.readyWhen('database', () => this.database.check());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.pool.end();
  }
}

type Connections = Pick<PoolOptions, 'service' | 'schema' | 'connectionsMax' | 'commitsMayBeLost'>;

function poolFor(url: string, connections: Connections, logger: Logger, metrics: Metrics): Pool {
  return createPool(url, {
    ...{ ...connections, metrics },
    onError: (error) => logger.warn({ err: error }, 'A database connection was lost.'),
  });
}
