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
import { schedulingMetrics } from './scheduling-metrics.js';
import { SchedulingModule } from './scheduling.module.js';
import { SchedulingSettings } from './settings.js';
import { SchedulingUpstreams } from './upstreams.js';

await runService({
  name: 'scheduling',
  metrics: schedulingMetrics.declarations,
  settings: {
    ...{ scheduling: SchedulingSettings, upstreams: SchedulingUpstreams },
    ...{ cells: CellSettings, kafka: KafkaSettings, internal: InternalSettings },
  },
  start: async (context) => {
    const { settings, logger, health, metrics, tls, waitFor, started } = context;
    const { cells } = settings.cells;
    const { ...urls } = settings.upstreams;
    const asked = started(new HttpQueries({ urls: urlsWithCells(urls, cells), tls }));
    const { queries } = started(await cellPorts({ queries: asked, cells, logger }));
    const server = started(new InternalServer({ logger, tls, metrics }));
    const kafka = await kafkaConnection(settings.kafka, logger);
    context.certificates.add('kafka', kafka.tls);
    const bus = started(
      new KafkaBus({ ...kafka, metrics, clientId: 'scheduling', isInfrastructure: isOutage }),
    );
    // Its consumer joins in the background: it is ready once its database is, with or without Kafka
    // (D-19).
    const transport = new ServiceTransport({
      commands: bus.transport('scheduling'),
      queries: new QueryServer(server, settings.internal, internalCallers),
    });
    const told = { settings: settings.scheduling };
    const parts = { logger, metrics, health, waitFor };
    started(await SchedulingModule.start({ ...told, ...parts, queries, transport }));
    logger.info('Scheduling takes commands and queries.');
  },
});
