import { internalCallers } from '@sluice/contracts';
import { QueryServer, ServiceTransport } from '@sluice/messaging';
import { InternalServer, InternalSettings, runService } from '@sluice/service';
import { accountsMetrics } from './accounts-metrics.js';
import { AccountsModule } from './accounts.module.js';
import { firstAccounts } from './first-accounts.js';
import { AccountsSettings } from './settings.js';

await runService({
  name: 'accounts',
  metrics: accountsMetrics.declarations,
  settings: { accounts: AccountsSettings, internal: InternalSettings },
  start: async ({ settings, logger, health, metrics, tls, waitFor, started }) => {
    const first = await firstAccounts(settings.accounts);
    const server = started(new InternalServer({ logger, tls, metrics }));
    const transport = new ServiceTransport({
      queries: new QueryServer(server, settings.internal, internalCallers),
    });
    const { credentialKey, gatewayEnvironment } = settings.accounts;
    const manualChargebacks = gatewayEnvironment === 'test';
    const database = settings.accounts;
    const parts = { logger, metrics, health, waitFor };
    const accounts = started(
      await AccountsModule.start({
        ...{ ...parts, database, credentialKey, manualChargebacks, transport },
      }),
    );
    await accounts.seed(first);
    // Published credentials must not work here, even if this database once was a test
    // installation's.
    if (gatewayEnvironment === 'live') await accounts.revokeDemo();
    const channels = first.filter(({ kind }) => kind === 'channel').length;
    logger.info({ channels }, 'Accounts answers queries.');
  },
});
