import type { ServiceDeclaration } from '@sluice/service';
import { migrations } from './schema.js';
import { VaultSettings } from './settings.js';
import { vaultMetrics } from './vault-metrics.js';

/** What tools know of the vault. */
export const vault: ServiceDeclaration = {
  settings: [VaultSettings],
  metrics: vaultMetrics,
  migrations,
};
