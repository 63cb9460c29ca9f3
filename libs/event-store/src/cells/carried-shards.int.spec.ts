import { afterEach, describe, expect, it } from '@jest/globals';
import { ShardElsewhere } from '../append-member.js';
import { EVERYTHING } from './carried-shards.js';
import { streamIn } from './cells-fixture.js';
import type { EventStore } from '../event-store.js';
import { newClaim, newMember, newStreamId, SCHEMA, StoreFixture } from '../store-fixture.js';

const fixture = new StoreFixture();

afterEach(() => carry('{[0,65536)}'));

/** As the owner, who alone may. */
async function carry(carried: string, closing = '{}'): Promise<void> {
  const text = `UPDATE ${SCHEMA}.carried_shards SET carried = $1, closing = $2`;
  await fixture.owner.query(text, [carried, closing]);
}

function store(): EventStore {
  return fixture.store({ publishes: true, hasShards: true });
}

async function recorded(streamId: string): Promise<number> {
  const text = `SELECT FROM ${SCHEMA}.events WHERE stream_id = $1`;
  return (await fixture.rows(text, [streamId])).length;
}

const ELSEWHERE = { kind: 'elsewhere' };

describe('an append to a store that carries some shards', () => {
  it('is refused where the shard is not carried, and leaves nothing behind', async () => {
    await carry('{[0,32768)}');
    const streamId = streamIn('8000');
    const member = newMember({
      streamId,
      transactionIds: [streamId],
      idempotency: newClaim('refused'),
      personalKey: { wrapped: Buffer.from('k') },
    });
    expect(await store().append(member)).toEqual(ELSEWHERE);
    expect(await recorded(streamId)).toBe(0);
    for (const table of ['streams', 'transactions', 'personal_keys', 'idempotency', 'outbox']) {
      const text = `SELECT FROM ${SCHEMA}.${table} WHERE stream_id = $1`;
      expect(await fixture.rows(text, [streamId])).toEqual([]);
    }
    // The key is free for the cell that has the shard, and here for another payment.
    const other = newMember({ streamId: streamIn('7fff'), idempotency: newClaim('refused') });
    expect(await store().append(other)).toMatchObject({ kind: 'appended' });
  });

  it('fails alone among those of one statement', async () => {
    await carry('{[0,32768)}');
    const busy = store();
    const shards = ['0000', '8000', '7fff', 'ffff', '1234'];
    const results = await Promise.all(
      shards.map((shard) => busy.append(newMember({ streamId: streamIn(shard) }))),
    );
    expect(results.map(({ kind }) => kind)).toEqual([
      ...['appended', 'elsewhere', 'appended', 'elsewhere', 'appended'],
    ]);
    expect(await fixture.broken()).toEqual([]);
  });

  it('is refused whatever its version, because the stream goes on elsewhere', async () => {
    const streamId = streamIn('9000');
    await store().append(newMember({ streamId }));
    await carry('{[0,32768)}');
    for (const expectedVersion of [0, 1, 5]) {
      expect(await store().append(newMember({ streamId, expectedVersion }))).toEqual(ELSEWHERE);
    }
    await carry('{[0,65536)}');
    const later = newMember({ streamId, expectedVersion: 1 });
    expect(await store().append(later)).toEqual({ kind: 'appended', version: 2 });
  });

  it('begins no transaction in a closing shard, and still records outcomes', async () => {
    const streamId = streamIn('a000');
    await store().append(newMember({ streamId, transactionIds: [streamId] }));
    await carry('{[0,65536)}', '{[40960,40961)}');
    const outcome = newMember({ streamId, expectedVersion: 1 });
    expect(await store().append(outcome)).toEqual({ kind: 'appended', version: 2 });
    const reference = newMember({ streamId, expectedVersion: 2, transactionIds: [newStreamId()] });
    expect(await store().append(reference)).toEqual(ELSEWHERE);
    const first = streamIn('a000');
    const begins = newMember({ streamId: first, transactionIds: [first] });
    expect(await store().append(begins)).toEqual(ELSEWHERE);
    const beside = streamIn('a001');
    const other = newMember({ streamId: beside, transactionIds: [beside] });
    expect(await store().append(other)).toMatchObject({ kind: 'appended' });
  });

  it('knows no shards unless it is told that its ids have them', async () => {
    await carry('{}');
    const streamId = streamIn('8000');
    expect(await fixture.store().append(newMember({ streamId }))).toMatchObject({
      kind: 'appended',
    });
  });
});

