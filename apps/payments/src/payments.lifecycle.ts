import type { OnApplicationBootstrap, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import {
  maintainKeyPartitions,
  maintainKeyPartitionsHourly,
  type Sweeper,
} from '@sluice/aggregates';
import type { PaymentState } from '@sluice/domain-payments';
import type { EventStore } from '@sluice/event-store';
import {
  DependencyMissing,
  type HealthChecks,
  type Logger,
  type OpenKeys,
  type RemoteClock,
  SettingsError,
} from '@sluice/service';
import type { Database } from '@sluice/service-module';
import type { Pool } from 'pg';
import type { Connectors } from './connectors.js';
import type { LiveRoutes } from './live-routes.js';
import type { PaymentWriter } from './payment-aggregate.js';
import type { PaymentMetrics } from './payment-metrics.js';
import type { RiskQuestions } from './risk-questions.js';

/** The parts that begin and end. */
export interface PaymentsLifecycleParts {
  readonly database: Database;
  readonly clock: RemoteClock;
  readonly store: EventStore;
  readonly writer: PaymentWriter;
  readonly sweeper: Sweeper<PaymentState>;
  readonly connectors: Connectors;
  readonly routes: LiveRoutes;
  readonly questions: RiskQuestions;
  readonly health: HealthChecks;
  readonly keys: OpenKeys;
  readonly commandKeys: OpenKeys;
  readonly metrics: PaymentMetrics;
  readonly logger: Logger;
  /** How long a call is left to the process that made it. */
  readonly leaseMs: number;
  /** The cell that the database must be (page 0047). */
  readonly cell: number;
}

/** What payments does before its first command and after its last. */
export class PaymentsLifecycle
  implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown
{
  #openAtStart = 0;
  #maintenance: NodeJS.Timeout | undefined;

  constructor(private readonly parts: PaymentsLifecycleParts) {}

  /** Requests without a final outcome that were found at start and will be recovered. */
  get openAtStart(): number {
    return this.#openAtStart;
  }

  /** Nothing is decided before this knows the time and what an earlier process left open. */
  async onModuleInit(): Promise<void> {
    const { database, clock, store, routes, questions, health, logger } = this.parts;
    // A roll-out stops at an instance that cannot ask accounts: it would refuse every new payment.
    health.readyWhen('routes', () => routesKnown(routes));
    health.readyWhen('risk', () => rulesKnown(questions));
    await Promise.all([database.whenThere(() => clock.begin()), routes.start(), questions.start()]);
    await database.whenThere(() => assertCell(store, this.parts.cell));
    await database.whenThere(() => maintainKeyPartitions(store, logger));
    this.#openAtStart = await database.whenThere(() => countOpen(database.pool));
    if (this.#openAtStart === 0) return;
    const fields = { openAtStart: this.#openAtStart };
    logger.info(fields, 'Payments without a final outcome are being recovered.');
  }

  onApplicationBootstrap(): void {
    const { database, store, sweeper, connectors, metrics, logger, leaseMs } = this.parts;
    sweeper.start();
    metrics.watchConnectors(connectors);
    metrics.watchRecovery(database.pool, leaseMs);
    metrics.watchOutbox(() => store.outbox.lag());
    this.#maintenance = maintainKeyPartitionsHourly(store, logger);
  }

  async onApplicationShutdown(): Promise<void> {
    const { clock, writer, sweeper, connectors, routes, questions, keys, commandKeys } = this.parts;
    clearInterval(this.#maintenance);
    routes.close();
    questions.close();
    // Before the sweeper, which would otherwise wait for what the writer repeats until the database
    // is back.
    writer.close();
    await sweeper.stop();
    clock.close();
    await connectors.close();
    keys.close();
    commandKeys.close();
  }
}

function routesKnown({ index }: LiveRoutes): Promise<void> {
  if (index !== undefined) return Promise.resolve();
  return Promise.reject(new DependencyMissing('Accounts has not said yet which routes there are.'));
}

function rulesKnown({ isKnown }: RiskQuestions): Promise<void> {
  if (isKnown) return Promise.resolve();
  return Promise.reject(new DependencyMissing('Risk has not said yet which channels have rules.'));
}

/** In the database of another cell, commands of this one would all be refused. */
async function assertCell(store: EventStore, wanted: number): Promise<void> {
  const { cell } = await store.carriedShards();
  if (cell === wanted) return;
  throw new SettingsError(
    `The database is cell ${cell}'s, and PAYMENTS_CELL says ${wanted}: give it the address of its own.`,
  );
}

/** Streams with a due time are exactly those that recovery has to look at. */
async function countOpen(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ open: string }>(
    'SELECT count(*) AS open FROM streams WHERE due_at IS NOT NULL',
  );
  return Number(rows[0]?.open ?? 0);
}
