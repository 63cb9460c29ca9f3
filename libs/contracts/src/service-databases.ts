import { SERVICE_OF_CELLS, workloadOfCell } from './cells.js';
import {
  eventsReadBy,
  readersOfEvents,
  type ServiceName,
  serviceNames,
  type ServiceWithTables,
  tablesReachedBy,
} from './services.js';

/**
 * The roles that connect to a service's database: `app` reads and writes rows, `owner` makes and
 * drops tables, `reader` reads stored events for rebuilds and nothing else.
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

/** The variable with the addresses at which a service answers other services. */
export function urlsVariableOf(service: string): `${string}_URLS` {
  return `${inCapitals(service)}_URLS`;
}

/**
 * The file in which a pod has the address of a service's database, as one of its roles; relative to
 * the folder of all secrets.
 */
export function addressFile(pod: string, service: ServiceWithTables, role: DatabaseRole): string {
  const words = [...(pod === service ? [] : [service]), ...(role === 'app' ? [] : [role])];
  return `${pod}/secrets/${[...words, 'database-url'].join('-')}`;
}

/**
 * The same for a cell of payments beside the first one: the operator has those of all cells, by their
 * numbers, and the pods of a cell have its own under the usual name.
 */
export function cellAddressFile(cell: number, pod: string, role: DatabaseRole): string {
  const file = addressFile(pod, SERVICE_OF_CELLS, role);
  const names: readonly string[] = serviceNames;
  return names.includes(pod)
    ? file.replace(`${pod}/`, `${workloadOfCell(pod, cell)}/`)
    : file.replace(`/${SERVICE_OF_CELLS}-`, `/${workloadOfCell(SERVICE_OF_CELLS, cell)}-`);
}

/** The services that are given the address: each role's is for other purposes. */
export function podsWithAddress(
  service: ServiceWithTables,
  role: DatabaseRole,
): readonly ServiceName[] {
  switch (role) {
    case 'app':
      return serviceNames.filter((name) => tablesReachedBy(name).includes(service));
    case 'owner':
      // Together with the reader's it lets a service rebuild its tables by itself.
      return eventsReadBy(service).length > 0 ? [service] : [];
    case 'reader':
      return readersOfEvents(service);
  }
}

function inCapitals(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}
