import { migrations } from '@sluice/event-store';
import type { ServiceDeclaration } from '@sluice/service';
import { checkoutsMetrics } from './checkout-metrics.js';
import { CheckoutsSettings } from './settings.js';

/** What tools have to know about checkouts. */
export const checkouts: ServiceDeclaration = {
  settings: [CheckoutsSettings],
  metrics: checkoutsMetrics,
  migrations,
};
