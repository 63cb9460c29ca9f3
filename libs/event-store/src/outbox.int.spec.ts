import { describe, expect, it } from '@jest/globals';
import type { EventStore } from './event-store.js';
import {
  append,
  newClaim,
  newEvent,
  newMember,
  newStreamId,
  SCHEMA,
  StoreFixture,
} from './store-fixture.js';

const fixture = new StoreFixture();

function publishingStore(): EventStore {
  return fixture.store({ publishes: true });
}

async function waiting(streamId?: string): Promise<number[]> {
  const rows = await fixture.rows<{ version: number }>(
    `SELECT version FROM ${SCHEMA}.outbox WHERE stream_id = coalesce($1, stream_id) ORDER BY id`,
    [streamId ?? null],
  );
  return rows.map(({ version }) => version);
}

describe('the outbox', () => {
  it('points to each event that was recorded, in the order of its stream', async () => {
    const store = publishingStore();
    const alone = newMember({ events: [newEvent(), newEvent()], transactionIds: [newStreamId()] });
    await store.append(alone);
    await store.append(newMember({ streamId: alone.streamId, expectedVersion: 2 }));
    const together = [newMember({ events: [newEvent(), newEvent(), newEvent()] }), newMember()];
    const conflict = newMember({ streamId: alone.streamId, expectedVersion: 2 });
    await Promise.all([...together, conflict].map((member) => store.append(member)));
    expect(await waiting(alone.streamId)).toEqual([1, 2, 3]);
    expect(await waiting(together[0]?.streamId)).toEqual([1, 2, 3]);
    expect(await waiting(together[1]?.streamId)).toEqual([1]);
    await fixture.rows(`DELETE FROM ${SCHEMA}.outbox`);
  });

  it('stays empty when the store does not publish, or an append changes nothing', async () => {
    const store = publishingStore();
    const [streamId = ''] = await append(fixture.store(), 1);
    expect(await store.append(newMember({ streamId }))).toEqual({ kind: 'versionConflict' });
    const taken = newMember({ idempotency: newClaim('published') });
    await fixture.store().append(taken);
    await store.append(newMember({ idempotency: newClaim('published') }));
    expect(await waiting()).toEqual([]);
  });

  it('spreads streams over its slots', async () => {
    await append(publishingStore(), 300);
    const slots = await fixture.rows<{ slot: number }>(
      `SELECT DISTINCT slot FROM ${SCHEMA}.outbox ORDER BY slot`,
    );
    expect(slots.map(({ slot }) => slot)).toEqual(Array.from({ length: 16 }, (_, slot) => slot));
    await fixture.rows(`DELETE FROM ${SCHEMA}.outbox`);
  });
});
