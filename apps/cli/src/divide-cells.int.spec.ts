import { describe, expect, it } from '@jest/globals';
import { ensureRolesAndSchema } from '@sluice/service';
import { testDatabase } from '@sluice/testing';
import { Pool } from 'pg';
import { sluice } from './command-line-fixture.js';

const databases = [testDatabase(), testDatabase()];

async function carriedIn(url: string): Promise<unknown> {
  const pool = new Pool({ connectionString: url, max: 1 });
  const { rows } = await pool.query('SELECT carried::text FROM payments.carried_shards');
  await pool.end();
  return (rows[0] as { carried: string }).carried;
}

describe('the shards of a new installation with two cells', () => {
  it('are divided once, where somebody says --execute', async () => {
    const owners: string[] = [];
    for (const [index, { url }] of databases.entries()) {
      const { payments } = await ensureRolesAndSchema(url, ['payments']);
      const environment = {
        PAYMENTS_DATABASE_URL: payments.appUrl,
        PAYMENTS_OWNER_DATABASE_URL: payments.ownerUrl,
        PAYMENTS_CELL: String(index + 1),
      };
      await sluice('migrations apply payments', { environment });
      owners.push(payments.ownerUrl);
    }
    const environment = { PAYMENTS_CELL_OWNER_DATABASE_URLS: owners.join(' ') };
    const planned = await sluice('cells divide', { environment });
    expect(planned.output).toContain('Nothing was done. Add --execute to do it.');
    expect(await carriedIn(owners[0]!)).toBe('{[0,65536)}');
    const done = await sluice('cells divide --execute', { environment });
    expect(done.output).toBe('Each of 2 cells has an equal part of the shards.\n');
    expect(await Promise.all(owners.map(carriedIn))).toEqual(['{[0,32768)}', '{[32768,65536)}']);
    const again = await sluice('cells divide --execute --json', { environment });
    expect([again.exitCode, again.json().divided]).toEqual([0, false]);
  }, 60_000);

  it('are not divided among one cell, or among none that are named', async () => {
    const one = { PAYMENTS_CELL_OWNER_DATABASE_URLS: 'postgres://owner@localhost/sluice' };
    for (const environment of [{}, one]) {
      const refused = await sluice('cells divide --execute', { environment });
      expect(refused.exitCode).toBe(2);
      expect(refused.errors).toContain('PAYMENTS_CELL_OWNER_DATABASE_URLS');
    }
  });
});
