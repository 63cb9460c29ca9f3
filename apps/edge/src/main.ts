import { HttpQueries, HttpVault, KafkaBus, kafkaConnection } from '@sluice/messaging';
import { KafkaSettings, runService } from '@sluice/service';
import { edgeMetrics } from './edge-metrics.js';
import { EdgeModule } from './edge.module.js';
import { EdgeUpstreams } from './upstreams.js';
import { EdgeSettings } from './settings.js';

await runService({
  name: 'edge',
  metrics: edgeMetrics.declarations,
  settings: { edge: EdgeSettings, upstreams: EdgeUpstreams, kafka: KafkaSettings },
  start: async (context) => {
    const { settings, logger, health, metrics, tls, stopping, started } = context;
    const { ordinal, vault: vaultUrls, ...urls } = settings.upstreams;
    const queries = started(new HttpQueries({ urls, tls }));
    const vault = started(new HttpVault({ urls: vaultUrls, tls }));
    const kafka = await kafkaConnection(settings.kafka, logger);
    context.certificates.add('kafka', kafka.tls);
    const bus = started(
      new KafkaBus({ ...kafka, metrics, clientId: `edge-${ordinal}`, replyPartition: ordinal }),
    );
    await context.waitBriefly('Kafka', () => bus.start());
    const parts = { logger, metrics, health, stopping };
    const ports = { commands: bus.commands, queries, vault };
    const edge = started(await EdgeModule.start({ ...parts, ...ports, settings: settings.edge }));
    logger.info({ url: edge.url }, 'Edge takes requests.');
  },
});
