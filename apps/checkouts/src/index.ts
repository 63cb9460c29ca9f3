export { checkouts } from './declaration.js';
export { type CheckoutsOptions, CheckoutsModule } from './checkouts.module.js';
