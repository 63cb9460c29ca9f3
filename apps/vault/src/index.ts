export { vault } from './declaration.js';
export { type RunningVault, VaultModule, type VaultOptions } from './vault.module.js';
