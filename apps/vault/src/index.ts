export { vaultMetrics } from './vault-metrics.js';
export { type RunningVault, VaultModule, type VaultOptions } from './vault.module.js';
export { migrations } from './schema.js';
export { VaultSettings } from './settings.js';
