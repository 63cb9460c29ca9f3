import type { ServiceWithTables } from '@sluice/contracts';
import { Client, escapeIdentifier } from 'pg';
import type { InstallationDatabase } from './database.js';

/** Whoever still works on a table is waited for so long, and no longer. */
const LOCK_TIMEOUT_MS = 3_000;

/**
 * Empties the schemas of services that do not run: drops them with all that is in them, so that each
 * makes its tables anew at its next start. Roles and passwords stay as they are.
 */
export async function clearSchemas(
  { adminUrl, services }: InstallationDatabase,
  names: readonly ServiceWithTables[],
): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  // A lost connection fails the statement that it was lost in.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT set_config('lock_timeout', $1, true)", [String(LOCK_TIMEOUT_MS)]);
    for (const { schema, ownerRole } of names.map((name) => services[name])) {
      const dropping = `DROP SCHEMA ${escapeIdentifier(schema)} CASCADE`;
      await client.query(dropping);
      const making = `CREATE SCHEMA ${escapeIdentifier(schema)} AUTHORIZATION ${escapeIdentifier(ownerRole)}`;
      await client.query(making);
    }
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
