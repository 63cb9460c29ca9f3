import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import type { Events, Queries } from '@sluice/messaging';
import {
  ensureTableSet,
  FedProjections,
  type Projection,
  type RebuildPlaces,
} from '@sluice/projections';
import { ensureMigrated, migrate, type RunningService, withDefaults } from '@sluice/service';
import {
  Database,
  DatabaseModule,
  type DatabaseUse,
  given,
  LOGGER,
  made,
  METRICS,
  ServiceModule,
  type ServiceParts,
  startModule,
  TRANSPORT,
} from '@sluice/service-module';
import { Pool } from 'pg';
import { projections } from './projections.js';
import { transactions } from './projections/transactions.projection.js';
import { QueriesController } from './queries.controller.js';
import { RecordedOwner } from './recorded-owners.js';
import { ReportingLifecycle } from './reporting.lifecycle.js';
import { behindOf, replayedEvents } from './reporting-metrics.js';
import { migrations } from './schema.js';
import { ReportingSettings } from './settings.js';
import { type OwnedRows, TransactionQueries } from './transaction-queries.js';

/** What reporting is started with. */
export interface ReportingOptions extends ServiceParts {
  /** Absent ones have their defaults; `databaseUrl` has none. */
  readonly settings: Partial<ReportingSettings> & Pick<ReportingSettings, 'databaseUrl'>;
  /** Where queries arrive, e.g. `bus.transport('reporting')`. */
  readonly transport: CustomTransportStrategy;
  readonly events: Events;
  /** To ask the owners of events for what topics lost, and to open personal data. */
  readonly queries: Queries;
  /** Absent: all that it has. A spec may be about fewer; `transactions` is always one of them. */
  readonly projections?: readonly Projection[];
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

  /** Migrates if it has the owner's address, feeds the table sets and answers queries. */
  static start(options: ReportingOptions): Promise<RunningService> {
    const settings = withDefaults(ReportingSettings, options.settings);
    return startModule(ReportingModule.of(options, settings), options.logger);
  }

  private static of(options: ReportingOptions, settings: ReportingSettings): DynamicModule {
    const { queries, queryWaitMs, projections: listed = projections } = options;
    return {
      module: ReportingModule,
      imports: [ServiceModule.of(options), DatabaseModule.of(databaseOf(settings, listed))],
      controllers: [QueriesController],
      providers: [
        given(TRANSPORT, options.transport),
        made(FedProjections, { pool: Pool, logger: LOGGER, metrics: METRICS }, (parts) => {
          const { metrics, ...rest } = parts;
          return new FedProjections({
            ...{ ...rest, ...feedingOf(options, settings), projections: listed },
            replayed: ({ name }) => metrics.counter(replayedEvents).of({ projection: name }),
          });
        }),
        made(
          TransactionQueries,
          { pool: Pool, fed: FedProjections, metrics: METRICS },
          ({ pool, fed, metrics }) => {
            const rowsOf = (projection: Projection): OwnedRows => ({
              rows: fed.of(projection).rows,
              owner: new RecordedOwner(queries, projection.owner),
            });
            const others = listed.filter((each) => each !== transactions);
            return new TransactionQueries({
              ...{ pool, owned: [rowsOf(transactions), ...others.map(rowsOf)] },
              behind: behindOf(metrics),
              ...(queryWaitMs !== undefined && { waitMs: queryWaitMs }),
            });
          },
        ),
        made(
          ReportingLifecycle,
          { database: Database, fed: FedProjections, metrics: METRICS },
          (parts) => new ReportingLifecycle(parts),
        ),
      ],
    };
  }
}

function databaseOf(settings: ReportingSettings, listed: readonly Projection[]): DatabaseUse {
  const { databaseUrl, ownerDatabaseUrl: ownerUrl, schema, connectionsMax } = settings;
  return {
    ...{ service: 'reporting', calledInLog: "reporting's database" },
    ...{ databaseUrl, schema, connectionsMax, commitsMayBeLost: true },
    prepare: () =>
      ownerUrl === undefined
        ? ensureMigrated({ databaseUrl, schema }, migrations)
        : ReportingModule.migrate({ ownerUrl, schema, appRole: appRoleOf(settings) }, listed),
  };
}

function feedingOf(options: ReportingOptions, settings: ReportingSettings) {
  const { events, queries, retryDelaysMs, rebuildRetryMs, rebuildChunkEvents } = options;
  const { schema, pollIntervalMs, compareHeadsMs } = settings;
  const rebuild = rebuildPlaces(settings);
  return {
    service: 'reporting' as const,
    ...{ events, queries, schema, pollIntervalMs, compareHeadsMs },
    ...(retryDelaysMs !== undefined && { retryDelaysMs }),
    ...(rebuildRetryMs !== undefined && { rebuildRetryMs }),
    ...(rebuildChunkEvents !== undefined && { chunkEvents: rebuildChunkEvents }),
    ...(rebuild !== undefined && { rebuild }),
  };
}

function appRoleOf({ databaseUrl }: ReportingSettings): string {
  return decodeURIComponent(new URL(databaseUrl).username);
}

/** Tables are made as the owner, and events are read in another service's schema. */
function rebuildPlaces(settings: ReportingSettings): RebuildPlaces | undefined {
  const { ownerDatabaseUrl, schema, eventSourceUrls, eventSourceSchema } = settings;
  const { registrationSourceUrl, registrationSourceSchema } = settings;
  const { scheduleSourceUrl, scheduleSourceSchema } = settings;
  const [url, ...otherCells] = eventSourceUrls ?? [];
  if (ownerDatabaseUrl === undefined) return undefined;
  return {
    target: { url: ownerDatabaseUrl, schema, appRole: appRoleOf(settings) },
    sources: {
      ...(url !== undefined && { payments: { url, schema: eventSourceSchema, otherCells } }),
      ...(registrationSourceUrl !== undefined && {
        registrations: { url: registrationSourceUrl, schema: registrationSourceSchema },
      }),
      ...(scheduleSourceUrl !== undefined && {
        scheduling: { url: scheduleSourceUrl, schema: scheduleSourceSchema },
      }),
    },
  };
}
