import { Client } from 'pg';
import type { Projection } from './projection.js';
import { assertIdentifier } from './table-set.js';

/** What the lock is about: the owner's connection, and the projection. */
export interface LockedProjection {
  readonly url: string;
  readonly schema: string;
}

/**
 * The right to rebuild a projection: one process in the whole installation has it. It is held by the
 * session that also writes the new rows, so that who loses it cannot write any more, and it ends with
 * the process, however that ends.
 */
export class RebuildLock {
  constructor(readonly session: Client) {}

  /** Rejects when the session, and the lock with it, is lost. */
  async assertHeld(): Promise<void> {
    await this.session.query('SELECT');
  }

  /** Lets others have it. */
  async release(): Promise<void> {
    await this.session.end();
  }
}

/** Takes the lock if nobody has it; undefined when somebody does. */
export async function rebuildLock(
  { url, schema }: LockedProjection,
  { name }: Pick<Projection, 'name'>,
): Promise<RebuildLock | undefined> {
  assertIdentifier(schema);
  const session = new Client({ connectionString: url, application_name: 'sluice-rebuild' });
  // A lost connection shows in the statement under way; without a listener it would end the process.
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
