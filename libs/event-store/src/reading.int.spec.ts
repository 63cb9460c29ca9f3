import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type Checkpoint, checkpointAtStart } from './reader.js';
import { newEvent, newMember, newStreamId, SCHEMA, StoreFixture } from './store-fixture.js';

const fixture = new StoreFixture();
/** The only events of these specs that have been written in two versions. */

describe('a stream', () => {
  it('is read in order, with all that was recorded', async () => {
    const store = fixture.store();
    const before = Date.now();
    const member = newMember({
      events: [newEvent({ data: '{"text": "ä\\u2028"}', metadata: '{"by": "x"}' }), newEvent()],
    });
    await store.append(member);
    const events = await store.read(member.streamId);
    const recordedAtMs = events[0]?.recordedAtMs ?? 0;
    expect(events[0]).toEqual({
      streamId: member.streamId,
      version: 1,
      id: member.events[0]?.id,
      commandId: member.commandId,
      type: 'Booked',
      schemaVersion: 1,
      data: { text: 'ä\u2028' },
      metadata: { by: 'x' },
      recordedAtMs,
    });
    expect(events[1]?.version).toBe(2);
    expect(recordedAtMs).toBeGreaterThanOrEqual(before - 1);
    expect(recordedAtMs).toBeLessThanOrEqual(Date.now() + 1);
    expect(await store.read(newStreamId())).toEqual([]);
  });

  it('is found by any of its transactions', async () => {
    const store = fixture.store();
    const [streamId, capture] = [newStreamId(), newStreamId()];
    const personalKey = { wrapped: Buffer.from('wrapped') };
    await store.append(newMember({ streamId, transactionIds: [streamId], personalKey }));
    await store.append(newMember({ streamId, expectedVersion: 1, transactionIds: [capture] }));
    const found = await store.readByTransaction(capture);
    expect(found).toMatchObject({ streamId, events: [{ version: 1 }, { version: 2 }] });
    expect(found?.personalKey).toEqual(personalKey.wrapped);
    expect(await store.streamOf(capture)).toBe(streamId);
    expect(await store.readWithKey(streamId)).toEqual({
      ...{ events: found?.events, personalKey: personalKey.wrapped },
    });
    // A transaction's id is no stream's.
    expect(await store.readWithKey(capture)).toBeUndefined();
    expect(await store.readByTransaction(newStreamId())).toBeUndefined();
    expect(await store.streamOf(newStreamId())).toBeUndefined();
  });

  it('has no personal key once that is erased, and gets no other', async () => {
    const store = fixture.store();
    const owner = fixture.store({}, fixture.owner);
    const [streamId, capture] = [newStreamId(), newStreamId()];
    const personalKey = { wrapped: Buffer.from('wrapped') };
    await store.append(newMember({ streamId, transactionIds: [streamId], personalKey }));
    expect(await store.personalKeys.erasedAtMs(streamId)).toBeUndefined();
    await expect(store.personalKeys.erase(streamId)).rejects.toMatchObject({
      cause: { code: '42501' },
    });
    const first = await owner.personalKeys.erase(streamId);
    expect(first).toMatchObject({ streamId, now: true });
    expect(await owner.personalKeys.erase(streamId)).toEqual({ ...first, now: false });
    const late = newMember({
      ...{ streamId, expectedVersion: 1, transactionIds: [capture] },
      personalKey: { wrapped: Buffer.from('another') },
    });
    expect(await store.append(late)).toMatchObject({ kind: 'appended' });
    expect(await store.personalKeys.of(streamId)).toBe('erased');
    expect(await store.personalKeys.ofAll([streamId])).toEqual(new Map());
    expect(await store.personalKeys.erasedAtMs(streamId)).toBe(first.erasedAtMs);
    const found = await store.readByTransaction(streamId);
    expect(found).toBeDefined();
    expect(found).not.toHaveProperty('personalKey');
    expect(await store.readWithKey(streamId)).toEqual({ events: found?.events });
  });

  it('is erased before it had a key', async () => {
    const streamId = newStreamId();
    const owner = fixture.store({}, fixture.owner);
    await owner.append(newMember({ streamId }));
    expect(await owner.personalKeys.of(streamId)).toBeUndefined();
    expect(await owner.personalKeys.erase(streamId)).toMatchObject({ now: true });
    expect(await owner.personalKeys.of(streamId)).toBe('erased');
  });
});

