import {
  type DatabaseRole,
  eventsReadBy,
  readersOfEvents,
  type ServiceName,
  serviceNames,
  type ServiceWithTables,
  tablesReachedBy,
} from '@sluice/contracts';
import { NAMESPACE } from './leaves.js';

const SERVER = `postgres.${NAMESPACE}.svc:5432`;
const DATABASE = 'sluice';
/** Of the server's own first role, which makes the others. */
export const ADMIN_ROLE = 'postgres';
/** Where the manifests mount the authority of the server's certificate. */
const AUTHORITY_PATH = '/etc/sluice/secrets/database-ca.crt';

/** An address as a service reads it, with TLS and the server's name checked. */
export function databaseAddress(role: string, password: string): string {
  const url = new URL(`postgres://${SERVER}/${DATABASE}`);
  url.username = role;
  url.password = password;
  url.search = `sslmode=verify-full&sslrootcert=${AUTHORITY_PATH}`;
  return `${url.href}\n`;
}

/** As `sluice database prepare` makes them (D-11); they begin with the database's name. */
export function roleName(service: ServiceWithTables, role: DatabaseRole): string {
  return `${DATABASE}_${service}_${role}`;
}

/** The file in which a pod has the address of a service's database, as one of its roles. */
export function addressFile(pod: string, service: ServiceWithTables, role: DatabaseRole): string {
  const words = [...(pod === service ? [] : [service]), ...(role === 'app' ? [] : [role])];
  return `${pod}/secrets/${[...words, 'database-url'].join('-')}`;
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
