export { simulatorMetrics } from './simulator-metrics.js';
export {
  type RunningSimulator,
  SimulatorModule,
  type SimulatorOptions,
} from './simulator.module.js';
export { SimulatorSettings } from './settings.js';