describe('events in commit order (R-ES-01)', () => {
  it('are never skipped, though a bookmark over positions would skip them', async () => {
    const store = fixture.store();
    const start = await endOf(store);
    const naive = async (after: string): Promise<string[]> => {
      const text = `SELECT position FROM ${SCHEMA}.events WHERE position > $1 ORDER BY position`;
      return (await fixture.rows<{ position: string }>(text, [after])).map((row) => row.position);
    };
    const slow = await fixture.pool().connect();
    await slow.query('BEGIN');
    const slowStream = newStreamId();
    await insertEvent(slow, slowStream);
    const fast = newMember();
    await store.append(fast);

    // The naive reader sees the later position, moves on, and never sees the earlier one.
    const [seenFirst] = await naive(start.position);
    expect(await store.readAfter(start, 10)).toEqual([]);
    await slow.query('COMMIT');
    slow.release();
    expect(await naive(seenFirst ?? '')).toEqual([]);
    const all = await store.readAfter(start, 10);
    expect(all.map(({ streamId }) => streamId)).toEqual([slowStream, fast.streamId]);
  });

  it('each come once, in the order of their stream, while many write and some roll back', async () => {
    const stores = Array.from({ length: 4 }, () => fixture.store());
    const reader = fixture.store();
    let checkpoint = await endOf(reader);
    const seen: string[] = [];
    let writing = 5;
    const writers = stores.map(async (store) => {
      for (let round = 0; round < 20; round += 1) {
        const { streamId } = newMember();
        const versions = [0, 1, 2];
        await Promise.all(
          versions.map((expectedVersion) => store.append(newMember({ streamId, expectedVersion }))),
        );
      }
      writing -= 1;
    });
    const rollingBack = async (): Promise<void> => {
      const client = await fixture.pool().connect();
      for (let round = 0; round < 30; round += 1) {
        await client.query('BEGIN');
        await insertEvent(client, `rolled back ${String(round)}`);
        await client.query('SELECT pg_sleep(0.005)');
        await client.query('ROLLBACK');
      }
      client.release();
      writing -= 1;
    };
    const reading = async (): Promise<void> => {
      for (;;) {
        const finished = writing === 0;
        const events = await reader.readAfter(checkpoint, 7);
        seen.push(...events.map(({ streamId, version }) => `${streamId} ${String(version)}`));
        checkpoint = events.at(-1)?.checkpoint ?? checkpoint;
        if (finished && events.length === 0) return;
      }
    };
    await Promise.all([...writers, rollingBack(), reading()]);
    expect(seen).toHaveLength(4 * 20 * 3);
    expect(new Set(seen).size).toBe(seen.length);
    for (const [index, line] of seen.entries()) {
      const [streamId, version] = line.split(' ');
      if (version === '1') continue;
      expect(seen.slice(0, index)).toContain(`${streamId ?? ''} ${String(Number(version) - 1)}`);
    }
  });

  async function endOf(store: ReturnType<StoreFixture['store']>) {
    let checkpoint = checkpointAtStart;
    for (;;) {
      const events = await store.readAfter(checkpoint, 1_000);
      const last = events.at(-1);
      if (last === undefined) return checkpoint;
      checkpoint = last.checkpoint;
    }
  }

  function insertEvent(
    client: { query(text: string, values: unknown[]): unknown },
    stream: string,
  ) {
    return client.query(
      `INSERT INTO ${SCHEMA}.events
         (stream_id, version, event_id, command_id, type, schema_version, data, metadata)
       VALUES ($1, 1, $2, $2, 'Booked', 1, '{}', '{}')`,
      [stream, randomUUID()],
    );
  }
});

