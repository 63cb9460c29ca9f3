import type { ServiceMetrics } from './metric-declarations.js';
import type { Migration } from './migrate.js';

/** A class whose properties are read from the environment. */
export type SettingsClass = new () => object;

/**
 * What tools know of a service beside its row in the table of services. Its app exports one, and
 * `apps/all` lists them.
 */
export interface ServiceDeclaration<Context = unknown> {
  /** The settings of its own; those that every process has, or that its row asks for, are not among them. */
  readonly settings: readonly SettingsClass[];
  readonly metrics: ServiceMetrics;
  /** What its tables are made of; absent where it keeps none. */
  readonly migrations?: (names: {
    readonly schema: string;
    readonly appRole: string;
    /** Of a service that has cells (page 0047). */
    readonly cell?: number;
  }) => readonly Migration[];
  /** The size of its pool of connections, where no setting names it. */
  readonly connectionsMax?: number;
  /** Starts it in one process with all others. */
  readonly startInProcess?: (context: Context) => Promise<{ close(): Promise<void> }>;
}
