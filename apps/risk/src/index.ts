export { risk } from './declaration.js';
export { type RiskOptions, RiskModule } from './risk.module.js';
