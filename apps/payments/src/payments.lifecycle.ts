import type { OnApplicationBootstrap, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { Sweeper } from '@sluice/aggregates';
import type { PaymentState } from '@sluice/domain-payments';
import type { EventStore } from '@sluice/event-store';
import { type Logger, type OpenKeys, type RemoteClock, SettingsError } from '@sluice/service';
import type { Database } from '@sluice/service-module';
import type { Pool } from 'pg';
import type { Connectors } from './connectors.js';
import type { PaymentWriter } from './payment-aggregate.js';
import type { PaymentMetrics } from './payment-metrics.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The parts that begin and end. */
export interface PaymentsLifecycleParts {
  readonly database: Database;
  readonly clock: RemoteClock;
  readonly store: EventStore;
  readonly writer: PaymentWriter;
  readonly sweeper: Sweeper<PaymentState>;
  readonly connectors: Connectors;
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
    const { database, clock, store, logger } = this.parts;
    await database.whenThere(() => clock.begin());
    await database.whenThere(() => assertCell(store, this.parts.cell));
    await database.whenThere(() => maintainPartitions(store, logger));
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
    this.#maintenance = maintainHourly(store, logger);
  }

  async onApplicationShutdown(): Promise<void> {
    const { clock, writer, sweeper, connectors, keys, commandKeys } = this.parts;
    clearInterval(this.#maintenance);
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

/**
 * The days of idempotency keys are counted in hours of operation, so no key suffers from a clock
 * that was set.
 */
async function maintainPartitions(store: EventStore, logger: Logger): Promise<void> {
  const sinceLastMs = await store.idempotency.maintainPartitions();
  const hours = Math.round(sinceLastMs / HOUR_MS);
  if (sinceLastMs < -MINUTE_MS) {
    logger.warn({ hours }, "The database's clock is earlier than it was; was it set?");
  } else if (sinceLastMs > DAY_MS) {
    const text = "The database's clock is days later than it was: nobody was here, or it was set.";
    logger.warn({ hours }, text);
  }
}

/** Partitions of idempotency keys come and go by the day (D-10). */
function maintainHourly(store: EventStore, logger: Logger): NodeJS.Timeout {
  const maintain = async (): Promise<void> => {
    try {
      await maintainPartitions(store, logger);
    } catch (error) {
      logger.warn({ err: error }, 'Partitions were not maintained; tried again in an hour.');
    }
  };
  return setInterval(() => void maintain(), HOUR_MS).unref();
}
