import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { eventTopics } from '@sluice/contracts';
import {
  EventsRefused,
  EventStore,
  type OutboxLag,
  OutboxRelay,
  type RecordedEvent,
  type RelayLimits,
} from '@sluice/event-store';
import { type Events, MessagesRefused } from '@sluice/messaging';
import {
  type Clock,
  createPool,
  type Logger,
  Outage,
  type RunningService,
  systemClock,
  withDefaults,
} from '@sluice/service';
import { publishedEvent } from './publisher.js';
import { RelaySettings } from './relay-settings.js';

/** One works, and one is for whoever asks how far behind it is. */
const CONNECTIONS_MAX = 2;

/** What the relay is started with. */
export interface RelayOptions {
  readonly settings: Partial<RelaySettings> & Pick<RelaySettings, 'databaseUrl'>;
  /** Where events go, e.g. `bus.events`. */
  readonly events: Pick<Events, 'publish'>;
  readonly logger: Logger;
  readonly clock?: Clock;
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
    const { logger, events, limits, clock = systemClock } = options;
    const settings = withDefaults(RelaySettings, options.settings);
    const { schema } = settings;
    const pool = createPool(settings.databaseUrl, {
      service: 'payments-relay',
      schema,
      connectionsMax: CONNECTIONS_MAX,
      onError: (error) => logger.warn({ err: error }, 'A database connection was lost.'),
    });
    const outage = new Outage(clock, logger, {
      begins: 'Events cannot be published now; they wait in the outbox.',
      goesOn: 'Events still cannot be published; they wait in the outbox.',
      ends: 'Events are published again.',
    });
    try {
      // Says whether the schema is there; each batch comes with the incarnation of its own moment.
      await new EventStore(pool, { schema }).incarnation();
      const relay = new OutboxRelay(pool, {
        ...limits,
        schema,
        publish: (recorded, incarnation) => publish(events, recorded, incarnation),
        onTrouble: (error) => outage.failed(error),
        onRecovered: () => outage.over(),
        onParked: ({ streamId, version }, reason) =>
          logger.error(
            { streamId, version, reason },
            'An event was refused; its stream is parked.',
          ),
      });
      relay.start();
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
): Promise<void> {
  const messages = recorded.map((event) => publishedEvent(event, incarnation));
  try {
    await events.publish(eventTopics.payments, messages);
  } catch (error) {
    if (!(error instanceof MessagesRefused)) throw error;
    const reasons = new Map(error.messageIds.map((id) => [id, error.message]));
    throw new EventsRefused(reasons, { cause: error });
  }
}