describe('what readers of published events compare with', () => {
  it('is a stream from any version on, as it was written', async () => {
    const store = fixture.store();
    const { streamId } = newMember();
    const events = [1, 2, 3, 4].map(() => newEvent({ type: 'Noted' }));
    await store.append(newMember({ streamId, events }));
    const versions = async (after: number, limit: number): Promise<number[]> =>
      (await store.readStreamAfter(streamId, after, limit)).map(({ version }) => version);
    expect(await versions(1, 2)).toEqual([2, 3]);
    expect(await versions(0, 10)).toEqual([1, 2, 3, 4]);
    expect(await versions(4, 10)).toEqual([]);
    const [stored] = await store.readStreamAfter(streamId, 0, 1);
    expect(stored).toMatchObject({ schemaVersion: 1, data: { amount: '100' } });
  });

  it('are many streams at once, so much of each', async () => {
    const store = fixture.store();
    const [long, short] = [newMember(), newMember()];
    const events = [1, 2, 3, 4].map(() => newEvent({ type: 'Noted' }));
    await store.append({ ...long, events });
    await store.append(short);
    const { streamId: unknown } = newMember();
    const streams = await store.readStreams([short.streamId, unknown, long.streamId], 3);
    expect([...streams].map(([id, { length }]) => [id, length]).sort()).toEqual(
      [[short.streamId, short.events.length] as const, [long.streamId, 3] as const].sort(),
    );
    expect(streams.get(long.streamId)).toEqual(await store.readStreamAfter(long.streamId, 0, 3));
    expect((await store.readStreams([], 3)).size).toBe(0);
  });

  it('are the heads that have changed since a checkpoint, page by page', async () => {
    const store = fixture.store();
    let { next } = await headsOf(store, checkpointAtStart);
    const [twice, once] = [newMember(), newMember()];
    await store.append(twice);
    await store.append(once);
    await store.append(newMember({ streamId: twice.streamId, expectedVersion: 1 }));
    const first = await store.headsAfter(next, 2, 0);
    expect(first).toMatchObject({
      heads: [
        { streamId: twice.streamId, version: 1 },
        { streamId: once.streamId, version: 1 },
      ],
      more: true,
    });
    const second = await store.headsAfter(first.next, 2, 0);
    expect(second).toMatchObject({
      heads: [{ streamId: twice.streamId, version: 2 }],
      more: false,
    });
    ({ next } = second);
    expect(await store.headsAfter(next, 2, 0)).toEqual({ heads: [], next, more: false });
  });

  it('leave out what is young, or may still be overtaken by an earlier commit', async () => {
    const store = fixture.store();
    const { next } = await headsOf(store, checkpointAtStart);
    const young = newMember();
    await store.append(young);
    expect(await store.headsAfter(next, 10, 60_000)).toEqual({ heads: [], next, more: false });
    const slow = await fixture.pool().connect();
    await slow.query('BEGIN');
    await slow.query('SELECT pg_current_xact_id()');
    const behind = newMember();
    await store.append(behind);
    const page = await store.headsAfter(next, 10, 0);
    expect(page.heads).toEqual([{ streamId: young.streamId, version: 1 }]);
    await slow.query('ROLLBACK');
    slow.release();
    const rest = await store.headsAfter(page.next, 10, 0);
    expect(rest.heads).toEqual([{ streamId: behind.streamId, version: 1 }]);
  });

  it('is the id of this life of the store, the same for all', async () => {
    const [one, other] = [fixture.store(), fixture.store()];
    expect(await one.incarnation()).toBe(await other.incarnation());
    await expect(
      fixture.pool().query(`UPDATE ${SCHEMA}.incarnation SET id = gen_random_uuid()`),
    ).rejects.toMatchObject({ code: '42501' });
  });

  it('are the personal keys of many streams at once', async () => {
    const store = fixture.store();
    const members = [1, 2].map((n) => newMember({ personalKey: { wrapped: Buffer.from([n]) } }));
    for (const member of members) await store.append(member);
    const [first = '', second = ''] = members.map(({ streamId }) => streamId);
    await fixture.rows(`DELETE FROM ${SCHEMA}.personal_keys WHERE stream_id = $1`, [first]);
    const keys = await store.personalKeys.ofAll([first, second, newStreamId()]);
    expect(keys).toEqual(new Map([[second, Buffer.from([2])]]));
  });

  async function headsOf(store: ReturnType<StoreFixture['store']>, from: Checkpoint) {
    let page = await store.headsAfter(from, 1_000, 0);
    while (page.more) page = await store.headsAfter(page.next, 1_000, 0);
    return page;
  }
});

