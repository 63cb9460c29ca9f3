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
import { ReportingUpstreams } from './upstreams.js';
import { reportingMetrics } from './reporting-metrics.js';
import { ReportingModule } from './reporting.module.js';
import { ReportingSettings } from './settings.js';

await runService({
  name: 'reporting',
  metrics: reportingMetrics.declarations,
  settings: {
    ...{ reporting: ReportingSettings, upstreams: ReportingUpstreams },
    ...{ cells: CellSettings, kafka: KafkaSettings, internal: InternalSettings },
  },
  start: async (context) => {
    const { settings, logger, health, metrics, tls, waitFor, started } = context;
    const { ...urls } = settings.upstreams;
    const { cells } = settings.cells;
    const asked = started(new HttpQueries({ urls: urlsWithCells(urls, cells), tls }));
    const { queries } = started(await cellPorts({ queries: asked, cells, logger }));
    const server = started(new InternalServer({ logger, tls, metrics }));
    const kafka = await kafkaConnection(settings.kafka, logger);
    context.certificates.add('kafka', kafka.tls);
    // Its consumers join by themselves: what is projected can be read, Kafka or not (D-19).
    const { events } = started(new KafkaBus({ ...kafka, metrics, clientId: 'reporting' }));
    const transport = new ServiceTransport({
      queries: new QueryServer(server, settings.internal, internalCallers),
    });
    const parts = { logger, metrics, health, waitFor };
    const ports = { events, queries, transport };
    started(await ReportingModule.start({ ...parts, ...ports, settings: settings.reporting }));
    logger.info('Reporting projects events and answers queries.');
  },
});
