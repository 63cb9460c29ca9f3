import type { OnApplicationBootstrap, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import {
  maintainKeyPartitions,
  maintainKeyPartitionsHourly,
  type Sweeper,
} from '@sluice/aggregates';
import type { CheckoutState } from '@sluice/domain-checkouts';
import type { EventStore } from '@sluice/event-store';
import type { Logger, OpenKeys, RemoteClock } from '@sluice/service';
import type { Database } from '@sluice/service-module';
import type { CheckoutWriter } from './checkout-aggregate.js';
import type { CheckoutMetrics } from './checkout-metrics.js';
import type { ResultCalls } from './result-calls.js';

/** The parts that begin and end. */
export interface CheckoutsLifecycleParts {
  readonly database: Database;
  readonly clock: RemoteClock;
  readonly store: EventStore;
  readonly writer: CheckoutWriter;
  readonly sweeper: Sweeper<CheckoutState>;
  readonly calls: ResultCalls;
  readonly metrics: CheckoutMetrics;
  readonly keys: OpenKeys;
  readonly commandKeys: OpenKeys;
  readonly logger: Logger;
}

/** What checkouts does before its first command and after its last. */
export class CheckoutsLifecycle
  implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown
{
  #maintenance: NodeJS.Timeout | undefined;

  constructor(private readonly parts: CheckoutsLifecycleParts) {}

  /** Nothing is decided before this knows the time. */
  async onModuleInit(): Promise<void> {
    const { database, clock, store, logger } = this.parts;
    await database.whenThere(() => clock.begin());
    await database.whenThere(() => maintainKeyPartitions(store, logger));
  }

  onApplicationBootstrap(): void {
    const { store, sweeper, database, metrics, logger } = this.parts;
    metrics.watchRecovery(database.pool);
    sweeper.start();
    this.#maintenance = maintainKeyPartitionsHourly(store, logger);
  }

  async onApplicationShutdown(): Promise<void> {
    const { clock, writer, sweeper, calls, keys, commandKeys } = this.parts;
    clearInterval(this.#maintenance);
    // Before the sweeper, which would otherwise wait for what the writer repeats until the database
    // is back.
    writer.close();
    await sweeper.stop();
    await calls.ended();
    clock.close();
    keys.close();
    commandKeys.close();
  }
}
