import { CellSettings } from '@sluice/messaging';
import type { ServiceDeclaration } from '@sluice/service';
import { reportingMetrics } from './reporting-metrics.js';
import { migrations } from './schema.js';
import { ReportingSettings } from './settings.js';
import { ReportingUpstreams } from './upstreams.js';

/** What tools know of reporting. */
export const reporting: ServiceDeclaration = {
  settings: [ReportingSettings, ReportingUpstreams, CellSettings],
  metrics: reportingMetrics,
  migrations,
};
