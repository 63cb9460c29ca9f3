import { NAMESPACE } from './leaves.js';

/** The services that keep tables; each has an owner role and an app role (D-11). */
export const databaseServices = ['payments', 'vault', 'accounts', 'reporting'] as const;

/** One of them. */
export type DatabaseService = (typeof databaseServices)[number];

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

/** Makes reporting's tables of the events of payments, and may read nothing else of theirs. */
export const READER_ROLE = `${DATABASE}_payments_reader`;

/** As `sluice database prepare` makes them; they begin with the database's name. */
export function roleName(service: DatabaseService, kind: 'owner' | 'app'): string {
  return `${DATABASE}_${service}_${kind}`;
}
