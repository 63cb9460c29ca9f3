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
import { AuthenticationServerSettings } from './authentication/authentication-settings.js';
import { riskMetrics } from './risk-metrics.js';
import { RiskModule } from './risk.module.js';
import { RiskSettings } from './settings.js';
import { RiskUpstreams } from './upstreams.js';

await runService({
  name: 'risk',
  metrics: riskMetrics.declarations,
  settings: {
    ...{ risk: RiskSettings, authentication: AuthenticationServerSettings },
    upstreams: RiskUpstreams,
    ...{ cells: CellSettings, internal: InternalSettings },
  },
  start: async (context) => {
    const { settings, logger, health, metrics, tls, waitFor, started } = context;
    const { payments, vault: vaultUrls } = settings.upstreams;
    const { cells } = settings.cells;
    const asked = started(new HttpQueries({ urls: urlsWithCells({ payments }, cells), tls }));
    const { queries } = started(await cellPorts({ queries: asked, cells, logger }));
    const vault = started(new HttpVault({ urls: vaultUrls, tls, logger }));
    const server = started(new InternalServer({ logger, tls, metrics }));
    const transport = new ServiceTransport({
      queries: new QueryServer(server, settings.internal, internalCallers),
    });
    const parts = { logger, metrics, health, waitFor, transport, queries };
    const { risk, authentication } = settings;
    started(await RiskModule.start({ ...parts, settings: risk, authentication, vault, tls }));
    logger.info('Risk takes queries.');
  },
});
