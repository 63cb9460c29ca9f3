import { CellSettings } from '@sluice/messaging';
import type { ServiceDeclaration } from '@sluice/service';
import { migrations } from './schema.js';
import { WebhooksSettings } from './settings.js';
import { WebhooksUpstreams } from './upstreams.js';
import { webhooksMetrics } from './webhooks-metrics.js';

/** What tools know of webhooks. */
export const webhooks: ServiceDeclaration = {
  settings: [WebhooksSettings, WebhooksUpstreams, CellSettings],
  metrics: webhooksMetrics,
  migrations,
};
