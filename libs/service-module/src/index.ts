export { Database, DatabaseModule, type DatabaseUse } from './database.module.js';
export { given, made, type Source, type Token, token } from './providers.js';
export {
  CLOCK,
  LOGGER,
  METRICS,
  ServiceModule,
  SET_CLOCKS,
  type ServiceParts,
  WAIT_FOR,
  type WaitFor,
} from './service.module.js';
export {
  type Application,
  noTransport,
  type RunningModule,
  ServerTransport,
  startApplication,
  startModule,
  TRANSPORT,
} from './start-module.js';
