import { internalCallers } from '@sluice/contracts';
import {
  cellPorts,
  CellSettings,
  HttpQueries,
  HttpVault,
  KafkaBus,
  kafkaConnection,
  QueryServer,
  ServiceTransport,
  urlsWithCells,
} from '@sluice/messaging';
import {
  InternalServer,
  InternalSettings,
  isOutage,
  KafkaSettings,
  runService,
} from '@sluice/service';
import { registrationsMetrics } from './registration-metrics.js';
import { RegistrationsModule } from './registrations.module.js';
import { RegistrationsSettings } from './settings.js';
import { RegistrationsUpstreams } from './upstreams.js';

await runService({
  name: 'registrations',
  metrics: registrationsMetrics.declarations,
  settings: {
    ...{ registrations: RegistrationsSettings, upstreams: RegistrationsUpstreams },
    ...{ cells: CellSettings, kafka: KafkaSettings, internal: InternalSettings },
  },
  start: async (context) => {
    const { settings, logger, health, metrics, tls, waitFor, started } = context;
    const { vault: vaultUrls, ...urls } = settings.upstreams;
    const vault = started(new HttpVault({ urls: vaultUrls, tls, logger }));
    const { cells } = settings.cells;
    const asked = started(new HttpQueries({ urls: urlsWithCells(urls, cells), tls }));
    const { queries } = started(await cellPorts({ queries: asked, cells, logger }));
    const server = started(new InternalServer({ logger, tls, metrics }));
    const kafka = await kafkaConnection(settings.kafka, logger);
    context.certificates.add('kafka', kafka.tls);
    const bus = started(
      new KafkaBus({
        ...{ ...kafka, metrics, clientId: 'registrations', isInfrastructure: isOutage },
      }),
    );
    // Its consumer joins in the background: it is ready once its database is, with or without Kafka
    // (D-19).
    const transport = new ServiceTransport({
      commands: bus.transport('registrations'),
      queries: new QueryServer(server, settings.internal, internalCallers),
    });
    const told = { settings: settings.registrations };
    const parts = { logger, metrics, health, waitFor };
    started(await RegistrationsModule.start({ ...told, ...parts, vault, queries, transport }));
    logger.info('Registrations takes commands and queries.');
  },
});
