import { internalCallers } from '@sluice/contracts';
import {
  HttpVault,
  KafkaBus,
  kafkaConnection,
  QueryServer,
  ServiceTransport,
} from '@sluice/messaging';
import {
  InternalServer,
  InternalSettings,
  isOutage,
  KafkaSettings,
  runService,
} from '@sluice/service';
import { PaymentsNeighbours } from './neighbours.js';
import { PaymentsModule } from './payments.module.js';
import { PaymentsSettings } from './settings.js';

await runService({
  name: 'payments',
  settings: {
    ...{ payments: PaymentsSettings, neighbours: PaymentsNeighbours },
    ...{ kafka: KafkaSettings, internal: InternalSettings },
  },
  start: async ({ settings, logger, health, tls, waitFor, started }) => {
    const vault = started(new HttpVault({ urls: settings.neighbours.vaultUrls, tls }));
    const server = started(new InternalServer({ logger, tls }));
    const kafka = await kafkaConnection(settings.kafka, logger);
    const bus = started(
      new KafkaBus({ ...kafka, clientId: 'payments', isInfrastructure: isOutage }),
    );
    // Its consumer joins by itself: payments is ready with its database, Kafka or not (D-19).
    const transport = () =>
      new ServiceTransport({
        commands: bus.transport('payments'),
        queries: new QueryServer(server, settings.internal, internalCallers),
      });
    const parts = { settings: settings.payments, vault, logger, health };
    const payments = started(
      await waitFor("payments' database", () =>
        PaymentsModule.start({ ...parts, transport: transport() }),
      ),
    );
    logger.info({ openAtStart: payments.openAtStart }, 'Payments takes commands and queries.');
  },
});
