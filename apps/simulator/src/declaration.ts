import type { ServiceDeclaration } from '@sluice/service';
import { SimulatorSettings } from './settings.js';
import { simulatorMetrics } from './simulator-metrics.js';

/** What tools know of the simulator. */
export const simulator: ServiceDeclaration = {
  settings: [SimulatorSettings],
  metrics: simulatorMetrics,
};
