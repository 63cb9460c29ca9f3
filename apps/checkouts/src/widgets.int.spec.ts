import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fixedClock, startTestDatabase, type TestDatabase } from '@sluice/testing';
import { ensureMigrated, ensureRolesAndSchema } from '@sluice/service';
import pg from 'pg';
import { migrations } from './schema.js';
import { Widgets } from './widgets.js';

const HOUR_MS = 60 * 60 * 1_000;
const version = (digit: string) => digit.repeat(32);

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await startTestDatabase();
  const { ownerUrl, appUrl, schema } = (await ensureRolesAndSchema(database.url, ['checkouts']))
    .checkouts;
  await ensureMigrated({ databaseUrl: appUrl, ownerDatabaseUrl: ownerUrl, schema }, migrations);
  const options = `-c search_path=${schema}`;
  pool = new pg.Pool({ connectionString: appUrl, max: 1, options });
}, 60_000);
beforeEach(() => pool.query('DELETE FROM widgets'));
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const clock = fixedClock(Date.UTC(2026, 0, 2));
const widgets = () => new Widgets(pool, clock);

describe('builds of the widget', () => {
  it('are found by the first digits of their versions, each as it was left', async () => {
    for (const digit of ['a', 'f', '0']) {
      await widgets().keep({ version: version(digit), bundle: `of ${digit}` });
    }
    for (const digit of ['a', 'f', '0']) {
      expect(await widgets().find({ version: version(digit).slice(0, 8) })).toEqual({
        bundle: `of ${digit}`,
      });
    }
    expect(await widgets().find({ version: 'aaaaaaab' })).toEqual({});
    expect(await widgets().find({ version: 'bbbbbbbb' })).toEqual({});
  });

  it('are kept for a day after an instance has last said that it has them', async () => {
    const [old, current] = [version('a'), version('b')];
    await widgets().keep({ version: old, bundle: 'old' });
    clock.advance(20 * HOUR_MS);
    await widgets().keep({ version: old, bundle: 'old' });
    clock.advance(20 * HOUR_MS);
    await widgets().keep({ version: current, bundle: 'current' });
    expect(await widgets().find({ version: old })).toEqual({ bundle: 'old' });
    clock.advance(5 * HOUR_MS);
    await widgets().keep({ version: current, bundle: 'current' });
    expect(await widgets().find({ version: old })).toEqual({});
    expect(await widgets().find({ version: current })).toEqual({ bundle: 'current' });
  });
});
