import { internalCallers } from '@sluice/contracts';
import { QueryServer, ServiceTransport } from '@sluice/messaging';
import { InternalServer, InternalSettings, runService } from '@sluice/service';
import { accountsMetrics } from './accounts-metrics.js';
import { AccountsModule } from './accounts.module.js';
import { firstChannels } from './first-channels.js';
import { AccountsSettings } from './settings.js';

await runService({
  name: 'accounts',
  metrics: accountsMetrics.declarations,
  settings: { accounts: AccountsSettings, internal: InternalSettings },
  start: async ({ settings, logger, health, metrics, tls, waitFor, started }) => {
    const channels = await firstChannels(settings.accounts);
    const server = started(new InternalServer({ logger, tls, metrics }));
    const transport = new ServiceTransport({
      queries: new QueryServer(server, settings.internal, internalCallers),
    });
    const { credentialKey, gatewayEnvironment } = settings.accounts;
    const manualChargebacks = gatewayEnvironment === 'test';
    const database = settings.accounts;
    const accounts = started(
      await waitFor("the accounts' database", () =>
        AccountsModule.start({
          ...{ database, credentialKey, manualChargebacks, transport, logger, metrics, health },
        }),
      ),
    );
    await accounts.seed(channels);
    logger.info({ channels: channels.length }, 'Accounts answers queries.');
  },
});
