import type { Logger, ServiceDatabase } from '@sluice/service';
import type { ServiceParts } from './services.js';

/** Where the simulator's pages for shoppers are. */
export const SIMULATOR_PATH = '/simulator';

/** Where its tables are. */
export function addresses({ appUrl, ownerUrl, schema }: ServiceDatabase): {
  databaseUrl: string;
  ownerDatabaseUrl: string;
  schema: string;
} {
  return { databaseUrl: appUrl, ownerDatabaseUrl: ownerUrl, schema };
}

/** Its lines in the log of all. */
export function loggerOf({ logger }: ServiceParts, service: string): Logger {
  // Not `service`, which the process has already: a line with a key twice loses one of them.
  return logger.child({ part: service });
}
