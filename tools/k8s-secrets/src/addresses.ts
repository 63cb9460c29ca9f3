import {
  type DatabaseRole,
  FIRST_CELL,
  type ServiceWithTables,
  workloadOfCell,
} from '@sluice/contracts';
import { NAMESPACE } from './leaves.js';

const DATABASE = 'sluice';
/** Of the server's own first role, which makes the others. */
export const ADMIN_ROLE = 'postgres';
/** Where the manifests mount the authority of the server's certificate. */
const AUTHORITY_PATH = '/etc/sluice/secrets/database-ca.crt';

/** An address as a service reads it, with TLS and the server's name checked; each cell has a server. */
export function databaseAddress(role: string, password: string, cell = FIRST_CELL): string {
  const server = `${workloadOfCell('postgres', cell)}.${NAMESPACE}.svc:5432`;
  const url = new URL(`postgres://${server}/${DATABASE}`);
  url.username = role;
  url.password = password;
  url.search = `sslmode=verify-full&sslrootcert=${AUTHORITY_PATH}`;
  return `${url.href}\n`;
}

/** As `sluice database prepare` makes them (D-11); they begin with the database's name. */
export function roleName(service: ServiceWithTables, role: DatabaseRole): string {
  return `${DATABASE}_${service}_${role}`;
}
