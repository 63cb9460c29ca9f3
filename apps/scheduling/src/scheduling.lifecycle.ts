import type { OnApplicationBootstrap, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import {
  maintainKeyPartitions,
  maintainKeyPartitionsHourly,
  type Sweeper,
} from '@sluice/aggregates';
import type { ScheduleStreamState } from '@sluice/domain-scheduling';
import type { EventStore } from '@sluice/event-store';
import type { Logger, OpenKeys, RemoteClock } from '@sluice/service';
import type { Database } from '@sluice/service-module';
import type { ScheduleWriter } from './schedule-aggregate.js';
import type { SchedulingMetrics } from './scheduling-metrics.js';

/** The parts that begin and end. */
export interface SchedulingLifecycleParts {
  readonly database: Database;
  readonly clock: RemoteClock;
  readonly store: EventStore;
  readonly writer: ScheduleWriter;
  readonly sweeper: Sweeper<ScheduleStreamState>;
  readonly keys: OpenKeys;
  readonly commandKeys: OpenKeys;
  readonly metrics: SchedulingMetrics;
  readonly logger: Logger;
}

/** What scheduling does before its first command and after its last. */
export class SchedulingLifecycle
  implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown
{
  #maintenance: NodeJS.Timeout | undefined;

  constructor(private readonly parts: SchedulingLifecycleParts) {}

  /** Nothing is decided before this knows the time. */
  async onModuleInit(): Promise<void> {
    const { database, clock, store, logger } = this.parts;
    await database.whenThere(() => clock.begin());
    await database.whenThere(() => maintainKeyPartitions(store, logger));
  }

  onApplicationBootstrap(): void {
    const { database, store, sweeper, metrics, logger } = this.parts;
    sweeper.start();
    metrics.watchDue(database.pool);
    metrics.watchOutbox(() => store.outbox.lag());
    this.#maintenance = maintainKeyPartitionsHourly(store, logger);
  }

  async onApplicationShutdown(): Promise<void> {
    const { clock, writer, sweeper, keys, commandKeys } = this.parts;
    clearInterval(this.#maintenance);
    // Before the sweeper, which would otherwise wait for what the writer repeats until the database
    // is back.
    writer.close();
    await sweeper.stop();
    clock.close();
    keys.close();
    commandKeys.close();
  }
}
