import { describe, expect, it } from '@jest/globals';
import { projections } from '@sluice/reporting';
import { ensureRolesAndSchema } from '@sluice/service';
import { testDatabase } from '@sluice/testing';
import { sluice } from './command-line-fixture.js';
import { servicesWithTables } from '@sluice/contracts';

const database = testDatabase();

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
      /payments +0 of 5 +event-store-begin, event-store-2, event-store-3, event-store-4, event-store-5\n$/,
    );
    expect(before.exitCode).toBe(3);
    const one = await run('migrations apply payments --json');
    expect(one.json()).toEqual([{ service: 'payments', applied: 5 }]);
    const all = await run('migrations status --json');
    expect(all.json()).toHaveLength(servicesWithTables.length);
    expect(all.exitCode).toBe(3);
    const applied = await run('migrations apply');
    expect(applied.output).toMatch(/^payments is up to date\.\nvault: \d+ steps? applied\.\n/);
    expect((await run('migrations status')).exitCode).toBe(0);
    // What reporting feeds, where it has not the owner's address to make it.
    const first = await run('projections list --json');
    const each = projections.map(({ name }) => ({ projection: name, state: 'live' }));
    expect(first.json()).toMatchObject(each);
    await run('migrations apply reporting');
    expect((await run('projections list --json')).json()).toHaveLength(each.length);
  }, 60_000);
});
