import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CustomTransportStrategy, MicroserviceOptions } from '@nestjs/microservices';
import type { Events, Queries } from '@sluice/messaging';
import { ensureTableSet } from '@sluice/projections';
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
import { Feeding } from './feeding.js';
import { QueriedPayments } from './payment-source.js';
import { transactions } from './projections/transactions.projection.js';
import { QueriesController } from './queries.controller.js';
import type { RebuildMeans } from './rebuilding.js';
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
  /** To ask payments for what the topic lost, and to open personal data. */
  readonly queries: Queries;
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
  /** The projections, for the tools that rebuild and compare them. */
  static readonly projections = [transactions] as const;

  /** Brings the schema up to date and makes each projection's first table set. */
  static async migrate({ ownerUrl, schema, appRole }: ReportingTarget): Promise<number> {
    const steps = await migrate({
      url: ownerUrl,
      schema,
      migrations: migrations({ schema, appRole }),
      appRole,
    });
    for (const projection of ReportingModule.projections) {
      await ensureTableSet({ url: ownerUrl, schema, appRole }, projection);
    }
    return steps;
  }

  /** Migrates if it is given the owner's address, feeds the table sets and answers queries. */
  static async start(options: ReportingOptions): Promise<RunningService> {
    const settings = withDefaults(ReportingSettings, options.settings);
    const { logger, events, queries, transport, retryDelaysMs, health } = options;
    const { rebuildRetryMs, rebuildChunkEvents: chunkEvents } = options;
    const { databaseUrl, ownerDatabaseUrl, schema, pollIntervalMs, compareHeadsMs } = settings;
    const appRole = decodeURIComponent(new URL(databaseUrl).username);
    if (ownerDatabaseUrl === undefined) {
      await ensureMigrated({ databaseUrl, schema }, migrations);
    } else {
      await ReportingModule.migrate({ ownerUrl: ownerDatabaseUrl, schema, appRole });
    }
    const rebuild = rebuildMeans(settings, appRole);
    const pool = createPool(databaseUrl, {
      service: 'reporting',
      schema,
      connectionsMax: settings.connectionsMax,
      metrics: options.metrics,
      onError: (error) => logger.warn({ err: error }, 'A database connection was lost.'),
    });
    const payments = new QueriedPayments(queries);
    const metrics = options.metrics ?? noMetrics;
    const feeding = new Feeding({
      ...{ pool, schema, projection: transactions, payments },
      ...{ events, logger, pollIntervalMs, compareHeadsMs },
      ...(retryDelaysMs !== undefined && { retryDelaysMs }),
      ...(rebuildRetryMs !== undefined && { rebuildRetryMs }),
      ...(chunkEvents !== undefined && { chunkEvents }),
      ...(rebuild !== undefined && { rebuild }),
      replayed: metrics.counter(replayedEvents).of({ projection: transactions.name }),
    });
    try {
      await feeding.start();
      const application = await NestFactory.createMicroservice<MicroserviceOptions>(
        moduleOf(
          new TransactionQueries({
            ...{ pool, tables: feeding, payments, queries },
            progress: { pool, schema, projection: transactions, payments, compareHeadsMs },
            behind: behindOf(metrics),
            ...(options.queryWaitMs !== undefined && { waitMs: options.queryWaitMs }),
          }),
        ),
        { strategy: transport, logger: frameworkLog(logger), abortOnError: false },
      );
      await application.listen();
      if (options.metrics !== undefined) watchFeeding(options.metrics, pool, feeding);
      health?.readyWhen('database', () => pool.query('SELECT 1'));
      let closing: Promise<void> | undefined;
      const close = async (): Promise<void> => {
        await application.close();
        await feeding.close();
        await pool.end();
      };
      return { close: () => (closing ??= close()) };
    } catch (error) {
      await feeding.close();
      await pool.end();
      throw error;
    }
  }
}

/** Tables are made as the owner, and events are read in another service's schema. */
function rebuildMeans(settings: ReportingSettings, appRole: string): RebuildMeans | undefined {
  const { ownerDatabaseUrl, schema, eventSourceUrl, eventSourceSchema } = settings;
  if (ownerDatabaseUrl === undefined || eventSourceUrl === undefined) return undefined;
  return {
    target: { url: ownerDatabaseUrl, schema, appRole },
    source: { url: eventSourceUrl, schema: eventSourceSchema },
  };
}

function moduleOf(queries: TransactionQueries): DynamicModule {
  return {
    module: ReportingModule,
    controllers: [QueriesController],
    providers: [{ provide: TransactionQueries, useValue: queries }],
  };
}
