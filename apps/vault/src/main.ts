import { InternalServer, InternalSettings, runService } from '@sluice/service';
import { vaultMetrics } from './vault-metrics.js';
import { VaultSettings } from './settings.js';
import { VaultModule } from './vault.module.js';

await runService({
  name: 'vault',
  metrics: vaultMetrics.declarations,
  settings: { vault: VaultSettings, internal: InternalSettings },
  start: async ({ settings, logger, health, metrics, tls, waitFor, started }) => {
    const listens = { server: new InternalServer({ logger, tls, metrics }), at: settings.internal };
    const parts = { logger, metrics, health, waitFor };
    started(await VaultModule.start({ ...parts, settings: settings.vault, listens }));
    logger.info({ instance: settings.vault.instance }, 'The vault takes cards.');
  },
});
