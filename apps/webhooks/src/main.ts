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
import { InternalServer, InternalSettings, KafkaSettings, runService } from '@sluice/service';
import { WebhooksSettings } from './settings.js';
import { WebhooksUpstreams } from './upstreams.js';
import { webhooksMetrics } from './webhooks-metrics.js';
import { WebhooksModule } from './webhooks.module.js';

await runService({
  name: 'webhooks',
  metrics: webhooksMetrics.declarations,
  settings: {
    ...{ webhooks: WebhooksSettings, upstreams: WebhooksUpstreams },
    ...{ cells: CellSettings, kafka: KafkaSettings, internal: InternalSettings },
  },
  start: async (context) => {
    const { settings, logger, health, metrics, tls, waitFor, started } = context;
    const { ...upstreams } = settings.upstreams;
    const { cells } = settings.cells;
    const urls = urlsWithCells(upstreams, cells);
    const asked = started(new HttpQueries({ urls, tls }));
    const { queries } = started(await cellPorts({ queries: asked, cells, logger }));
    const server = started(new InternalServer({ logger, tls, metrics }));
    const kafka = await kafkaConnection(settings.kafka, logger);
    context.certificates.add('kafka', kafka.tls);
    // Its consumer joins by itself: what was heard before is told, Kafka or not (D-19).
    const { events } = started(new KafkaBus({ ...kafka, metrics, clientId: 'webhooks' }));
    const transport = new ServiceTransport({
      queries: new QueryServer(server, settings.internal, internalCallers),
    });
    const parts = { logger, metrics, health, waitFor, events, queries, transport };
    started(await WebhooksModule.start({ ...parts, settings: settings.webhooks }));
    logger.info('Webhooks hears what happens, and tells receivers.');
  },
});
