import { CellSettings } from '@sluice/messaging';
import type { ServiceDeclaration } from '@sluice/service';
import { checkoutsMetrics } from './checkout-metrics.js';
import { migrations } from './schema.js';
import { CheckoutsSettings } from './settings.js';
import { CheckoutsUpstreams } from './upstreams.js';

/** What tools have to know about checkouts. */
export const checkouts: ServiceDeclaration = {
  settings: [CheckoutsSettings, CheckoutsUpstreams, CellSettings],
  metrics: checkoutsMetrics,
  migrations,
};
