export { type RunningVault, VaultModule, type VaultOptions } from './vault.module.js';
export { VaultSettings } from './settings.js';
