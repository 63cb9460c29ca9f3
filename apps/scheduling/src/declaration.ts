import { CellSettings } from '@sluice/messaging';
import type { ServiceDeclaration } from '@sluice/service';
import { migrations } from './schema.js';
import { schedulingMetrics } from './scheduling-metrics.js';
import { SchedulingSettings } from './settings.js';
import { SchedulingUpstreams } from './upstreams.js';

/** What tools have to know about scheduling. */
export const scheduling: ServiceDeclaration = {
  settings: [SchedulingSettings, SchedulingUpstreams, CellSettings],
  metrics: schedulingMetrics,
  migrations,
};
