import type { OnApplicationBootstrap, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import {
  maintainKeyPartitions,
  maintainKeyPartitionsHourly,
  type Sweeper,
} from '@sluice/aggregates';
import type { RegistrationStreamState } from '@sluice/domain-registrations';
import type { EventStore } from '@sluice/event-store';
import type { Logger, OpenKeys, RemoteClock } from '@sluice/service';
import type { Database } from '@sluice/service-module';
import type { RegistrationWriter } from './registration-aggregate.js';
import type { RegistrationMetrics } from './registration-metrics.js';
import type { RegistrationWorkflow } from './registration.workflow.js';

/** The parts that begin and end. */
export interface RegistrationsLifecycleParts {
  readonly database: Database;
  readonly clock: RemoteClock;
  readonly store: EventStore;
  readonly writer: RegistrationWriter;
  readonly workflow: Pick<RegistrationWorkflow, 'close'>;
  readonly sweeper: Sweeper<RegistrationStreamState>;
  readonly keys: OpenKeys;
  readonly commandKeys: OpenKeys;
  readonly metrics: RegistrationMetrics;
  readonly logger: Logger;
}

/** What registrations does before its first command and after its last. */
export class RegistrationsLifecycle
  implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown
{
  #maintenance: NodeJS.Timeout | undefined;

  constructor(private readonly parts: RegistrationsLifecycleParts) {}

  /** Nothing is decided before this knows the time. */
  async onModuleInit(): Promise<void> {
    const { database, clock, store, logger } = this.parts;
    await database.whenThere(() => clock.begin());
    await database.whenThere(() => maintainKeyPartitions(store, logger));
  }

  onApplicationBootstrap(): void {
    const { database, store, sweeper, metrics, logger } = this.parts;
    sweeper.start();
    metrics.watchRecovery(database.pool);
    metrics.watchOutbox(() => store.outbox.lag());
    this.#maintenance = maintainKeyPartitionsHourly(store, logger);
  }

  async onApplicationShutdown(): Promise<void> {
    const { clock, writer, workflow, sweeper, keys, commandKeys } = this.parts;
    clearInterval(this.#maintenance);
    workflow.close();
    // Before the sweeper, which would otherwise wait for what the writer repeats until the database
    // is back.
    writer.close();
    await sweeper.stop();
    clock.close();
    keys.close();
    commandKeys.close();
  }
}
