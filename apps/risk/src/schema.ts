import { migrations as eventStoreMigrations } from '@sluice/event-store';
import type { Migration } from '@sluice/service';

/** The tables of risk, for the owner role to make: its event store, and what it counts by. */
export function migrations(names: {
  readonly schema: string;
  readonly appRole: string;
}): readonly Migration[] {
  // First, because it refuses names that are not identifiers.
  return [...eventStoreMigrations(names)];
}
