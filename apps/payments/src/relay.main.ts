import { KafkaBus, kafkaConnection } from '@sluice/messaging';
import { KafkaSettings, runService } from '@sluice/service';
import { RelaySettings } from './relay-settings.js';
import { RelayModule } from './relay.module.js';

await runService({
  name: 'payments-relay',
  settings: { relay: RelaySettings, kafka: KafkaSettings },
  start: async ({ settings, logger, health, waitFor, started }) => {
    const kafka = await kafkaConnection(settings.kafka, logger);
    const { events } = started(new KafkaBus({ ...kafka, clientId: 'payments-relay' }));
    const relay = started(
      await waitFor("payments' database", () =>
        RelayModule.start({ settings: settings.relay, events, logger }),
      ),
    );
    health.readyWhen('database', () => relay.lag());
  },
});
