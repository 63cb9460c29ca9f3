import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { AppendResult } from './append-member.js';
import type { EventStore } from './event-store.js';
import { newClaim, newMember, newStreamId, SCHEMA, StoreFixture } from './store-fixture.js';

const fixture = new StoreFixture();

describe('appends of several processes', () => {
  it('200 at once on one version: one is recorded', async () => {
    const stores = Array.from({ length: 4 }, () => fixture.store());
    for (const start of ['a new stream', 'an old one']) {
      const { streamId } = newMember();
      const expectedVersion = start === 'a new stream' ? 0 : 1;
      if (expectedVersion === 1) await stores[0]?.append(newMember({ streamId }));
      const results = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          storeOf(stores, index).append(newMember({ streamId, expectedVersion })),
        ),
      );
      expect(countOf(results)).toEqual({ appended: 1, versionConflict: 199 });
    }
    expect(await fixture.broken()).toEqual([]);
  });

  it('200 at once under one idempotency key: one is recorded, all others learn of it', async () => {
    const stores = Array.from({ length: 4 }, () => fixture.store());
    const members = Array.from({ length: 200 }, () => newMember({ idempotency: newClaim('one') }));
    const results = await Promise.all(
      members.map((member, index) => storeOf(stores, index).append(member)),
    );
    expect(countOf(results)).toEqual({ appended: 1, alreadyClaimed: 199 });
    const winner = members[results.findIndex((result) => result.kind === 'appended')];
    const others = results.filter((result) => result.kind === 'alreadyClaimed');
    for (const other of others) {
      expect(other).toMatchObject({ transactionId: winner?.idempotency?.transactionId });
    }
  });

  it.each(['commits', 'rolls back'])('wait for a rival that then %s', async (end) => {
    const store = fixture.store();
    const old = newMember();
    await store.append(old);
    const rivalId = randomUUID();
    const [transactionId, key, stream] = [newStreamId(), `rival ${end}`, newStreamId()];
    const rival = await fixture.pool().connect();
    await rival.query('BEGIN');
    await rival.query(`UPDATE ${SCHEMA}.streams SET version = 2 WHERE stream_id = $1`, [
      old.streamId,
    ]);
    await rival.query(
      `INSERT INTO ${SCHEMA}.events (stream_id, version, event_id, command_id, type,
         schema_version, data, metadata)
       VALUES ($1, 2, gen_random_uuid(), $3, 'Booked', 1, '{}', '{}'),
              ($2, 1, gen_random_uuid(), $3, 'Booked', 1, '{}', '{}')`,
      [old.streamId, stream, rivalId],
    );
    await rival.query(`INSERT INTO ${SCHEMA}.streams VALUES ($1, 1)`, [stream]);
    await rival.query(`INSERT INTO ${SCHEMA}.transactions VALUES ($1, $2, $3)`, [
      transactionId,
      stream,
      rivalId,
    ]);
    await rival.query(
      `INSERT INTO ${SCHEMA}.idempotency
       SELECT day, $1, $2, $3, 'rival', '{}', 'rival'
       FROM unnest(ARRAY[(now() AT TIME ZONE 'UTC')::date - 1,
                         (now() AT TIME ZONE 'UTC')::date]) AS day`,
      [key, rivalId, stream],
    );
    const appends = [
      newMember(),
      newMember({ streamId: old.streamId, expectedVersion: 1 }),
      newMember({ streamId: stream }),
      newMember({ transactionIds: [transactionId] }),
      newMember({ idempotency: newClaim(key) }),
      newMember(),
    ].map((member) => store.append(member));
    await fixture.blocked(1);
    await rival.query(end === 'commits' ? 'COMMIT' : 'ROLLBACK');
    rival.release();
    const results = await Promise.all(appends);
    const kinds = results.map(({ kind }) => kind);
    if (end === 'commits') {
      expect(kinds).toEqual([
        'appended',
        'versionConflict',
        'versionConflict',
        'alreadyClaimed',
        'alreadyClaimed',
        'appended',
      ]);
      expect(results[4]).toMatchObject({ claim: 'idempotency', fingerprint: 'rival' });
    } else {
      expect(kinds).toEqual(kinds.map(() => 'appended'));
    }
    expect(await fixture.broken()).toEqual([]);
  });

  it('16 of them on the same streams never wait for each other in a circle', async () => {
    const stores = Array.from({ length: 16 }, () => fixture.store({}, fixture.pool({ max: 2 })));
    const streams = Array.from({ length: 12 }, () => newStreamId());
    const versions = new Map<string, number>(streams.map((streamId) => [streamId, 0]));
    let appended = 0;
    await Promise.all(
      stores.map(async (store, process) => {
        for (let round = 0; round < 15; round += 1) {
          // Each in another order, so that unsorted locks would meet.
          const order = streams.map((_, place) => (place * ((process % 5) + 1) + round) % 12);
          const results = await Promise.all(
            [...new Set(order)].map(async (place) => {
              const streamId = streams[place] ?? '';
              const expectedVersion = versions.get(streamId) ?? 0;
              const result = await store.append(
                newMember({
                  streamId,
                  expectedVersion,
                  transactionIds: [newStreamId()],
                  idempotency: newClaim(`${String(round)} ${String(place)}`),
                }),
              );
              if (result.kind === 'appended') versions.set(streamId, result.version);
              else versions.set(streamId, (await store.read(streamId)).length);
              return result;
            }),
          );
          appended += results.filter(({ kind }) => kind === 'appended').length;
        }
      }),
    );
    await fixture.closePools();
    expect(appended).toBeGreaterThan(streams.length);
    expect(await fixture.broken()).toEqual([]);
    const [total] = await fixture.rows<{ events: number; deadlocks: number }>(
      `SELECT (SELECT count(*)::int FROM ${SCHEMA}.events WHERE stream_id = ANY ($1)) AS events,
              (SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database())
                AS deadlocks`,
      [streams],
    );
    expect(total).toEqual({ events: appended, deadlocks: 0 });
  });
});

function storeOf(stores: readonly EventStore[], index: number): EventStore {
  const store = stores[index % stores.length];
  if (store === undefined) throw new Error('no stores');
  return store;
}

function countOf(results: readonly AppendResult[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of results) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
