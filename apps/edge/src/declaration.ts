import { CellSettings } from '@sluice/messaging';
import type { ServiceDeclaration } from '@sluice/service';
import { edgeMetrics } from './edge-metrics.js';
import { EdgeSettings } from './settings.js';
import { EdgeUpstreams } from './upstreams.js';

/** What tools know of edge. */
export const edge: ServiceDeclaration = {
  settings: [EdgeSettings, EdgeUpstreams, CellSettings],
  metrics: edgeMetrics,
};
