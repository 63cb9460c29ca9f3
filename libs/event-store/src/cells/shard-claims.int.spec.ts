import { describe, expect, it } from '@jest/globals';
import type { Client } from 'pg';
import { newClaim, newMember, SCHEMA } from '../store-fixture.js';
import { CellsFixture, streamIn } from './cells-fixture.js';
import type { Connect } from './move-session.js';
import { moveShards, type MoveStep, type ShardMoveOptions } from './shard-move.js';

const fixture = new CellsFixture();
const { source, target } = fixture;

/** Some thousand pages of claims, of which one in a hundred moves. */
const OLD_KEYS = 8_000;
const OLD_KEYS_OF_RANGE = OLD_KEYS / 100;
/** Claims since then lie in the last pages of two days, and an index of pages knows them in groups. */
const SHARE_READ_MAX = 0.1;

/** Claims of long ago, as appends wrote them. */
async function claimLongAgo(): Promise<void> {
  await source.rows(
    `INSERT INTO ${SCHEMA}.idempotency (day, key, command_id, stream_id, fingerprint, answer,
       transaction_id)
     SELECT today - age, 'old ' || n, md5('command ' || n)::uuid,
            left(md5('a' || n), 12) || CASE WHEN n % 100 = 0 THEN 'c0de' ELSE '0123' END
              || left(md5('b' || n), 16),
            repeat('f', 900), '{}', md5('transaction ' || n)
     FROM ${SCHEMA}.idempotency_day, generate_series(1, ${OLD_KEYS}) n, generate_series(0, 1) age`,
  );
}

/** Under both days, like an append, but in the transaction of `client`. */
function claim(client: Pick<Client, 'query'>, key: string): Promise<unknown> {
  return client.query(
    `INSERT INTO ${SCHEMA}.idempotency (day, key, command_id, stream_id, fingerprint, answer,
       transaction_id)
     SELECT today - age, $1, gen_random_uuid(), $2, 'f', '{}', 'of ' || $1
     FROM ${SCHEMA}.idempotency_day, generate_series(0, 1) age`,
    [key, streamIn('c0de')],
  );
}

interface Read {
  pages: number;
  rows: number;
}

interface Statement {
  readonly text: string;
  readonly values?: unknown[];
}

interface ExplainedPlan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Actual Rows': number;
}

/** Connections whose looks at the keys are executed twice: once to see what they read. */
function counting(connect: Connect, isCounting: () => boolean, read: Read): Connect {
  return async () => {
    const client = await connect();
    const query = client.query.bind<(statement: unknown) => Promise<unknown>>(client);
    const counted = async (statement: Statement): Promise<unknown> => {
      if (isCounting() && /FROM ledger\.idempotency i\b/.test(statement.text)) {
        const { text, values } = statement;
        const { rows } = (await query({
          ...{ text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values },
        })) as { rows: { 'QUERY PLAN': [{ Plan: ExplainedPlan }] }[] };
        const plan = rows[0]!['QUERY PLAN'][0].Plan;
        read.pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        read.rows += plan['Actual Rows'];
      }
      return query(statement);
    };
    return Object.assign(client, { query: counted as typeof client.query });
  };
}

/** What a move reads of the source's keys while nobody carries the range. */
async function readWhileNobodyCarries(
  options: ShardMoveOptions,
  { isFenced = false } = {},
): Promise<Read> {
  const read = { pages: 0, rows: 0 };
  let isCounting = isFenced;
  const onStep = (step: MoveStep): void => {
    options.onStep?.(step, 0);
    if (step === 'fence') isCounting = true;
    if (step === 'rest') isCounting = false;
  };
  await moveShards({
    ...options,
    source: counting(options.source, () => isCounting, read),
    onStep,
  });
  return read;
}

async function pagesOfKeys(): Promise<number> {
  const [row] = await source.rows<{ pages: number }>(
    `SELECT sum(pg_relation_size(inhrelid))::int / 8192 AS pages FROM pg_inherits
     WHERE inhparent = '${SCHEMA}.idempotency'::regclass`,
  );
  return row?.pages ?? 0;
}

const keysInTarget = async (): Promise<string[]> => {
  const rows = await target.rows<{ key: string }>(
    `SELECT key FROM ${SCHEMA}.idempotency GROUP BY key HAVING count(*) = 2 ORDER BY key`,
  );
  return rows.map(({ key }) => key);
};

const isNew = (key: string): boolean => !key.startsWith('old ');

