import { relayMetricsOf, startRelay } from '@sluice/aggregates';
import { type EventPublisher, eventTopics } from '@sluice/contracts';
import { KafkaBus, kafkaConnection } from '@sluice/messaging';
import { KafkaSettings, runService } from '@sluice/service';
import { RelayedService, tablesOf } from './settings.js';

/** Runs the relay of a service until the process is told to stop. */
export async function runRelayOf(service: EventPublisher): Promise<void> {
  const name = `${service}-relay`;
  await runService({
    name,
    metrics: relayMetricsOf(service).declarations,
    settings: { relayed: RelayedService, tables: tablesOf(service), kafka: KafkaSettings },
    start: async ({ settings, logger, health, metrics, certificates, waitFor, started }) => {
      const kafka = await kafkaConnection(settings.kafka, logger);
      certificates.add('kafka', kafka.tls);
      const { events } = started(new KafkaBus({ ...kafka, metrics, clientId: name }));
      const { databaseUrl, schema } = settings.tables;
      const outbox = { service, databaseUrl, schema, topic: eventTopics[service] };
      const relay = started(
        await waitFor(`${service}${service.endsWith('s') ? "'" : "'s"} database`, () =>
          startRelay({ ...outbox, events, logger, metrics }),
        ),
      );
      health.readyWhen('database', () => relay.lag());
    },
  });
}

/** Refuses a process that is not told whose relay it is; `--help` shows the variable that says it. */
export async function refuseToRelay(): Promise<void> {
  await runService({
    name: 'relay',
    settings: { relayed: RelayedService },
    start: () => Promise.reject(new Error('RELAYED_SERVICE names no service.')),
  });
}
