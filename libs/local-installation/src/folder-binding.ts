import { KeyFileError, makeWholeFile } from '@sluice/service';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';

/** Which data folder this is, wherever it lies. */
export interface FolderIdentity {
  readonly id: string;
  readonly path: string;
  /** It had no keys yet, so nothing was ever written with them. */
  readonly isNew: boolean;
}

/** The data folder that a database was begun with, as far as is known. */
export interface OtherFolder {
  /** Absent: payments were taken before databases knew their folder. */
  readonly path?: string;
}

const ID_BYTES = 16;
const ID = /^[0-9a-f]{32}$/;

/** Reads who the folder is, and makes it somebody first if need be. Throws KeyFileError. */
export function identityOf(dataFolder: string): Promise<FolderIdentity> {
  const keys = join(dataFolder, 'keys');
  // Asked at once: the keys are made while the database starts.
  return identityWith(dataFolder, keys, !existsSync(join(keys, 'vault.json')));
}

async function identityWith(path: string, keys: string, isNew: boolean): Promise<FolderIdentity> {
  const file = join(keys, 'installation.id');
  await mkdir(keys, { recursive: true, mode: 0o700 });
  await makeWholeFile(file, `${randomBytes(ID_BYTES).toString('hex')}\n`);
  const id = (await readFile(file, 'utf8')).trim();
  if (!ID.test(id)) throw new KeyFileError(`The file ${file} is damaged.`);
  return { id, path, isNew };
}

/**
 * Binds an empty database to the folder, and finds the binding again at later starts: the events
 * lie in the database, but the simulator's book and the keys without which nobody can settle or
 * read the payments lie in the folder. Answers the other folder if it is another's. A folder may
 * have several databases: its book then has the references of all, which are never mixed up.
 */
export async function bindDatabase(
  client: Client,
  folder: FolderIdentity,
): Promise<OtherFolder | undefined> {
  await client.query('BEGIN');
  try {
    const other = await boundToOther(client, folder);
    await client.query(other === undefined ? 'COMMIT' : 'ROLLBACK');
    return other;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function boundToOther(
  client: Client,
  folder: FolderIdentity,
): Promise<OtherFolder | undefined> {
  const { rows: states } = await client.query<{ bound: boolean; used: boolean }>(
    `SELECT to_regclass('sluice.installation') IS NOT NULL AS bound,
            EXISTS (SELECT FROM pg_tables WHERE schemaname = 'payments') AS used`,
  );
  const { bound = false, used = false } = states[0] ?? {};
  if (bound) {
    const { rows } = await client.query<{ id: string; path: string; host: string }>(
      'SELECT id, path, host FROM sluice.installation',
    );
    const [owner] = rows;
    if (owner !== undefined && owner.id !== folder.id) {
      return { path: owner.host === hostname() ? owner.path : `${owner.path} of ${owner.host}` };
    }
  } else if (used && folder.isNew) {
    return {};
  } else {
    await client.query('CREATE SCHEMA IF NOT EXISTS sluice');
    await client.query(
      `CREATE TABLE sluice.installation (
         one boolean PRIMARY KEY DEFAULT true CHECK (one),
         id text NOT NULL, path text NOT NULL, host text NOT NULL)`,
    );
  }
  // The place is for people alone: a folder may be moved.
  await client.query(
    `INSERT INTO sluice.installation (id, path, host) VALUES ($1, $2, $3)
     ON CONFLICT (one) DO UPDATE SET path = excluded.path, host = excluded.host`,
    [folder.id, folder.path, hostname()],
  );
  return undefined;
}