describe('idempotency keys that were claimed since they were copied', () => {
  it('arrive, in whatever transaction, and the others are not looked at again', async () => {
    await claimLongAgo();
    const open = await fixture.connector(source)();
    await open.query('BEGIN');
    await claim(open, 'in an open transaction');
    const ended: Promise<unknown>[] = [];
    const onStep = (step: MoveStep): void => {
      if (step === 'copy' && ended.length === 0) ended.push(claim(source.owner, 'while copying'));
      if (step !== 'close') return;
      ended.push(claim(source.owner, 'after the copy'), open.query('COMMIT'));
    };
    await source.store().append(newMember({ streamId: streamIn('c0de'), dueInMs: 60_000 }));
    const read = await readWhileNobodyCarries(fixture.options({ drainMs: 2_000, onStep }));
    await Promise.all(ended);
    const keys = await keysInTarget();
    expect(keys.filter(isNew)).toEqual([
      ...['after the copy', 'in an open transaction', 'while copying'],
    ]);
    expect(keys).toHaveLength(OLD_KEYS_OF_RANGE + 3);
    const pages = await pagesOfKeys();
    expect(pages).toBeGreaterThan(OLD_KEYS / 8);
    expect(read.pages).toBeLessThan(pages * SHARE_READ_MAX);
    expect(read.rows).toBeLessThanOrEqual(6);
  }, 30_000);

  it.each(['fence', 'rest'] as const)(
    'are all that a mover looks at which goes on after one that was killed after %s',
    async (step) => {
      await claimLongAgo();
      const pages = await pagesOfKeys();
      await source
        .store()
        .append(newMember({ streamId: streamIn('c0de'), idempotency: newClaim('as ever') }));
      await expect(moveShards(fixture.killedAfter(step))).rejects.toThrow();
      // Of another range; this one is carried by nobody.
      await source
        .store()
        .append(newMember({ streamId: streamIn('0123'), idempotency: newClaim('elsewhere') }));
      const read = await readWhileNobodyCarries(fixture.options(), { isFenced: true });
      expect(read.pages).toBeLessThan(pages * SHARE_READ_MAX);
      expect(read.rows).toBeLessThanOrEqual(2);
      const keys = await keysInTarget();
      expect(keys.filter(isNew)).toEqual(['as ever']);
      expect(keys).toHaveLength(OLD_KEYS_OF_RANGE + 1);
    },
    30_000,
  );

  it('arrive under a mover of this build, although one of an earlier build had begun', async () => {
    await claimLongAgo();
    await expect(moveShards(fixture.killedAfter('fence'))).rejects.toThrow();
    await target.rows(`TRUNCATE ${SCHEMA}.idempotency`);
    await target.rows(`UPDATE ${SCHEMA}.shard_moves SET claimed_before = NULL`);
    await fixture.move();
    expect(await keysInTarget()).toHaveLength(OLD_KEYS_OF_RANGE);
  }, 30_000);

  it('arrive from days that have no index by transactions, too', async () => {
    const [index] = await source.rows<{ definition: string }>(
      `SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index
       WHERE indexrelid = '${SCHEMA}.idempotency_by_transaction'::regclass`,
    );
    await source.rows(`DROP INDEX ${SCHEMA}.idempotency_by_transaction`);
    const ended: Promise<unknown>[] = [];
    const onStep = (step: MoveStep): void => {
      if (step === 'close') ended.push(claim(source.owner, 'after the copy'));
    };
    await source.store().append(newMember({ streamId: streamIn('c0de'), dueInMs: 60_000 }));
    await fixture.move({ drainMs: 2_000, onStep });
    await Promise.all(ended);
    await source.rows(index!.definition.replace(' ONLY ', ' '));
    expect(await keysInTarget()).toEqual(['after the copy']);
  });

  it('are copied page by page, and after each a move can be stopped', async () => {
    await source.rows(
      `INSERT INTO ${SCHEMA}.idempotency (day, key, command_id, stream_id, fingerprint, answer,
         transaction_id)
       SELECT today, n, gen_random_uuid(), $1, 'f', '{}', n
       FROM ${SCHEMA}.idempotency_day, generate_series(1, 15000) n`,
      [streamIn('c0de')],
    );
    const stop = new AbortController();
    const pages: number[] = [];
    const onStep = (step: MoveStep, rows: number): void => {
      if (step !== 'keys') return;
      pages.push(rows);
      stop.abort();
    };
    await expect(fixture.move({ onStep, signal: stop.signal })).rejects.toThrow('abort');
    expect(pages).toEqual([10_000]);
    expect(await fixture.carried(source)).toEqual(['{[0,65536)}', '{}']);
  }, 30_000);

  it('are not looked for while a VACUUM holds their table, and nobody waits for the move', async () => {
    const client = await fixture.connector(source)();
    const [day] = await source.rows<{ name: string }>(
      `SELECT max(inhrelid::regclass::text) AS name FROM pg_inherits
       WHERE inhparent = '${SCHEMA}.idempotency'::regclass`,
    );
    await client.query(`BEGIN; LOCK TABLE ${day!.name} IN SHARE UPDATE EXCLUSIVE MODE`);
    const steps: MoveStep[] = [];
    await expect(fixture.move({ onStep: (step) => steps.push(step) })).rejects.toThrow(
      'A VACUUM or a change of the schema has held a partition of ledger.idempotency for 10 s; run ' +
        'this again when it has ended.',
    );
    expect(new Set(steps)).toEqual(new Set(['begin', 'copy']));
  }, 30_000);
});
