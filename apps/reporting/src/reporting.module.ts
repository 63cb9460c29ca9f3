import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CustomTransportStrategy, MicroserviceOptions } from '@nestjs/microservices';
import type { Events, Queries } from '@sluice/messaging';
import {
  ensureTableSet,
  FedProjections,
  type Projection,
  type RebuildPlaces,
} from '@sluice/projections';
import {
  createPool,
  frameworkLog,
  type HealthChecks,
  type Logger,
  type Metrics,
  ensureMigrated,
  migrate,
  noMetrics,
  type RunningService,
  withDefaults,
} from '@sluice/service';
import { PaymentQueries } from './payment-queries.js';
import { projections } from './projections.js';
import { transactions } from './projections/transactions.projection.js';
import { QueriesController } from './queries.controller.js';
import { behindOf, replayedEvents, watchFeeding } from './reporting-metrics.js';
import { migrations } from './schema.js';
import { ReportingSettings } from './settings.js';
import { TransactionQueries } from './transaction-queries.js';

/** What reporting is started with. */
export interface ReportingOptions {
  /** Absent ones have their defaults; `databaseUrl` has none. */
  readonly settings: Partial<ReportingSettings> & Pick<ReportingSettings, 'databaseUrl'>;
  /** Where queries arrive, e.g. `bus.transport('reporting')`. */
  readonly transport: CustomTransportStrategy;
  readonly events: Events;
  /** To ask the owners of events for what topics lost, and to open personal data. */
  readonly queries: Queries;
  /** Absent: all that it has. A spec may be about fewer; `transactions` is always one of them. */
  readonly projections?: readonly Projection[];
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Hears when reporting can answer. */
  readonly health?: HealthChecks;
  /** See Feeder. */
  readonly retryDelaysMs?: readonly number[];
  /** See Rebuilding. */
  readonly rebuildRetryMs?: number;
  readonly rebuildChunkEvents?: number;
  /** See TransactionQueries. */
  readonly queryWaitMs?: number;
}

/** Where the owner's tables of reporting are made. */
export interface ReportingTarget {
  readonly ownerUrl: string;
  readonly schema: string;
  readonly appRole: string;
}

/** Read models made of published events, and the queries that they answer. */
@Module({})
export class ReportingModule {
  /** Brings the schema up to date and makes each projection's first table set. */
  static async migrate(
    { ownerUrl, schema, appRole }: ReportingTarget,
    listed: readonly Projection[] = projections,
  ): Promise<number> {
    const steps = await migrate({
      url: ownerUrl,
      schema,
      migrations: migrations({ schema, appRole }),
      appRole,
    });
    for (const projection of listed) {
      await ensureTableSet({ url: ownerUrl, schema, appRole }, projection);
    }
    return steps;
  }

  /** Migrates if it is given the owner's address, feeds the table sets and answers queries. */
  static async start(options: ReportingOptions): Promise<RunningService> {
    const settings = withDefaults(ReportingSettings, options.settings);
    const { logger, events, queries, transport, retryDelaysMs, health } = options;
    const { rebuildRetryMs, rebuildChunkEvents: chunkEvents } = options;
    const { projections: listed = projections } = options;
    const { databaseUrl, ownerDatabaseUrl, schema, pollIntervalMs, compareHeadsMs } = settings;
    const appRole = decodeURIComponent(new URL(databaseUrl).username);
    if (ownerDatabaseUrl === undefined) {
      await ensureMigrated({ databaseUrl, schema }, migrations);
    } else {
      await ReportingModule.migrate({ ownerUrl: ownerDatabaseUrl, schema, appRole }, listed);
    }
    const rebuild = rebuildPlaces(settings, appRole);
    const pool = createPool(databaseUrl, {
      service: 'reporting',
      schema,
      connectionsMax: settings.connectionsMax,
      metrics: options.metrics,
      onError: (error) => logger.warn({ err: error }, 'A database connection was lost.'),
    });
    const metrics = options.metrics ?? noMetrics;
    const fed = new FedProjections({
      ...{ pool, schema, projections: listed, events, queries, logger },
      ...{ pollIntervalMs, compareHeadsMs },
      ...(retryDelaysMs !== undefined && { retryDelaysMs }),
      ...(rebuildRetryMs !== undefined && { rebuildRetryMs }),
      ...(chunkEvents !== undefined && { chunkEvents }),
      ...(rebuild !== undefined && { rebuild }),
      replayed: ({ name }) => metrics.counter(replayedEvents).of({ projection: name }),
    });
    try {
      await fed.start();
      const application = await NestFactory.createMicroservice<MicroserviceOptions>(
        moduleOf(
          new TransactionQueries({
            ...{ pool, queries, payments: new PaymentQueries(queries) },
            rows: fed.of(transactions).rows,
            behind: behindOf(metrics),
            ...(options.queryWaitMs !== undefined && { waitMs: options.queryWaitMs }),
          }),
        ),
        { strategy: transport, logger: frameworkLog(logger), abortOnError: false },
      );
      await application.listen();
      if (options.metrics !== undefined) watchFeeding(options.metrics, pool, fed.all);
      health?.readyWhen('database', () => pool.query('SELECT 1'));
      let closing: Promise<void> | undefined;
      const close = async (): Promise<void> => {
        await application.close();
        await fed.close();
        await pool.end();
      };
      return { close: () => (closing ??= close()) };
    } catch (error) {
      await fed.close();
      await pool.end();
      throw error;
    }
  }
}

/** Tables are made as the owner, and events are read in another service's schema. */
function rebuildPlaces(settings: ReportingSettings, appRole: string): RebuildPlaces | undefined {
  const { ownerDatabaseUrl, schema, eventSourceUrl, eventSourceSchema } = settings;
  if (ownerDatabaseUrl === undefined || eventSourceUrl === undefined) return undefined;
  return {
    target: { url: ownerDatabaseUrl, schema, appRole },
    sources: { payments: { url: eventSourceUrl, schema: eventSourceSchema } },
  };
}

function moduleOf(queries: TransactionQueries): DynamicModule {
  return {
    module: ReportingModule,
    controllers: [QueriesController],
    providers: [{ provide: TransactionQueries, useValue: queries }],
  };
}
