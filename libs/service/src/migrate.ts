import { type Client, escapeIdentifier } from 'pg';
import type { Logger, MigrationInterface, QueryRunner } from 'typeorm';
import { connectClient } from './database.js';
import { DependencyMissing } from './wait-for.js';

/** One step of a schema's history: forward only, and never changed once released. */
export interface Migration {
  /** Unique within the schema for ever. */
  readonly name: string;
  /** Plain SQL, run in this order in one transaction. */
  readonly statements: readonly string[];
  /**
   * The step that a schema's history begins with. A schema that has steps, and not this one, was
   * made by a release that this one cannot continue, and is refused.
   */
  readonly begins?: true;
}

/** What to bring up to date. */
export interface MigrateOptions {
  /** The owner role's connection string. */
  readonly url: string;
  readonly schema: string;
  /** In their order; new ones go to the end. */
  readonly migrations: readonly Migration[];
  /** May see which steps the schema has seen, because it waits for them; absent: nobody does. */
  readonly appRole?: string;
}

/**
 * TypeORM wants a time at the end of a name and sorts by it. Ours have one and the same, so that
 * the order of the list rules, whatever other libraries' steps stand before.
 */
const TIMESTAMP = '1700000000000';
const TABLE = 'migrations';

/**
 * Runs the steps that the schema has not seen, all in one transaction, one process at a time.
 * Returns how many. TypeORM is loaded only when there is something to run: most starts have
 * nothing.
 */
export async function migrate(options: MigrateOptions): Promise<number> {
  const client = await connectClient({ connectionString: options.url });
  try {
    if ((await pending(client, options)).length === 0) {
      await letAppRoleSee(client, options);
      return 0;
    }
    // Held by the session until its end: a second process waits here and then finds nothing to do.
    await client.query("SELECT pg_advisory_lock(hashtextextended('sluice-migrate/' || $1, 0))", [
      options.schema,
    ]);
    const steps = await pending(client, options);
    if (steps.length > 0) await run(options);
    await letAppRoleSee(client, options);
    return steps.length;
  } finally {
    await client.end();
  }
}

/** The names of the steps that the schema has not seen, in their order; changes nothing. */
export async function pendingMigrations(options: MigrateOptions): Promise<readonly string[]> {
  const client = await connectClient({ connectionString: options.url });
  try {
    return (await pending(client, options)).map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Once; a grant at every start would write to the catalogue each time. */
async function letAppRoleSee(client: Client, { schema, appRole }: MigrateOptions): Promise<void> {
  if (appRole === undefined) return;
  const table = `${escapeIdentifier(schema)}.${TABLE}`;
  const { rows } = await client.query<{ granted: boolean }>(
    "SELECT has_table_privilege(oid, $2, 'SELECT') AS granted FROM pg_roles WHERE rolname = $1",
    [appRole, table],
  );
  // Without the role there is nobody who waits; whoever comes as it learns that from the server.
  if (rows[0]?.granted !== false) return;
  const text = `GRANT SELECT ON ${table} TO ${escapeIdentifier(appRole)}`;
  await client.query(text);
}

async function pending(client: Client, options: MigrateOptions): Promise<readonly Migration[]> {
  const table = `${escapeIdentifier(options.schema)}.${TABLE}`;
  const { rows: found } = await client.query<{ exists: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS exists',
    [table],
  );
  if (found[0]?.exists !== true) return options.migrations;
  const text = `SELECT name FROM ${table}`;
  const { rows } = await client.query<{ name: string }>(text);
  const done = new Set(rows.map(({ name }) => name));
  refuseOtherHistory(options, done);
  return options.migrations.filter(({ name }) => !done.has(recordedName(name)));
}

/** Nothing would run in such a schema, and the first statement of the service would miss a column. */
function refuseOtherHistory({ schema, migrations }: MigrateOptions, done: Set<string>): void {
  const begin = migrations.find(({ begins }) => begins);
  if (begin === undefined || done.size === 0 || done.has(recordedName(begin.name))) return;
  throw new Error(
    `The schema ${schema} was made by a release that this one cannot continue: it lacks the step ` +
      `${begin.name}. Start with an empty database; for a sandbox, npm start -- --reset empties its data folder.`,
  );
}

async function run({ url, schema, migrations }: MigrateOptions): Promise<void> {
  const { DataSource } = await import('typeorm');
  const source = new DataSource({
    type: 'postgres',
    url,
    schema,
    migrations: migrations.map(migrationClass),
    migrationsTableName: TABLE,
    migrationsTransactionMode: 'all',
    synchronize: false,
    // Its own would print to the console; whoever called gets the error anyway.
    logger: silentLogger,
    poolSize: 1,
    extra: { options: `-c search_path=${schema}` },
  });
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}

const ignore = (): void => undefined;
const silentLogger: Logger = {
  logQuery: ignore,
  logQueryError: ignore,
  logQuerySlow: ignore,
  logSchemaBuild: ignore,
  logMigration: ignore,
  log: ignore,
};

function recordedName(name: string): string {
  return `${name}-${TIMESTAMP}`;
}

function migrationClass({ name, statements }: Migration): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = recordedName(name);

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements) await runner.query(statement);
    }

    down(): Promise<void> {
      return Promise.reject(new Error('Schemas go forward only; restore a backup instead.'));
    }
  };
}

/** Where a service's tables are, and who it is there. */
export interface ServiceAddress {
  /** As the application role. */
  readonly databaseUrl: string;
  /** As the owner role; absent where migrations run apart. */
  readonly ownerDatabaseUrl?: string;
  readonly schema: string;
}

/**
 * Migrates a service that was given the owner's address. One that was not waits for whoever does
 * (D-56): throws DependencyMissing, so that a start is tried again, until every step is there that
 * this build knows. More steps than that are those of a newer build, which an older one lives with.
 */
export async function ensureMigrated(
  { databaseUrl, ownerDatabaseUrl, schema }: ServiceAddress,
  migrationsFor: (names: { schema: string; appRole: string }) => readonly Migration[],
): Promise<void> {
  const appRole = decodeURIComponent(new URL(databaseUrl).username);
  const migrations = migrationsFor({ schema, appRole });
  if (ownerDatabaseUrl !== undefined) {
    await migrate({ url: ownerDatabaseUrl, schema, migrations, appRole });
    return;
  }
  const steps = await pendingMigrations({ url: databaseUrl, schema, migrations });
  if (steps.length === 0) return;
  throw new DependencyMissing(
    `The schema ${schema} lacks ${steps.join(', ')}: "sluice migrations apply" has not run yet.`,
  );
}
