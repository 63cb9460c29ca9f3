import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CustomTransportStrategy, MicroserviceOptions } from '@nestjs/microservices';
import { StreamQueries, Streams, StreamWriter, Sweeper } from '@sluice/aggregates';
import { type AcquirerSettings, type Connector, connectorsFor } from '@sluice/connectors';
import type { Vault } from '@sluice/contracts';
import { type PaymentState, paymentDecider, type RecoverySchedule } from '@sluice/domain-payments';
import { EventStore, migrations } from '@sluice/event-store';
import { codes } from '@sluice/result-codes';
import {
  assertDurable,
  type Clock,
  CLOCK_MARGIN_MS,
  createPool,
  EnvelopeOpener,
  RemoteClock,
  frameworkLog,
  type HealthChecks,
  type KeyProvider,
  type Logger,
  type Metrics,
  ensureMigrated,
  type OpenKeys,
  openKeys,
  type RunningService,
  systemClock,
  withDefaults,
} from '@sluice/service';
import type { Pool } from 'pg';
import { CommandsController } from './commands.controller.js';
import { Connectors } from './connectors.js';
import { InquiryProcessor } from './inquiry.processor.js';
import { PaymentMetrics } from './payment-metrics.js';
import { PaymentQueries } from './payment-queries.js';
import { paymentAggregate, type PaymentWriter } from './payment-aggregate.js';
import { PaymentWorkflow } from './payment.workflow.js';
import { PaymentsHandler } from './payments.handler.js';
import { QueriesController } from './queries.controller.js';
import { PaymentsSettings } from './settings.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Whatever else payments does goes on: reads, chargebacks, and payments of other processes. */
const NO_CONNECTOR =
  `No connector leads to an acquirer: payments are refused with ${codes.connectorNotAvailable}. ` +
  'A test installation sets PAYMENTS_SIMULATOR_URL; a live one needs its acquirer in libs/connectors.';

/** What payments is started with. */
export interface PaymentsOptions {
  /** Absent ones have their defaults; `databaseUrl` has none. */
  readonly settings: Partial<PaymentsSettings> & Pick<PaymentsSettings, 'databaseUrl'>;
  /** Where commands and queries arrive, e.g. `bus.transport('payments')`. */
  readonly transport: CustomTransportStrategy;
  readonly vault: Vault;
  /** What the installation is told of its acquirers, by their names. */
  readonly acquirers?: AcquirerSettings;
  /** Instead of those of the acquirers; the first takes new payments. Closed with the service. */
  readonly connectors?: readonly Connector[] | undefined;
  /** Instead of the settings' key file; the caller closes it. */
  readonly keyProvider?: KeyProvider;
  /** Instead of the settings' command key file; the caller closes it. */
  readonly commandKeys?: KeyProvider;
  /** Only its monotonic part counts: what time it is, the database says. */
  readonly clock?: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Hears when payments can answer. */
  readonly health?: HealthChecks;
}

/** Payments at work. */
export interface RunningPayments extends RunningService {
  /** Requests without a final outcome that were found at start and will be recovered. */
  readonly openAtStart: number;
}

/** Payment streams, and the workflows that call connectors. */
@Module({})
export class PaymentsModule {
  /**
   * Migrates if it is given the owner's address, begins to recover what an earlier process left
   * open, and takes commands and queries. Throws a sentence when settings, key file or database
   * cannot be used.
   */
  static async start(options: PaymentsOptions): Promise<RunningPayments> {
    const settings = withDefaults(PaymentsSettings, options.settings);
    const { logger, vault, transport } = options;
    const { keys, commandKeys } = await openBothKeys(settings, options);
    const metrics = new PaymentMetrics(options.metrics);
    const all = options.connectors ?? connectorsFor(options.acquirers ?? {}, settings);
    if (all.length === 0) logger.warn(NO_CONNECTOR);
    const connectors = new Connectors(
      all.map((connector) => metrics.timed(connector)),
      settings.callsMax,
    );
    await ensureMigrated(settings, migrations);
    const pool = createPool(settings.databaseUrl, {
      service: 'payments',
      schema: settings.schema,
      connectionsMax: settings.connectionsMax,
      metrics: options.metrics,
      onError: (error) => logger.warn({ err: error }, 'A database connection was lost.'),
    });
    let clock: RemoteClock | undefined;
    const release = async (): Promise<void> => {
      clock?.close();
      await connectors.close();
      keys.close();
      commandKeys.close();
      await pool.end();
    };
    try {
      await assertDurable(pool);
      clock = await clockOf(pool, options);
      const parts = assemble({ settings, pool, connectors, vault, keys, clock, logger, metrics });
      await maintainPartitions(parts.store, logger);
      const openAtStart = await countOpen(pool);
      if (openAtStart > 0) {
        logger.info({ openAtStart }, 'Payments without a final outcome are being recovered.');
      }
      const application = await NestFactory.createMicroservice<MicroserviceOptions>(
        moduleOf(parts, new EnvelopeOpener(commandKeys.provider)),
        { strategy: transport, logger: frameworkLog(logger), abortOnError: false },
      );
      await application.listen();
      options.health?.readyWhen('database', () => pool.query('SELECT FROM streams LIMIT 0'));
      parts.sweeper.start();
      metrics.watchConnectors(connectors);
      metrics.watchRecovery(pool, settings.leaseMs);
      metrics.watchOutbox(() => parts.store.outbox.lag());
      const maintenance = maintainHourly(parts.store, logger);
      let closing: Promise<void> | undefined;
      const close = async (): Promise<void> => {
        clearInterval(maintenance);
        await application.close();
        parts.writer.close();
        await parts.sweeper.stop();
        await release();
      };
      return { openAtStart, close: () => (closing ??= close()) };
    } catch (error) {
      await release();
      throw error;
    }
  }
}

