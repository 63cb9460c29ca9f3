import { internalCallers } from '@sluice/contracts';
import {
  cellPorts,
  CellSettings,
  HttpQueries,
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
import { checkoutsMetrics } from './checkout-metrics.js';
import { CheckoutsModule } from './checkouts.module.js';
import { CheckoutsSettings } from './settings.js';
import { CheckoutsUpstreams } from './upstreams.js';

await runService({
  name: 'checkouts',
  metrics: checkoutsMetrics.declarations,
  settings: {
    ...{ checkouts: CheckoutsSettings, upstreams: CheckoutsUpstreams },
    ...{ cells: CellSettings, kafka: KafkaSettings, internal: InternalSettings },
  },
  start: async (context) => {
    const { settings, logger, health, metrics, tls, waitFor, started } = context;
    const { cells } = settings.cells;
    const { ...upstreams } = settings.upstreams;
    const urls = urlsWithCells(upstreams, cells);
    const asked = started(new HttpQueries({ urls, tls }));
    const { queries } = started(await cellPorts({ queries: asked, cells, logger }));
    const server = started(new InternalServer({ logger, tls, metrics }));
    const kafka = await kafkaConnection(settings.kafka, logger);
    context.certificates.add('kafka', kafka.tls);
    const bus = started(
      new KafkaBus({ ...kafka, metrics, clientId: 'checkouts', isInfrastructure: isOutage }),
    );
    // Its consumer joins in the background: it is ready once its database is, with or without Kafka
    // (D-19).
    const transport = new ServiceTransport({
      commands: bus.transport('checkouts'),
      queries: new QueryServer(server, settings.internal, internalCallers),
    });
    const parts = { logger, metrics, health, waitFor, transport, queries };
    started(await CheckoutsModule.start({ ...parts, settings: settings.checkouts }));
    logger.info('Checkouts takes commands and queries.');
  },
});
