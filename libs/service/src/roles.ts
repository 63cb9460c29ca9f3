import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';

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
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    // Two starts at once would trip over each other's roles.
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('sluice-roles', 0))");
    const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
    const prefix = rolePrefix(rows[0]?.name ?? '');
    const databases: Partial<Record<Service, ServiceDatabase>> = {};
    for (const service of services) {
      databases[service] = await ensureService(client, adminUrl, prefix, service);
    }
    await client.query('COMMIT');
    return databases as Record<Service, ServiceDatabase>;
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
  const ownerUrl = await ensureRole(client, adminUrl, ownerRole);
  const appUrl = await ensureRole(client, adminUrl, appRole);
  await ensureSchema(client, service, ownerRole);
  return { schema: service, ownerUrl, appUrl, ownerRole, appRole };
}

async function ensureRole(client: Client, adminUrl: string, role: string): Promise<string> {
  const password = randomBytes(24).toString('hex');
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
  const url = new URL(adminUrl);
  url.username = role;
  url.password = password;
  return url.href;
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
