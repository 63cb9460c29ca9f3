export { accountsMetrics } from './accounts-metrics.js';
export { AccountsModule, type AccountsStart, type RunningAccounts } from './accounts.module.js';
export { migrations } from './schema.js';
export { AccountsSettings } from './settings.js';
