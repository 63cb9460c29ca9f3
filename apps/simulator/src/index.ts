export { simulator } from './declaration.js';
export {
  type RunningSimulator,
  SimulatorModule,
  type SimulatorOptions,
} from './simulator.module.js';
