import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { type Client, escapeIdentifier, escapeLiteral } from 'pg';
import { connectClient } from './database.js';

/** Where one service keeps its tables, and as whom it comes (D-11). */
export interface ServiceDatabase {
  readonly schema: string;
  /** May change the schema; migrations alone use it. Holds a password. */
  readonly ownerUrl: string;
  /** May do what the migrations grant. Holds a password. */
  readonly appUrl: string;
  readonly ownerRole: string;
  /** To be granted to in migrations. */
  readonly appRole: string;
}

/** A role with the password that somebody else has been told. */
export interface GivenRole {
  readonly name: string;
  readonly password: string;
}

/** One service's schema, and the roles that come to it. */
export interface GivenService {
  readonly schema: string;
  readonly owner: GivenRole;
  readonly app: GivenRole;
  /** Another service's, which migrations let read a few tables. */
  readonly reader?: GivenRole;
}

/** The database cannot be prepared; the message is a sentence that says what to grant. */
export class DatabaseAccessError extends Error {
  override readonly name = 'DatabaseAccessError';
}

/** SQLSTATE 42501. */
const INSUFFICIENT_PRIVILEGE = '42501';
const SCRAM_ITERATIONS = 4_096;
/** Leaves room for `_<service>_owner` within PostgreSQL's 63. */
const PREFIX_CHARACTERS_MAX = 40;

/**
 * Makes, in the database of `adminUrl`, a schema of its own for each service with an owner role and
 * an app role; finds them again at the next start. Roles belong to the whole server, so their names
 * begin with the database's; their passwords are new each time and stay in memory. Throws
 * DatabaseAccessError when the administrator may not, or a schema of that name is somebody else's.
 */
export async function ensureRolesAndSchema<Service extends string>(
  adminUrl: string,
  services: readonly Service[],
): Promise<Readonly<Record<Service, ServiceDatabase>>> {
  return asAdministrator(adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
    const prefix = rolePrefix(rows[0]?.name ?? '');
    const databases: Partial<Record<Service, ServiceDatabase>> = {};
    for (const service of services) {
      databases[service] = await ensureService(client, adminUrl, prefix, service);
    }
    return databases as Record<Service, ServiceDatabase>;
  });
}

/**
 * The same with roles and passwords that are given, because the services are told them elsewhere.
 * Each call sets the passwords anew; what is there already stays. Throws DatabaseAccessError.
 */
export async function ensureGivenRoles(
  adminUrl: string,
  services: readonly GivenService[],
): Promise<void> {
  await asAdministrator(adminUrl, async (client) => {
    for (const { schema, owner, app, reader } of services) {
      await ensureRole(client, owner);
      await ensureRole(client, app);
      if (reader !== undefined) await ensureRole(client, reader);
      await ensureSchema(client, schema, owner.name);
    }
  });
}

/** One transaction, one at a time. */
async function asAdministrator<Result>(
  adminUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connectClient({ connectionString: adminUrl });
  try {
    await client.query('BEGIN');
    // Two starts at once would trip over each other's roles.
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('sluice-roles', 0))");
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    if ((error as { code?: string }).code === INSUFFICIENT_PRIVILEGE) {
      throw new DatabaseAccessError(grantAdvice(adminUrl, error as Error));
    }
    throw error;
  } finally {
    await client.end();
  }
}

function grantAdvice(adminUrl: string, error: Error): string {
  const { username, pathname } = new URL(adminUrl);
  const user = decodeURIComponent(username);
  const database = decodeURIComponent(pathname.slice(1));
  return (
    `The database user "${user}" may not make roles and schemas (${error.message}). As a ` +
    `superuser run: ALTER ROLE "${user}" CREATEROLE; GRANT CREATE ON DATABASE "${database}" TO "${user}";`
  );
}

/** The database's name as the beginning of plain identifiers; altered names get a digest. */
function rolePrefix(database: string): string {
  if (/^[a-z_][a-z0-9_]*$/.test(database) && database.length <= PREFIX_CHARACTERS_MAX) {
    return database;
  }
  const digest = createHash('sha256').update(database).digest('hex').slice(0, 8);
  const plain = database.toLowerCase().replace(/[^a-z0-9_]/g, '_');
  return `d_${plain.slice(0, PREFIX_CHARACTERS_MAX - 11)}_${digest}`;
}

async function ensureService(
  client: Client,
  adminUrl: string,
  prefix: string,
  service: string,
): Promise<ServiceDatabase> {
  const ownerRole = `${prefix}_${service}_owner`;
  const appRole = `${prefix}_${service}_app`;
  const ownerUrl = await ensureNewPassword(client, adminUrl, ownerRole);
  const appUrl = await ensureNewPassword(client, adminUrl, appRole);
  await ensureSchema(client, service, ownerRole);
  return { schema: service, ownerUrl, appUrl, ownerRole, appRole };
}

async function ensureNewPassword(client: Client, adminUrl: string, role: string): Promise<string> {
  const password = randomBytes(24).toString('hex');
  await ensureRole(client, { name: role, password });
  const url = new URL(adminUrl);
  url.username = role;
  url.password = password;
  return url.href;
}

async function ensureRole(client: Client, { name: role, password }: GivenRole): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  const verb = rowCount === 0 ? 'CREATE' : 'ALTER';
  const name = escapeIdentifier(role);
  // The verifier and not the password: a server that logs its statements logs this one too.
  const statement = `${verb} ROLE ${name} LOGIN PASSWORD ${escapeLiteral(scramVerifier(password))}`;
  await client.query(statement);
  if (rowCount === 0) {
    // From PostgreSQL 16 on, whoever makes a role is not its member by that alone.
    const membership = `GRANT ${name} TO CURRENT_USER`;
    await client.query(membership);
  }
}

async function ensureSchema(client: Client, schema: string, ownerRole: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    'SELECT nspowner::regrole::text AS owner FROM pg_namespace WHERE nspname = $1',
    [schema],
  );
  const owner = rows[0]?.owner;
  if (owner === undefined) {
    const statement = `CREATE SCHEMA ${escapeIdentifier(schema)} AUTHORIZATION ${escapeIdentifier(ownerRole)}`;
    await client.query(statement);
  } else if (owner !== ownerRole) {
    throw new DatabaseAccessError(
      `The database already has a schema "${schema}" that belongs to ${owner}. Give Sluice a ` +
        'database of its own.',
    );
  }
}

/** What PostgreSQL stores of a SCRAM-SHA-256 password (RFC 5803). */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
