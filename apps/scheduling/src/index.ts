export { scheduling } from './declaration.js';
export { type SchedulingOptions, SchedulingModule } from './scheduling.module.js';
