import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { migrations } from '@sluice/event-store';
import { testDatabase } from '@sluice/testing';
import { Client } from 'pg';
import { projected } from './projection-side.js';

const ONE = '00000000000000000000000000000001';
const OTHER = '00000000000000000000000000000002';
/** What projected looks at of reporting. */
const REPORTING = `
  CREATE SCHEMA reporting;
  CREATE TABLE reporting.table_sets (id int, projection text, state text);
  INSERT INTO reporting.table_sets VALUES (7, 'transactions', 'live');
  CREATE TABLE reporting.transactions_7_streams (stream_id uuid PRIMARY KEY, version int)`;
/** A stream and its message are recorded, or its head moves on with another message. */
const RECORD = `
  WITH message AS (INSERT INTO payments.outbox (slot, stream_id, version) VALUES (0, $1, $2))
  INSERT INTO payments.streams (stream_id, version) VALUES ($1, $2)
  ON CONFLICT (stream_id) DO UPDATE SET version = excluded.version`;
const PUBLISH = 'DELETE FROM payments.outbox WHERE stream_id = $1 AND version <= $2';
const PROJECT = `
  INSERT INTO reporting.transactions_7_streams VALUES ($1::uuid, $2)
  ON CONFLICT (stream_id) DO UPDATE SET version = excluded.version`;
/** Whoever looks at the messages waits. */
const LOCK = 'LOCK TABLE payments.outbox IN ACCESS EXCLUSIVE MODE';
const WAITING = `SELECT FROM pg_locks WHERE relation = 'payments.outbox'::regclass AND NOT granted`;

describe('what waits until the projection has caught up', () => {
  let client: Client;
  // Before the database's own hook, which would end the connection.
  afterAll(async () => {
    await client.end();
  });
  const database = testDatabase();

  beforeAll(async () => {
    client = new Client({ connectionString: database.url });
    await client.connect();
    const role = `${database.name}_app`;
    const makeRole = `CREATE ROLE ${role}`;
    await client.query(makeRole);
    await client.query('CREATE SCHEMA payments');
    for (const { statements } of migrations({ schema: 'payments', appRole: role })) {
      for (const statement of statements) await client.query(statement);
    }
    await client.query(REPORTING);
  });

  beforeEach(async () => {
    await client.query(
      'TRUNCATE payments.streams, payments.outbox, reporting.transactions_7_streams',
    );
  });

  /** Each of these in one transaction, so that nobody sees a state between them. */
  async function atOnce(...steps: readonly (readonly [string, string, number])[]): Promise<void> {
    await client.query('BEGIN');
    for (const [text, ...values] of steps) await client.query(text, values);
    await client.query('COMMIT');
  }

  it('ends though others pay on, so that something is always behind', async () => {
    await atOnce([RECORD, OTHER, 1]);
    const waited = whatEnds(projected(database.url));
    for (let head = 2; !waited.hasEnded; head += 1) {
      await atOnce([RECORD, OTHER, head], [PROJECT, OTHER, head - 1], [PUBLISH, OTHER, head - 1]);
    }
    expect(await waited.end).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['published', PUBLISH, PROJECT],
    ['projected', PROJECT, PUBLISH],
  ])('does not end when all that was recorded is %s alone', async (_, first, second) => {
    await atOnce([RECORD, ONE, 1], [PROJECT, ONE, 1], [PUBLISH, ONE, 1], [RECORD, ONE, 2]);
    await client.query('BEGIN');
    await client.query(LOCK);
    const waited = whatEnds(projected(database.url));
    const looks: boolean[] = [await looksAgain(waited)];
    await client.query(first, [ONE, 2]);
    await client.query('COMMIT');
    // The first of these has begun before; the second one sees what was done.
    for (let look = 0; look < 2; look += 1) {
      await client.query('BEGIN');
      await client.query(LOCK);
      looks.push(await looksAgain(waited));
      await client.query('COMMIT');
    }
    expect(looks).toEqual([true, true, true]);
    await atOnce([second, ONE, 2]);
    expect(await waited.end).toBeGreaterThan(0);
  });

  /** Whether it has come to the locked table, instead of to its end. */
  async function looksAgain(waited: { readonly hasEnded: boolean }): Promise<boolean> {
    while (!waited.hasEnded) {
      if ((await client.query(WAITING)).rowCount === 1) return true;
    }
    return false;
  }
});

function whatEnds<Value>(end: Promise<Value>): {
  readonly end: Promise<Value>;
  readonly hasEnded: boolean;
} {
  const waited = { end, hasEnded: false };
  const note = (): void => void (waited.hasEnded = true);
  end.then(note, note);
  return waited;
}
