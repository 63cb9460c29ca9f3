export { sepa } from './declaration.js';
export { type SepaOptions, SepaModule } from './sepa.module.js';