describe('streams that are due', () => {
  const clearDue = () => fixture.pool().query(`UPDATE ${SCHEMA}.streams SET due_at = NULL`);

  it('are claimed by one claimer, and again when the lease is over', async () => {
    const [first, second] = [fixture.store(), fixture.store()];
    const members = Array.from({ length: 40 }, () => newMember({ dueInMs: 0 }));
    await Promise.all(members.map((member) => first.append(member)));
    await first.append(newMember({ dueInMs: 60_000 }));
    await first.append(newMember());
    const streams = members.map(({ streamId }) => streamId).sort();

    const claims = await Promise.all(
      [first, second, first, second].map((store) =>
        store.claimDueStreams({ limit: 10, leaseMs: 60_000 }),
      ),
    );
    const rest = await first.claimDueStreams({ limit: 100, leaseMs: 60_000 });
    expect([...claims.flat(), ...rest].sort()).toEqual(streams);
    expect(await second.claimDueStreams({ limit: 100, leaseMs: 60_000 })).toEqual([]);

    const [again, never] = streams as [string, string];
    await first.schedule(again, 0);
    await first.schedule(never, 0);
    await first.schedule(never, null);
    expect(await second.claimDueStreams({ limit: 100, leaseMs: 0 })).toEqual([again]);
    expect(await first.claimDueStreams({ limit: 100, leaseMs: 0 })).toEqual([again]);
    await first.append(newMember({ streamId: again, expectedVersion: 1, dueInMs: null }));
    expect(await first.claimDueStreams({ limit: 100, leaseMs: 0 })).toEqual([]);
  });

  it('are rescheduled only by who has seen the newest version', async () => {
    const store = fixture.store();
    const { streamId } = newMember();
    await store.append(newMember({ streamId, dueInMs: 0 }));
    await store.append(newMember({ streamId, expectedVersion: 1 }));
    await store.schedule(streamId, null, 1);
    expect(await store.claimDueStreams({ limit: 10, leaseMs: 0 })).toEqual([streamId]);
    await store.schedule(streamId, null, 2);
    expect(await store.claimDueStreams({ limit: 10, leaseMs: 0 })).toEqual([]);
  });

  it('are foretold, also to a process that did not write them', async () => {
    const store = fixture.store();
    await clearDue();
    expect(await store.nextDueInMs()).toBeNull();
    const { streamId } = newMember();
    await store.append(newMember({ streamId, dueInMs: 60_000 }));
    await store.append(newMember({ dueInMs: 90_000 }));
    const inMs = await fixture.store().nextDueInMs();
    expect(inMs).toBeGreaterThan(50_000);
    expect(inMs).toBeLessThanOrEqual(60_000);
    await store.schedule(streamId, -1);
    expect(await store.nextDueInMs()).toBe(0);
    await store.claimDueStreams({ limit: 10, leaseMs: 80_000 });
    expect(await store.nextDueInMs()).toBeGreaterThan(60_000);
  });

  it('are told to who watches them, once they are written', async () => {
    const store = fixture.store();
    const told: number[] = [];
    store.watchDue((inMs) => told.push(inMs));
    const { streamId } = newMember();
    await store.append(newMember({ streamId, dueInMs: 700 }));
    await store.append(newMember({ streamId, expectedVersion: 7, dueInMs: 800 }));
    await store.append(newMember({ streamId, expectedVersion: 1, dueInMs: null }));
    await store.append(newMember({ streamId, expectedVersion: 2 }));
    await store.schedule(streamId, 900);
    await store.schedule(streamId, null);
    expect(told).toEqual([700, 900]);
  });

  it('that another claimer holds are passed over', async () => {
    const store = fixture.store();
    const members = [newMember({ dueInMs: 0 }), newMember({ dueInMs: 0 })];
    for (const member of members) await store.append(member);
    const rival = await fixture.pool().connect();
    await rival.query('BEGIN');
    await rival.query(`SELECT FROM ${SCHEMA}.streams WHERE stream_id = $1 FOR UPDATE`, [
      members[0]?.streamId,
    ]);
    expect(await store.claimDueStreams({ limit: 10, leaseMs: 60_000 })).toEqual([
      members[1]?.streamId,
    ]);
    await rival.query('ROLLBACK');
    rival.release();
  });
});
