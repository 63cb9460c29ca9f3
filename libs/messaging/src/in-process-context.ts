import type { HealthChecks, Logger, ServiceDatabase } from '@sluice/service';
import type { InProcessTransport } from './in-process-transport.js';
import type { Commands, Events, Queries } from './ports.js';

/** What a service finds where all run in one process. */
export interface InProcessContext {
  /** Where its own commands and queries come from. */
  readonly transport: InProcessTransport;
  readonly commands: Commands;
  readonly queries: Queries;
  readonly events: Events;
  /** Absent for a service that keeps no tables. */
  readonly database?: ServiceDatabase;
  readonly logger: Logger;
  readonly health: HealthChecks;
}
