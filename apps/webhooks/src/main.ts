import {
  cellPorts,
  CellSettings,
  HttpQueries,
  KafkaBus,
  kafkaConnection,
  urlsWithCells,
} from '@sluice/messaging';
import { KafkaSettings, runService } from '@sluice/service';
import { WebhooksSettings } from './settings.js';
import { WebhooksUpstreams } from './upstreams.js';
import { webhooksMetrics } from './webhooks-metrics.js';
import { WebhooksModule } from './webhooks.module.js';

await runService({
  name: 'webhooks',
  metrics: webhooksMetrics.declarations,
  settings: {
    ...{ webhooks: WebhooksSettings, upstreams: WebhooksUpstreams },
    ...{ cells: CellSettings, kafka: KafkaSettings },
  },
  start: async (context) => {
    const { settings, logger, health, metrics, tls, waitFor, started } = context;
    const { payments, registrations, accounts } = settings.upstreams;
    const { cells } = settings.cells;
    const urls = urlsWithCells({ payments, registrations, accounts }, cells);
    const asked = started(new HttpQueries({ urls, tls }));
    const { queries } = started(await cellPorts({ queries: asked, cells, logger }));
    const kafka = await kafkaConnection(settings.kafka, logger);
    context.certificates.add('kafka', kafka.tls);
    // Its consumer joins by itself: what was heard before is told, Kafka or not (D-19).
    const { events } = started(new KafkaBus({ ...kafka, metrics, clientId: 'webhooks' }));
    const parts = { logger, metrics, health, waitFor, events, queries };
    started(await WebhooksModule.start({ ...parts, settings: settings.webhooks }));
    logger.info('Webhooks hears what happens, and tells receivers.');
  },
});
