import { describe, expect, it } from '@jest/globals';
import { projections } from '@sluice/reporting';
import { ensureRolesAndSchema } from '@sluice/service';
import { testDatabase } from '@sluice/testing';
import { sluice } from './command-line-fixture.js';
import { servicesWithTables } from '@sluice/contracts';
import { Pool } from 'pg';

const database = testDatabase();

describe('the tables of a second cell', () => {
  const second = testDatabase();

  it('know which cell they are, and are never taken for those of another', async () => {
    const { payments } = await ensureRolesAndSchema(second.url, ['payments']);
    const environment = {
      PAYMENTS_DATABASE_URL: payments.appUrl,
      PAYMENTS_OWNER_DATABASE_URL: payments.ownerUrl,
    };
    const asSecond = { environment: { ...environment, PAYMENTS_CELL: '2' } };
    expect((await sluice('migrations apply payments', asSecond)).exitCode).toBe(0);
    const pool = new Pool({ connectionString: payments.ownerUrl, max: 1 });
    const { rows } = await pool.query('SELECT cell, carried::text FROM payments.carried_shards');
    await pool.end();
    expect(rows).toEqual([{ cell: 2, carried: '{}' }]);
    const asFirst = await sluice('migrations apply payments', { environment });
    expect(asFirst.exitCode).toBe(4);
    expect(asFirst.errors).toContain('is the database of cell 2, and PAYMENTS_CELL says 1');
  }, 60_000);

  it('have a number', async () => {
    const environment = { PAYMENTS_CELL: '0' };
    const refused = await sluice('migrations apply payments', { environment });
    expect(refused.exitCode).toBe(2);
    expect(refused.errors).toContain('PAYMENTS_CELL');
  });
});

describe('the schemas of an empty database', () => {
  it('are behind (exit code 3), are brought up to date, and then are', async () => {
    const databases = await ensureRolesAndSchema(database.url, servicesWithTables);
    const environment = Object.fromEntries(
      servicesWithTables.flatMap((service) => [
        [`${service.toUpperCase()}_DATABASE_URL`, databases[service].appUrl],
        [`${service.toUpperCase()}_OWNER_DATABASE_URL`, databases[service].ownerUrl],
      ]),
    );
    const run = (line: string) => sluice(line, { environment });
    const before = await run('migrations status payments');
    expect(before.output).toMatch(
      /payments +0 of 9 +event-store-begin, event-store-2, event-store-3, event-store-4, event-store-5, event-store-6, event-store-7, event-store-8, event-store-9\n$/,
    );
    expect(before.exitCode).toBe(3);
    const one = await run('migrations apply payments --json');
    expect(one.json()).toEqual([{ service: 'payments', applied: 9 }]);
    const all = await run('migrations status --json');
    expect(all.json()).toHaveLength(servicesWithTables.length);
    expect(all.exitCode).toBe(3);
    const applied = await run('migrations apply');
    expect(applied.output).toMatch(
      /^payments is up to date\.\nregistrations: \d+ steps? applied\.\n/,
    );
    expect((await run('migrations status')).exitCode).toBe(0);
    // What reporting feeds, where it has not the owner's address to make it.
    const first = await run('projections list --json');
    const each = projections.map(({ name }) => ({ projection: name, state: 'live' }));
    expect(first.json()).toMatchObject(each);
    await run('migrations apply reporting');
    expect((await run('projections list --json')).json()).toHaveLength(each.length);
  }, 60_000);
});
