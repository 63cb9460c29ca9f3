import { relayMetricsOf, startRelay } from '@sluice/aggregates';
import { eventTopics } from '@sluice/contracts';
import { KafkaBus, kafkaConnection } from '@sluice/messaging';
import { KafkaSettings, runService } from '@sluice/service';
import process from 'node:process';
import { RelayedService, relayedService, tablesOf } from './settings.js';

// Where none is named, the settings are refused, and `--help` shows the variables of this one's.
const service = relayedService(process.env) ?? 'payments';
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
