import { internalCallers } from '@sluice/contracts';
import {
  cellPorts,
  CellSettings,
  HttpQueries,
  HttpVault,
  QueryServer,
  ServiceTransport,
  urlsWithCells,
} from '@sluice/messaging';
import { InternalServer, InternalSettings, runService } from '@sluice/service';
import { sepaMetrics } from './sepa-metrics.js';
import { SepaModule } from './sepa.module.js';
import { SepaSettings } from './settings.js';
import { SepaUpstreams } from './upstreams.js';

await runService({
  name: 'sepa',
  metrics: sepaMetrics.declarations,
  settings: {
    ...{ files: SepaSettings, upstreams: SepaUpstreams },
    ...{ cells: CellSettings, internal: InternalSettings },
  },
  start: async (context) => {
    const { settings, logger, health, metrics, tls, waitFor, started } = context;
    const { vault: vaultUrls, ...urls } = settings.upstreams;
    const vault = started(new HttpVault({ urls: vaultUrls, tls, logger }));
    const { cells } = settings.cells;
    const asked = started(new HttpQueries({ urls: urlsWithCells(urls, cells), tls }));
    const { queries } = started(await cellPorts({ queries: asked, cells, logger }));
    const server = started(new InternalServer({ logger, tls, metrics }));
    const transport = new ServiceTransport({
      queries: new QueryServer(server, settings.internal, internalCallers),
    });
    const parts = { logger, metrics, health, waitFor };
    const ports = { vault, queries, transport };
    started(await SepaModule.start({ ...parts, ...ports, settings: settings.files }));
    logger.info('Sepa takes orders.');
  },
});
