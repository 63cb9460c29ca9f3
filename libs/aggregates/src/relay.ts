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
} from '@sluice/service';
import { publishedEvent } from './published-event.js';
import { type RelayMeter, relayMeter, watchRelay } from './relay-metrics.js';

/** One for publishing, one that hears signals, one for measuring how far behind it is. */
export const RELAY_CONNECTIONS_MAX = 3;

/** What a relay is started with. */
export interface RelayOptions {
  /** The service whose outbox it empties: `payments`. */
  readonly service: string;
  /** The service's database, as the app role. */
  readonly databaseUrl: string;
  readonly schema: string;
  /** Where the service's events go. */
  readonly topic: string;
  /** How they are sent there, e.g. `bus.events`. */
  readonly events: Pick<Events, 'publish'>;
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly metrics?: Metrics;
  /** By default as in D-21. */
  readonly limits?: Partial<RelayLimits>;
}

/** A relay at work. */
export interface RunningRelay extends RunningService {
  /** How far publishing is behind, over all relays of the service. */
  lag(): Promise<OutboxLag>;
}

/**
 * Publishes a service's events from its outbox; any number of these may run (D-21). Throws if the
 * database cannot be reached or the service has not migrated it yet: start again later.
 */
export async function startRelay(options: RelayOptions): Promise<RunningRelay> {
  const { service, schema, databaseUrl, logger, limits } = options;
  const { clock = systemClock, metrics = noMetrics } = options;
  await ensureMigrated({ databaseUrl, schema }, migrations);
  const pool = createPool(databaseUrl, {
    service: `${service}-relay`,
    schema,
    connectionsMax: RELAY_CONNECTIONS_MAX,
    metrics,
    // What it deletes from the outbox is published; if that comes back, it is published again.
    commitsMayBeLost: true,
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
      publish: (recorded, incarnation) => publish(options, recorded, incarnation, meter),
      onTrouble: (error) => {
        meter.failed();
        outage.failed(error);
      },
      onRecovered: () => outage.over(),
      onParked: ({ streamId, version }, reason) =>
        logger.error({ streamId, version, reason }, 'An event was refused; its stream is parked.'),
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

async function publish(
  { events, topic }: RelayOptions,
  recorded: readonly RecordedEvent[],
  incarnation: string,
  meter: RelayMeter,
): Promise<void> {
  const messages = recorded.map((event) => publishedEvent(event, incarnation));
  try {
    await events.publish(topic, messages);
    meter.published(messages.length);
  } catch (error) {
    if (!(error instanceof MessagesRefused)) throw error;
    const reasons = new Map(error.messageIds.map((id) => [id, error.message]));
    throw new EventsRefused(reasons, { cause: error });
  }
}
