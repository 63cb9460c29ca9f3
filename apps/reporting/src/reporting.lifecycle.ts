import type { OnApplicationBootstrap, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { FedProjections } from '@sluice/projections';
import type { Metrics } from '@sluice/service';
import type { Database } from '@sluice/service-module';
import { watchFeeding } from './reporting-metrics.js';

/** The parts that begin and end. */
export interface ReportingLifecycleParts {
  readonly database: Database;
  readonly fed: FedProjections;
  readonly metrics: Metrics;
}

/** Starts reporting before its first query, and ends it after its last. */
export class ReportingLifecycle
  implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown
{
  constructor(private readonly parts: ReportingLifecycleParts) {}

  /** What is projected can be read from the first query on. */
  async onModuleInit(): Promise<void> {
    const { database, fed } = this.parts;
    await database.whenThere(() => fed.start());
  }

  onApplicationBootstrap(): void {
    const { database, fed, metrics } = this.parts;
    watchFeeding(metrics, database.pool, fed.all);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.parts.fed.close();
  }
}
