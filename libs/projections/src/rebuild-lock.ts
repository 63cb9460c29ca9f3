import { Client } from 'pg';
import type { Projection } from './projection.js';
import { assertIdentifier } from './table-set.js';

/** What the lock is about: the owner's connection, and the projection. */
export interface LockedProjection {
  readonly url: string;
  readonly schema: string;
}

/**
 * The right to rebuild a projection: one process in the whole installation has it. It is held by
 * the session that also writes the new rows, so that a process that loses it can no longer write,
 * and it ends with the process, however that ends.
 */
export class RebuildLock {
  constructor(readonly session: Client) {}

  /** Rejects when the session, and the lock with it, is lost. */
  async assertHeld(): Promise<void> {
    await this.session.query('SELECT');
  }

  /** Releases it for others. */
  async release(): Promise<void> {
    await this.session.end();
  }
}

/** Takes the lock; undefined if somebody else has it. */
export async function rebuildLock(
  { url, schema }: LockedProjection,
  { name }: Pick<Projection, 'name'>,
): Promise<RebuildLock | undefined> {
  assertIdentifier(schema);
  const session = new Client({ connectionString: url, application_name: 'sluice-rebuild' });
  // A lost connection fails the current statement; without a listener it would also end the
  // process.
  session.on('error', () => undefined);
  await session.connect();
  try {
    const { rows } = await session.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended('sluice-rebuild/' || $1, 0)) AS taken`,
      [`${schema}.${name}`],
    );
    if (rows[0]?.taken === true) return new RebuildLock(session);
  } catch (error) {
    await session.end();
    throw error;
  }
  await session.end();
  return undefined;
}
