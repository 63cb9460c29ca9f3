import { CellSettings } from '@sluice/messaging';
import type { ServiceDeclaration } from '@sluice/service';
import { sepaMetrics } from './sepa-metrics.js';
import { migrations } from './schema.js';
import { SepaSettings } from './settings.js';
import { SepaUpstreams } from './upstreams.js';

/** What tools have to know about the files for a bank. */
export const sepa: ServiceDeclaration = {
  settings: [SepaSettings, SepaUpstreams, CellSettings],
  metrics: sepaMetrics,
  migrations,
};
