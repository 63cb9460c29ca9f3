import { topicsOfCells } from '@sluice/contracts';
import {
  cellPorts,
  CellSettings,
  HttpQueries,
  HttpVault,
  KafkaBus,
  kafkaConnection,
  urlsWithCells,
} from '@sluice/messaging';
import { KafkaSettings, runService } from '@sluice/service';
import { edgeMetrics } from './edge-metrics.js';
import { EdgeModule } from './edge.module.js';
import { EdgeUpstreams } from './upstreams.js';
import { EdgeSettings } from './settings.js';

await runService({
  name: 'edge',
  metrics: edgeMetrics.declarations,
  settings: {
    ...{ edge: EdgeSettings, upstreams: EdgeUpstreams },
    ...{ cells: CellSettings, kafka: KafkaSettings },
  },
  start: async (context) => {
    const { settings, logger, health, metrics, tls, stopping, started } = context;
    const { ordinal, vault: vaultUrls, ...urls } = settings.upstreams;
    const { cells } = settings.cells;
    const asked = started(new HttpQueries({ urls: urlsWithCells(urls, cells), tls }));
    const ports = started(await cellPorts({ queries: asked, cells, logger }));
    const vault = started(new HttpVault({ urls: vaultUrls, tls }));
    const kafka = await kafkaConnection(settings.kafka, logger);
    context.certificates.add('kafka', kafka.tls);
    const bus = started(
      new KafkaBus({
        ...{ ...kafka, metrics, clientId: `edge-${ordinal}`, replyPartition: ordinal },
        topics: topicsOfCells(cells?.length ?? 1),
      }),
    );
    await context.waitBriefly('Kafka', () => bus.start());
    const parts = { logger, metrics, health, stopping };
    const { queries } = ports;
    const commands = ports.commandsOver(bus.commands);
    const told = { settings: settings.edge, commands, queries, vault };
    const edge = started(await EdgeModule.start({ ...parts, ...told }));
    logger.info({ url: edge.url }, 'Edge takes requests.');
  },
});
