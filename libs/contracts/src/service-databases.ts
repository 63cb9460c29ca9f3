import { readersOfEvents, type ServiceWithTables } from './services.js';

/**
 * As whom a service's database is entered: `app` reads and writes rows, `owner` makes and drops
 * tables, `reader` reads stored events for rebuilds and nothing else.
 */
export type DatabaseRole = 'app' | 'owner' | 'reader';

/** The roles that the database of a service has. */
export function databaseRolesOf(service: ServiceWithTables): readonly DatabaseRole[] {
  return ['app', 'owner', ...(readersOfEvents(service).length > 0 ? (['reader'] as const) : [])];
}

/** The variable with the address of a service's database, as one of its roles. */
export function databaseVariableOf(
  service: ServiceWithTables,
  role: DatabaseRole,
): `${string}_DATABASE_URL` {
  return role === 'app'
    ? `${inCapitals(service)}_DATABASE_URL`
    : `${inCapitals(service)}_${inCapitals(role)}_DATABASE_URL`;
}

/** The variable with the name of the schema that its tables are in. */
export function schemaVariableOf(service: ServiceWithTables): `${string}_SCHEMA` {
  return `${inCapitals(service)}_SCHEMA`;
}

/** The variable with the addresses at which a service answers others. */
export function urlsVariableOf(service: string): `${string}_URLS` {
  return `${inCapitals(service)}_URLS`;
}

function inCapitals(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}
