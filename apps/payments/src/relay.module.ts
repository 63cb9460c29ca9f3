import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { publishedEvent } from '@sluice/aggregates';
import { eventTopics } from '@sluice/contracts';
import {
  EventsRefused,
  migrations,
  type OutboxLag,
  OutboxRelay,
  type RecordedEvent,
  type RelayLimits,
} from '@sluice/event-store';
import { type Events, MessagesRefused } from '@sluice/messaging';
import {
  type Clock,
  createPool,
  ensureMigrated,
  type Logger,
  type Metrics,
  noMetrics,
  Outage,
  type RunningService,
  systemClock,
  withDefaults,
} from '@sluice/service';
import { type RelayMeter, relayMeter, watchRelay } from './relay-metrics.js';
import { RelaySettings } from './relay-settings.js';

/** One works, and one is for whoever asks how far behind it is. */
export const RELAY_CONNECTIONS_MAX = 2;

/** What the relay is started with. */
export interface RelayOptions {
  readonly settings: Partial<RelaySettings> & Pick<RelaySettings, 'databaseUrl'>;
  /** Where events go, e.g. `bus.events`. */
  readonly events: Pick<Events, 'publish'>;
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly metrics?: Metrics;
  /** Absent ones as D-21 has them. */
  readonly limits?: Partial<RelayLimits>;
}

/** The relay at work. */
export interface RunningRelay extends RunningService {
  /** How far publishing is behind, over all relays. */
  lag(): Promise<OutboxLag>;
}

/** Publishes the events of payments from its outbox; any number of these may run (D-21). */
@Module({})
export class RelayModule {
  /** Throws when the database is away, or payments has not migrated it yet: start again later. */
  static async start(options: RelayOptions): Promise<RunningRelay> {
    const { logger, events, limits, clock = systemClock, metrics = noMetrics } = options;
    const settings = withDefaults(RelaySettings, options.settings);
    const { schema, databaseUrl } = settings;
    await ensureMigrated({ databaseUrl, schema }, migrations);
    const pool = createPool(databaseUrl, {
      service: 'payments-relay',
      schema,
      connectionsMax: RELAY_CONNECTIONS_MAX,
      metrics,
      onError: (error) => logger.warn({ err: error }, 'A database connection was lost.'),
    });
    const meter = relayMeter(metrics);
    const outage = new Outage(clock, logger, {
      begins: 'Events cannot be published now; they wait in the outbox.',
      goesOn: 'Events still cannot be published; they wait in the outbox.',
      ends: 'Events are published again.',
    });
    try {
      const relay = new OutboxRelay(pool, {
        ...limits,
        schema,
        publish: (recorded, incarnation) => publish(events, recorded, incarnation, meter),
        onTrouble: (error) => {
          meter.failed();
          outage.failed(error);
        },
        onRecovered: () => outage.over(),
        onParked: ({ streamId, version }, reason) =>
          logger.error(
            { streamId, version, reason },
            'An event was refused; its stream is parked.',
          ),
      });
      relay.start();
      watchRelay(metrics, relay);
      const close = async (): Promise<void> => {
        await relay.close();
        await pool.end();
      };
      let closing: Promise<void> | undefined;
      return { lag: () => relay.lag(), close: () => (closing ??= close()) };
    } catch (error) {
      await pool.end();
      throw error;
    }
  }
}

async function publish(
  events: Pick<Events, 'publish'>,
  recorded: readonly RecordedEvent[],
  incarnation: string,
  meter: RelayMeter,
): Promise<void> {
  const messages = recorded.map((event) => publishedEvent(event, incarnation));
  try {
    await events.publish(eventTopics.payments, messages);
    meter.published(messages.length);
  } catch (error) {
    if (!(error instanceof MessagesRefused)) throw error;
    const reasons = new Map(error.messageIds.map((id) => [id, error.message]));
    throw new EventsRefused(reasons, { cause: error });
  }
}
