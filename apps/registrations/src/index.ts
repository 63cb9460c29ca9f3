export { registrations } from './declaration.js';
export { type RegistrationsOptions, RegistrationsModule } from './registrations.module.js';
