import { InternalServer, InternalSettings, runService } from '@sluice/service';
import { detailRoutes } from './detail-routes.js';
import { vaultMetrics } from './vault-metrics.js';
import { VaultSettings } from './settings.js';
import { VaultModule } from './vault.module.js';

await runService({
  name: 'vault',
  metrics: vaultMetrics.declarations,
  settings: { vault: VaultSettings, internal: InternalSettings },
  start: async ({ settings, logger, health, metrics, tls, waitFor, started }) => {
    const { vault } = started(
      await waitFor("the vault's database", () =>
        VaultModule.start({ settings: settings.vault, logger, metrics, health }),
      ),
    );
    const server = started(new InternalServer({ logger, tls, metrics }));
    for (const route of detailRoutes(vault)) server.route(route);
    const { host, port } = settings.internal;
    await server.listen(host, port);
    logger.info({ instance: settings.vault.instance }, 'The vault takes cards.');
  },
});
