import { migrations as eventStoreMigrations, tenantsOfStreams } from '@sluice/event-store';
import type { Migration } from '@sluice/service';

/** The tables of scheduling, for the owner role to make: its event store, whose streams have tenants. */
export function migrations(names: {
  readonly schema: string;
  readonly appRole: string;
}): readonly Migration[] {
  return [...eventStoreMigrations(names), tenantsOfStreams(names)];
}
