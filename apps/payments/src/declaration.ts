import { acquirerSettings } from '@sluice/connectors';
import { migrations } from '@sluice/event-store';
import type { ServiceDeclaration } from '@sluice/service';
import { paymentsMetrics } from './payment-metrics.js';
import { PaymentsSettings } from './settings.js';
import { PaymentsUpstreams } from './upstreams.js';

/** What tools have to know about payments. */
export const payments: ServiceDeclaration = {
  settings: [PaymentsSettings, PaymentsUpstreams, ...Object.values(acquirerSettings)],
  metrics: paymentsMetrics,
  migrations,
};
