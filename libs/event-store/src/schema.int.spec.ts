import { describe, expect, it } from '@jest/globals';
import { AppendStatements } from './append-parameters.js';
import { EventStore } from './event-store.js';
import { checkpointAtStart } from './reader.js';
import { migrations } from './schema.js';
import {
  newClaim,
  newEvent,
  newMember,
  newStreamId,
  SCHEMA,
  StoreFixture,
} from './store-fixture.js';

const fixture = new StoreFixture();
const TODAY = `(SELECT today FROM ${SCHEMA}.idempotency_day)`;
const PLAIN = { publishes: false, hasShards: false };
const HOUR_MS = 3_600_000;
const HOURS_OF_A_DAY = 26;

describe('the role of the running service', () => {
  it.each([
    'UPDATE ledger.events SET type = type',
    'DELETE FROM ledger.events',
    'TRUNCATE ledger.events',
  ])('may not %s', async (statement) => {
    await fixture.store().append(newMember());
    // 42501: insufficient privilege.
    await expect(fixture.pool().query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('may not drop or alter tables', async () => {
    const pool = fixture.pool();
    for (const statement of [
      'DROP TABLE ledger.events',
      'ALTER TABLE ledger.events ADD COLUMN x int',
      'ALTER TABLE ledger.events DISABLE TRIGGER ALL',
      'DROP TABLE ledger.idempotency',
    ]) {
      await expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' });
    }
  });
});

describe('the schema', () => {
  it('takes plain names alone', () => {
    expect(() => migrations({ schema: 'a"; DROP', appRole: 'app' })).toThrow(TypeError);
    expect(() => migrations({ schema: 'a', appRole: 'App' })).toThrow(TypeError);
  });

  it('lets no append read a table from end to end, not even when planned on empty ones', async () => {
    const statements = new AppendStatements(SCHEMA, { publishes: true, hasShards: true });
    const full = newMember({
      transactionIds: [newStreamId()],
      idempotency: newClaim('plan'),
      personalKey: { wrapped: Buffer.from('k') },
    });
    const later = newMember({ expectedVersion: 1 });
    const client = await fixture.pool().connect();
    await client.query('SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off');
    for (const { text, values } of [
      statements.of([full, later]),
      statements.of([later]),
      statements.ofAlone(full),
      statements.ofAlone(later),
    ]) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).not.toContain('Seq Scan');
      expect(plan).toContain('Insert on events');
    }
    client.release();
  });
});

async function appRole(): Promise<string> {
  const [row] = await fixture.rows<{ name: string }>('SELECT current_database() AS name');
  return `${row?.name ?? ''}_app`;
}

describe('a store of version 0.1', () => {
  it('goes on under the next release: its events stay, new ones are published', async () => {
    const [first, ...later] = migrations({ schema: 'older', appRole: await appRole() });
    await fixture.rows('CREATE SCHEMA older');
    for (const statement of first?.statements ?? []) await fixture.rows(statement);
    // Its appends were those of a store that does not publish.
    const older = new EventStore(fixture.pool(), { schema: 'older' });
    const member = newMember();
    await older.append(member);

    for (const { statements } of later) {
      for (const statement of statements) await fixture.rows(statement);
    }
    // A process of the old release may still be at work.
    await older.append({ ...newMember(), streamId: member.streamId, expectedVersion: 1 });
    const newer = new EventStore(fixture.pool(), { schema: 'older', publishes: true });
    await newer.append({ ...newMember(), streamId: member.streamId, expectedVersion: 2 });
    expect((await newer.read(member.streamId)).map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(await newer.outbox.lag()).toMatchObject({ waiting: 1 });
    // What was never published is found by its head (D-21).
    const { heads } = await newer.headsAfter(checkpointAtStart, 10, 0);
    expect(heads).toEqual([{ streamId: member.streamId, version: 3 }]);
    expect(await newer.incarnation()).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('keys that were claimed before their transactions were recorded', () => {
  it('come before all later ones, and large partitions of theirs alone have no index', async () => {
    const steps = migrations({ schema: 'earlier', appRole: await appRole() });
    const index = steps.findIndex(({ name }) => name === 'event-store-9');
    const apply = async (applied: typeof steps): Promise<void> => {
      for (const { statements } of applied) {
        for (const statement of statements) await fixture.rows(statement);
      }
    };
    await fixture.rows('CREATE SCHEMA earlier');
    await apply(steps.slice(0, index));
    const store = new EventStore(fixture.pool(), { schema: 'earlier' });
    await store.append(newMember({ idempotency: newClaim('early') }));
    // Of today alone, and more than is indexed while appends wait.
    await fixture.rows(
      `INSERT INTO earlier.idempotency SELECT today, n, gen_random_uuid(), n, repeat('f', 1900), '{}', n
       FROM earlier.idempotency_day, generate_series(1, 9000) n`,
    );
    await apply(steps.slice(index));
    await store.append(newMember({ idempotency: newClaim('late') }));
    const [numbers] = await fixture.rows<{ early: string; late: string; sameEarly: string }>(
      `SELECT max(database_transaction) FILTER (WHERE key <> 'late') AS early,
              min(database_transaction) FILTER (WHERE key <> 'late') AS "sameEarly",
              min(database_transaction) FILTER (WHERE key = 'late') AS late
       FROM earlier.idempotency`,
    );
    expect(Number(numbers?.late)).toBeGreaterThan(Number(numbers?.early));
    expect(numbers?.sameEarly).toBe(numbers?.early);
    expect(await store.idempotency.find('early')).toMatchObject({ fingerprint: 'of early' });

    // A day that is made later has the index.
    await fixture.rows(`DO $$ BEGIN
      EXECUTE (SELECT format('DROP TABLE earlier.%I', 'idempotency_' || to_char(today + 7, 'YYYYMMDD'))
               FROM earlier.idempotency_day); END $$`);
    await store.idempotency.maintainPartitions();
    const without = await fixture.rows(
      `SELECT to_date(right(c.relname, 8), 'YYYYMMDD') - (SELECT today FROM earlier.idempotency_day) AS day
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE inhparent = 'earlier.idempotency'::regclass AND NOT EXISTS (
         SELECT FROM pg_index x JOIN pg_class ic ON ic.oid = x.indexrelid
         JOIN pg_am a ON a.oid = ic.relam WHERE x.indrelid = c.oid AND a.amname = 'brin')`,
    );
    expect(without).toEqual([{ day: 0 }]);
  });
});

describe('idempotency keys', () => {
  it.each([
    ['that it would have begun', 0],
    ['that others have written to', 1],
  ])('of a command that recorded nothing in a stream %s are free again', async (_, at) => {
    const store = fixture.store();
    const other = newMember({ transactionIds: [newStreamId()] });
    await store.append(other);
    const { streamId } = newMember();
    if (at === 1) await store.append(newMember({ streamId }));
    const key = `orphan at ${String(at)}`;
    // Its key is claimed, its transaction is not to be had: the claim stays, the events do not.
    const dead = newMember({
      ...{ streamId, expectedVersion: at, transactionIds: other.transactionIds ?? [] },
      idempotency: newClaim(key),
    });
    const companion = newMember();
    const [result] = await Promise.all([store.append(dead), store.append(companion)]);
    expect(result).toEqual({ kind: 'alreadyClaimed', claim: 'transaction' });
    expect(await store.idempotency.find(key)).toBeDefined();
    expect(await store.idempotency.isKept(key)).toBe(false);

    const next = newMember({ idempotency: newClaim(key) });
    expect(await store.append(next)).toEqual({ kind: 'appended', version: 1 });
    // The dead one, should it come back to life, finds the key taken and records nothing.
    expect(await store.append({ ...dead, transactionIds: [newStreamId()] })).toMatchObject({
      kind: 'alreadyClaimed',
      claim: 'idempotency',
      transactionId: next.idempotency?.transactionId,
    });
    expect(await store.read(streamId)).toHaveLength(at);
  });

  it.each([0, 1, 3])(
    'of an append alone on version %s of a stream at version 2 are not claimed at all',
    async (expectedVersion) => {
      const store = fixture.store();
      const { streamId } = newMember();
      await store.append(newMember({ streamId, events: [newEvent(), newEvent()] }));
      const key = `on version ${String(expectedVersion)}`;
      const late = newMember({ streamId, expectedVersion, idempotency: newClaim(key) });
      expect(await store.append(late)).toEqual({ kind: 'versionConflict' });
      expect(await store.idempotency.find(key)).toBeUndefined();
    },
  );

  it('of an append that waited for a rival on its stream are not claimed either', async () => {
    const store = fixture.store();
    const { streamId } = newMember();
    await store.append(newMember({ streamId }));
    const rival = await fixture.pool().connect();
    await rival.query('BEGIN');
    const rivals = newMember({ streamId, expectedVersion: 1 });
    const { text, values } = new AppendStatements(SCHEMA, PLAIN).of([rivals]);
    await rival.query(text, values);
    const late = store.append(
      newMember({ streamId, expectedVersion: 1, idempotency: newClaim('late') }),
    );
    await fixture.blocked(1);
    await rival.query('COMMIT');
    rival.release();
    expect(await late).toEqual({ kind: 'versionConflict' });
    expect(await store.idempotency.find('late')).toBeUndefined();
  });

  it('of a lost race for the version are not claimed at all', async () => {
    const store = fixture.store();
    const { streamId } = newMember();
    await store.append(newMember({ streamId }));
    const loser = newMember({ streamId, idempotency: newClaim('loser') });
    const companion = newMember({ idempotency: newClaim('companion') });
    const results = await Promise.all([store.append(loser), store.append(companion)]);
    expect(results.map(({ kind }) => kind)).toEqual(['versionConflict', 'appended']);
    expect(await store.idempotency.find('loser')).toBeUndefined();
  });

  it('are not released while their claimer is committing', async () => {
    const store = fixture.store();
    const owner = newMember({ idempotency: newClaim('alive') });
    // As the orphan of an owner who is deciding again under the same command id.
    await fixture.rows(
      `INSERT INTO ${SCHEMA}.idempotency SELECT day, 'alive', $1, $2, 'f', '{}', 't'
       FROM unnest(ARRAY[${TODAY} - 1, ${TODAY}]) AS day`,
      [owner.commandId, owner.streamId],
    );
    const slow = await fixture.pool().connect();
    await slow.query('BEGIN');
    const { text, values } = new AppendStatements(SCHEMA, PLAIN).of([owner]);
    await slow.query(text, values);
    // It sees a key without events, and would release it.
    const release = store.idempotency.findOrRelease('alive');
    await fixture.blocked(1);
    await slow.query('COMMIT');
    slow.release();
    await release;
    expect(await store.idempotency.find('alive')).toBeDefined();
    const rival = store.append(newMember({ idempotency: newClaim('alive') }));
    expect(await rival).toMatchObject({ kind: 'alreadyClaimed', claim: 'idempotency' });
    expect(await store.read(owner.streamId)).toHaveLength(1);
  });

  it('hold for a day of work and more, and are dropped with their day', async () => {
    const store = fixture.store();
    const member = newMember({ idempotency: newClaim('kept') });
    expect(await store.idempotency.isKept('kept')).toBe(false);
    await store.append(member);
    expect(await store.idempotency.isKept('kept')).toBe(true);
    const again = () => store.append(newMember({ idempotency: newClaim('kept') }));
    const taken = { kind: 'alreadyClaimed', transactionId: member.idempotency?.transactionId };
    for (let hours = 0; hours < HOURS_OF_A_DAY; hours += 1) {
      expect(await again()).toMatchObject(taken);
      await passes(HOUR_MS);
      expect(await store.idempotency.maintainPartitions()).toBeGreaterThanOrEqual(HOUR_MS);
    }
    // A new day: still kept under the last one. The day before goes with the first hour.
    expect(await again()).toMatchObject(taken);
    expect(await store.idempotency.isKept('kept')).toBe(false);
    expect(await daysOfPartitions()).toEqual([-2, -1, 0, 1, 2, 3, 4, 5, 6, 7]);
    for (let hours = 0; hours < HOURS_OF_A_DAY; hours += 1) {
      expect(await again()).toMatchObject(taken);
      await passes(HOUR_MS);
      await store.idempotency.maintainPartitions();
    }
    expect(await store.idempotency.find('kept')).toBeUndefined();
    await passes(HOUR_MS);
    await store.idempotency.maintainPartitions();
    expect(await daysOfPartitions()).toEqual([-1, 0, 1, 2, 3, 4, 5, 6, 7]);
    const [left] = await fixture.rows(`SELECT FROM ${SCHEMA}.idempotency WHERE key = 'kept'`);
    expect(left).toBeUndefined();
  });

  it('count no hour twice, however many look and however often', async () => {
    const store = fixture.store();
    await passes(HOUR_MS);
    await Promise.all(Array.from({ length: 3 }, () => store.idempotency.maintainPartitions()));
    const counted = await hoursOfWork();
    for (let looks = 0; looks < 3; looks += 1) {
      await passes(10 * 60_000);
      await store.idempotency.maintainPartitions();
    }
    expect(await hoursOfWork()).toBe(counted);
  });

  it('count no hour when a clock was set back', async () => {
    const store = fixture.store();
    await passes(HOUR_MS);
    await store.idempotency.maintainPartitions();
    const counted = await hoursOfWork();
    for (let looks = 0; looks < 3; looks += 1) {
      await passes(-24 * HOUR_MS);
      await store.idempotency.maintainPartitions();
    }
    expect(await hoursOfWork()).toBe(counted);
  });

  it.each([
    ['three days ahead and back', [3 * 24 * HOUR_MS, -3 * 24 * HOUR_MS]],
    ['a year ahead', [365 * 24 * HOUR_MS]],
    ['a year back', [-365 * 24 * HOUR_MS]],
    ['to and fro', [48, -48, 48, -48, 48].map((hours) => hours * HOUR_MS)],
  ])('are not forgotten because a clock was set: %s', async (_name, steps) => {
    const store = fixture.store();
    // Just before a day ends, when it takes least to begin the next.
    await fixture.rows(
      `UPDATE ${SCHEMA}.idempotency_day SET hours = ${HOURS_OF_A_DAY - 1}, looked_at = now()`,
    );
    const key = `through ${String(steps)}`;
    const member = newMember({ idempotency: newClaim(key) });
    await store.append(member);
    for (const stepMs of steps) {
      await passes(stepMs);
      // Every start looks, and so does every hour.
      const since = await store.idempotency.maintainPartitions();
      expect(Math.abs(since - stepMs)).toBeLessThan(HOUR_MS);
      await store.idempotency.maintainPartitions();
      expect(await store.append(newMember({ idempotency: newClaim(key) }))).toMatchObject({
        kind: 'alreadyClaimed',
        transactionId: member.idempotency?.transactionId,
      });
    }
  });

  /** As if the database's clock had gone, or been set, so much further since the last look. */
  async function passes(milliseconds: number): Promise<void> {
    await fixture.rows(
      `UPDATE ${SCHEMA}.idempotency_day
       SET looked_at = looked_at - make_interval(secs => $1)`,
      [milliseconds / 1_000],
    );
  }

  async function hoursOfWork(): Promise<number> {
    const [row] = await fixture.rows<{ hours: number }>(
      `SELECT hours FROM ${SCHEMA}.idempotency_day`,
    );
    return row?.hours ?? -1;
  }

  async function daysOfPartitions(): Promise<number[]> {
    const rows = await fixture.rows<{ days: number }>(
      `SELECT to_date(right(relname, 8), 'YYYYMMDD') - ${TODAY} AS days
       FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
       WHERE inhparent = '${SCHEMA}.idempotency'::regclass ORDER BY relname`,
    );
    return rows.map(({ days }) => days);
  }
});
