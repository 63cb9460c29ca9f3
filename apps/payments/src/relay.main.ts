import { relayMetrics, startRelay } from '@sluice/aggregates';
import { eventTopics } from '@sluice/contracts';
import { KafkaBus, kafkaConnection } from '@sluice/messaging';
import { KafkaSettings, runService } from '@sluice/service';
import { RelaySettings } from './relay-settings.js';

await runService({
  name: 'payments-relay',
  metrics: relayMetrics.declarations,
  settings: { relay: RelaySettings, kafka: KafkaSettings },
  start: async ({ settings, logger, health, metrics, certificates, waitFor, started }) => {
    const kafka = await kafkaConnection(settings.kafka, logger);
    certificates.add('kafka', kafka.tls);
    const { events } = started(new KafkaBus({ ...kafka, metrics, clientId: 'payments-relay' }));
    const relay = started(
      await waitFor("payments' database", () =>
        startRelay({
          ...{ service: 'payments', topic: eventTopics.payments, events, logger, metrics },
          ...{ databaseUrl: settings.relay.databaseUrl, schema: settings.relay.schema },
        }),
      ),
    );
    health.readyWhen('database', () => relay.lag());
  },
});
