import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startTestDatabase, testDatabase } from './test-database.js';

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('a test database', () => {
  const shared = testDatabase();

  it('is empty, durable, and the file shares it between its tests', async () => {
    await query(shared.url, 'CREATE TABLE seen (value int)');
    expect(await query(shared.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    expect(await query(shared.url, 'SELECT current_database() AS name')).toEqual([
      { name: shared.name },
    ]);
  });

  it('is another one for every call, on the same server', async () => {
    const other = await startTestDatabase();
    expect(new URL(other.url).host).toBe(new URL(shared.url).host);
    await expect(query(other.url, 'SELECT * FROM seen')).rejects.toThrow('does not exist');
    expect(await query(shared.url, 'SELECT * FROM seen')).toEqual([]);
    await other.drop();
  });

  it('is dropped with its roles although somebody is connected', async () => {
    const other = await startTestDatabase();
    await query(other.url, `CREATE ROLE ${other.name}_payments_app`);
    const client = new pg.Client({ connectionString: other.url });
    client.on('error', () => undefined);
    await client.connect();
    await other.drop();
    const left = `SELECT datname AS name FROM pg_database WHERE starts_with(datname, '${other.name}')
      UNION SELECT rolname FROM pg_roles WHERE starts_with(rolname, '${other.name}')`;
    expect(await query(shared.url, left)).toEqual([]);
    await client.end().catch(() => undefined);
  });
});
