import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, DatabaseFailure, type FailureKind } from './database.js';
import { germanServer } from './german-server-fixture.js';
import { newMember, SCHEMA, StoreFixture } from './store-fixture.js';

const fixture = new StoreFixture();
const ANSWER_TIMEOUT_MS = 5_000;

/** Statements that fail, and what is known of them then. */
const failures: readonly (readonly [what: string, text: string, kind: FailureKind])[] = [
  ['a key that is there', `INSERT INTO ${SCHEMA}.taken VALUES (1)`, 'conflict'],
  ['a table that is not there', `SELECT FROM ${SCHEMA}.nothing`, 'refused'],
  ['a text that is no number', "SELECT 'x'::int", 'refused'],
  ['a statement that takes too long', 'SELECT pg_sleep(10)', 'notExecuted'],
  ['a session that is ended', 'SELECT pg_terminate_backend(pg_backend_pid())', 'inDoubt'],
];

describe.each(['English', 'German'] as const)('a server that speaks %s', (language) => {
  let url: string;
  let close = (): Promise<void> => Promise.resolve();

  beforeAll(async () => {
    await fixture.rows(`CREATE TABLE IF NOT EXISTS ${SCHEMA}.taken (id int PRIMARY KEY)`);
    await fixture.rows(`INSERT INTO ${SCHEMA}.taken VALUES (1) ON CONFLICT DO NOTHING`);
    await fixture.rows(`GRANT INSERT ON ${SCHEMA}.taken TO PUBLIC`);
  });

  beforeEach(async () => {
    url = fixture.appUrl;
    if (language === 'German') ({ url, close } = await germanServer(url));
  });

  afterEach(async () => {
    await fixture.closePools();
    await close();
  });

  it.each(failures)('fails on %s, and the same is known', async (_what, text, kind) => {
    const pool = fixture.pool({ connectionString: url, statement_timeout: 50 });
    const failure: unknown = await new Database(pool, ANSWER_TIMEOUT_MS)
      .execute({ text })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseFailure);
    expect(failure).toMatchObject({ kind });
  });

  it('lets an append conflict at once, without a doubt', async () => {
    const pool = fixture.pool({ connectionString: url });
    // Were it in doubt, it would give up at once with an error.
    const store = fixture.store({ patienceMs: 0, doubtPatienceMs: 0 }, pool);
    const { streamId } = newMember();
    await store.append(newMember({ streamId }));
    expect(await store.append(newMember({ streamId }))).toEqual({ kind: 'versionConflict' });
  });
});
