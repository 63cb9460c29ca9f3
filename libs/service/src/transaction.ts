import type { Pool, PoolClient } from 'pg';

/** Does work in one transaction, which is undone if it throws: then whatever it threw is thrown. */
export async function inTransaction<Result>(
  pool: Pick<Pool, 'connect'>,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failure = error as Error;
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    // A connection that failed may not be fit for another transaction.
    client.release(failure);
  }
}
