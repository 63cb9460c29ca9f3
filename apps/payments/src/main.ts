import { acquirerSettings } from '@sluice/connectors';
import { cellName, internalCallers, topicsOfCells } from '@sluice/contracts';
import {
  HttpQueries,
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
import { PaymentsUpstreams } from './upstreams.js';
import { paymentsMetrics } from './payment-metrics.js';
import { PaymentsModule } from './payments.module.js';
import { PaymentsSettings } from './settings.js';

await runService({
  name: 'payments',
  metrics: paymentsMetrics.declarations,
  settings: {
    ...{ payments: PaymentsSettings, upstreams: PaymentsUpstreams },
    ...{ kafka: KafkaSettings, internal: InternalSettings },
    ...acquirerSettings,
  },
  start: async (context) => {
    const { settings, logger, health, metrics, tls, waitFor, started } = context;
    const { cell } = settings.payments;
    const { vault: vaultUrls, ...urls } = settings.upstreams;
    const vault = started(new HttpVault({ urls: vaultUrls, tls, logger }));
    const queries = started(new HttpQueries({ urls, tls }));
    await context.waitBriefly('the vault', () => vault.connect());
    const server = started(new InternalServer({ logger, tls, metrics }));
    const kafka = await kafkaConnection(settings.kafka, logger);
    context.certificates.add('kafka', kafka.tls);
    const bus = started(
      new KafkaBus({
        ...{ ...kafka, metrics, clientId: 'payments', isInfrastructure: isOutage },
        topics: topicsOfCells(cell),
      }),
    );
    // Its consumer joins in the background: payments is ready once its database is, with or without
    // Kafka (D-19).
    const transport = new ServiceTransport({
      commands: bus.transport(cellName('payments', cell)),
      queries: new QueryServer(server, settings.internal, internalCallers),
    });
    const told = { settings: settings.payments, acquirers: settings };
    const parts = { logger, metrics, health, waitFor, queries };
    const payments = started(await PaymentsModule.start({ ...told, ...parts, vault, transport }));
    logger.info({ openAtStart: payments.openAtStart }, 'Payments takes commands and queries.');
  },
});