/** For its own personal data, and for what edge has sealed. */
async function openBothKeys(
  settings: PaymentsSettings,
  { keyProvider, commandKeys, logger }: PaymentsOptions,
): Promise<{ readonly keys: OpenKeys; readonly commandKeys: OpenKeys }> {
  const own = { keyProvider, keyFile: settings.keyFile, variable: 'PAYMENTS_KEY_FILE' };
  const { commandKeyFile: keyFile } = settings;
  const ofCommands = { keyProvider: commandKeys, keyFile, variable: 'COMMAND_KEY_FILE' };
  const keys = await openKeys(own, logger);
  try {
    return { keys, commandKeys: await openKeys(ofCommands, logger) };
  } catch (error) {
    keys.close();
    throw error;
  }
}

interface PaymentsContext {
  readonly settings: PaymentsSettings;
  readonly pool: Pool;
  readonly connectors: Connectors;
  readonly vault: Vault;
  readonly keys: OpenKeys;
  readonly clock: RemoteClock;
  readonly logger: Logger;
  readonly metrics: PaymentMetrics;
}

interface Parts {
  readonly store: EventStore;
  readonly writer: PaymentWriter;
  readonly handler: PaymentsHandler;
  readonly queries: PaymentQueries;
  readonly streamQueries: StreamQueries;
  readonly sweeper: Sweeper<PaymentState>;
}

/** What the service consists of, made by hand: Nest only calls the controllers. */
function assemble(context: PaymentsContext): Parts {
  const { settings, pool, connectors, vault, clock, logger, metrics } = context;
  const { sendWindowMs, leaseMs } = settings;
  const keys = context.keys.provider;
  const schedule = scheduleOf(settings);
  const store = new EventStore(pool, { schema: settings.schema, publishes: true });
  const streams = new Streams(paymentDecider.initialState, settings.streamWaitingMax);
  const writer = new StreamWriter(
    paymentAggregate(connectors, schedule),
    store,
    clock,
    (result, state, events) => metrics.appended(result, state, events),
  );
  const workflow = new PaymentWorkflow({
    streams,
    writer,
    connectors,
    vault,
    clock,
    logger,
    metrics,
    sendWindowMs,
  });
  const shared = { store, streams, writer, connectors, clock };
  const inquiries = new InquiryProcessor({ ...shared, schedule, logger });
  const streamQueries = new StreamQueries(store, keys);
  const limits = {
    pollIntervalMs: settings.sweepIntervalMs,
    concurrencyMax: settings.sweepConcurrencyMax,
    // One inquiry and one reversal may each take as long as a call (D-25).
    claimLeaseMs: leaseMs + 2 * settings.callTimeoutMs,
    // When a lease has passed, whatever was sent before is older than anything under way (D-25).
    restAfterClockStepMs: leaseMs,
  };
  return {
    store,
    writer,
    handler: new PaymentsHandler({ ...shared, workflow, keys, metrics, sendWindowMs }),
    queries: new PaymentQueries(store, keys, streamQueries),
    streamQueries,
    sweeper: new Sweeper({
      ...{ what: 'payments', store, streams, limits, clock, logger },
      sweep: (stream) => inquiries.recover(stream),
    }),
  };
}

function moduleOf(
  { handler, queries, streamQueries }: Parts,
  opener: EnvelopeOpener,
): DynamicModule {
  return {
    module: PaymentsModule,
    controllers: [CommandsController, QueriesController],
    providers: [
      { provide: PaymentsHandler, useValue: handler },
      { provide: EnvelopeOpener, useValue: opener },
      { provide: PaymentQueries, useValue: queries },
      { provide: StreamQueries, useValue: streamQueries },
    ],
  };
}

function scheduleOf(settings: PaymentsSettings): RecoverySchedule {
  const { sendWindowMs, leaseMs, inquireAfterMs, resolveByMs, lateInquiryAfterMs } = settings;
  const windows = { sendWindowMs, leaseMs, resolveByMs, clockMarginMs: CLOCK_MARGIN_MS };
  return { ...windows, inquireAfterMs, lateInquiryAfterMs };
}

/** Every instant that is recorded or compared with a recorded one is the database's. */
function clockOf(
  pool: Pool,
  { clock = systemClock, logger }: Pick<PaymentsOptions, 'clock' | 'logger'>,
): Promise<RemoteClock> {
  const ask = async (): Promise<number> => {
    const { rows } = await pool.query<{ seconds: string }>(
      'SELECT extract(epoch FROM clock_timestamp()) AS seconds',
    );
    return Number(rows[0]?.seconds) * SECOND_MS;
  };
  return RemoteClock.start({ whose: 'the database', ask, clock, logger });
}

/** Streams with a due time are exactly those that recovery has to look at. */
async function countOpen(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ open: string }>(
    'SELECT count(*) AS open FROM streams WHERE due_at IS NOT NULL',
  );
  return Number(rows[0]?.open ?? 0);
}

/** Days of idempotency keys are counted in hours of work, so no key suffers from what is told here. */
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
