import { KafkaBus, kafkaConnection } from '@sluice/messaging';
import { KafkaSettings, runService } from '@sluice/service';
import { relayMetrics } from './relay-metrics.js';
import { RelaySettings } from './relay-settings.js';
import { RelayModule } from './relay.module.js';

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
        RelayModule.start({ settings: settings.relay, events, logger, metrics }),
      ),
    );
    health.readyWhen('database', () => relay.lag());
  },
});
