import type { ServiceDeclaration } from '@sluice/service';
import { accountsMetrics } from './accounts-metrics.js';
import { migrations } from './schema.js';
import { AccountsSettings } from './settings.js';

/** What tools know of accounts. */
export const accounts: ServiceDeclaration = {
  settings: [AccountsSettings],
  metrics: accountsMetrics,
  migrations,
};
