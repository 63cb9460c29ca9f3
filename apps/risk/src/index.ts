export { Reviews } from './assessment/reviews.js';
export { RuleBook } from './assessment/rule-book.js';
export { risk } from './declaration.js';
export { type RiskOptions, RiskModule, type RunningRisk } from './risk.module.js';