describe('the fence: a shard is taken away while appends are under way', () => {
  it.each(['alone', 'together'])('refuses appends %s that waited for it', async (how) => {
    const busy = store();
    const streamId = streamIn('b000');
    // Planned several times, so that PostgreSQL has its generic plans.
    for (let version = 0; version < 8; version += 1) {
      await busy.append(newMember({ streamId, expectedVersion: version }));
    }
    const fence = await fixture.owner.connect();
    try {
      await fence.query('BEGIN');
      await fence.query(`LOCK TABLE ${SCHEMA}.streams IN SHARE MODE`);
      await fence.query(`UPDATE ${SCHEMA}.carried_shards SET carried = '{[0,32768)}'`);
      // Their statements have begun, and wait for the lock.
      const alone = [newMember({ streamId, expectedVersion: 8 })];
      const others = Array.from({ length: 40 }, () => newMember({ streamId: streamIn('b000') }));
      const waiting = (how === 'alone' ? alone : [...alone, ...others]).map((member) =>
        busy.append(member),
      );
      await fixture.blocked(1);
      await fence.query('COMMIT');
      const kinds = new Set((await Promise.all(waiting)).map(({ kind }) => kind));
      expect([...kinds]).toEqual(['elsewhere']);
      expect(await recorded(streamId)).toBe(8);
    } finally {
      fence.release();
    }
  });

  it('waits for the appends that were there before it', async () => {
    const streamId = streamIn('b001');
    await store().append(newMember({ streamId }));
    const holder = await fixture.owner.connect();
    const fence = await fixture.owner.connect();
    try {
      // The append has its place in the table, and waits for its head.
      await holder.query('BEGIN');
      await holder.query(`SELECT FROM ${SCHEMA}.streams WHERE stream_id = $1 FOR UPDATE`, [
        streamId,
      ]);
      const under = store().append(newMember({ streamId, expectedVersion: 1 }));
      await fixture.blocked(1);
      await fence.query('BEGIN');
      const locked = fence.query(`LOCK TABLE ${SCHEMA}.streams IN SHARE MODE`);
      await holder.query('COMMIT');
      await locked;
      expect(await under).toEqual({ kind: 'appended', version: 2 });
      expect(await recorded(streamId)).toBe(2);
      await fence.query('COMMIT');
    } finally {
      holder.release();
      fence.release();
    }
  });
});

describe('reads of a store that carries some shards', () => {
  it('say that a payment is elsewhere, whether or not something is left of it here', async () => {
    const left = streamIn('c000');
    await store().append(newMember({ streamId: left, transactionIds: [left] }));
    await carry('{[0,32768)}');
    for (const id of [left, streamIn('c000')]) {
      await expect(store().readByTransaction(id)).rejects.toThrow(ShardElsewhere);
      await expect(store().readTransaction(id)).rejects.toThrow(ShardElsewhere);
      await expect(store().readWithKey(id)).rejects.toThrow(ShardElsewhere);
    }
    await expect(store().read(streamIn('c000'))).rejects.toThrow(ShardElsewhere);
    await expect(store().readStreams([streamIn('c000')], 9)).rejects.toThrow(ShardElsewhere);
    await expect(store().personalKeys.ofAll([left])).rejects.toThrow(ShardElsewhere);
    const ofKey = store().idempotency.findTransaction('a key that is elsewhere', left);
    await expect(ofKey).rejects.toThrow(ShardElsewhere);
    expect(await store().readByTransaction(streamIn('0000'))).toBeUndefined();
    expect(await store().readTransaction('no id at all')).toBeUndefined();
  });

  it('do not find by text what is elsewhere', async () => {
    const [here, there] = [streamIn('0001'), streamIn('c001')];
    for (const streamId of [here, there]) {
      const named = { transactionIds: [streamId], lookupText: 'order 1' };
      await store().append(newMember({ streamId, ...named }));
    }
    expect((await store().lookUp('order 1', 10)).found).toHaveLength(2);
    await carry('{[0,32768)}');
    const { found, carried } = await store().lookUp('order 1', 10);
    expect(found.map(({ streamId }) => streamId)).toEqual([here]);
    expect(carried).toEqual([[0, 0x7fff]]);
    await carry('{}');
    expect(await store().lookUp('order 1', 10)).toMatchObject({ found: [], carried: [] });
  });

  it('leave what is due to the cell that has it', async () => {
    const [here, there] = [streamIn('0002'), streamIn('c002')];
    for (const streamId of [here, there]) {
      await store().append(newMember({ streamId, dueInMs: 0 }));
    }
    await store().schedule(here, 60_000);
    await carry('{[0,32768)}');
    expect(await store().nextDueInMs()).toBeGreaterThan(50_000);
    await store().schedule(here, 0);
    const claimed = await store().claimDueStreams({ limit: 100, leaseMs: 60_000 });
    expect(claimed).toContain(here);
    expect(claimed).not.toContain(there);
  });

  it('say which shards are carried', async () => {
    expect(await store().carriedShards()).toEqual(EVERYTHING);
    await carry('{[0,16),[256,65536)}', '{[8,16)}');
    expect(await store().carriedShards()).toEqual({
      cell: 1,
      carried: [
        [0, 15],
        [256, 65_535],
      ],
      closing: [[8, 15]],
    });
  });
});
