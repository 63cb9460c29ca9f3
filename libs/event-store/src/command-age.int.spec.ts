import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { newMember, SCHEMA, StoreFixture } from './store-fixture.js';

const fixture = new StoreFixture();
/** Long enough for a statement to begin and meet the lock on a busy machine. */
const LIFE_MS = 1_500;

describe('the age of a command', () => {
  it.each([
    ['with another in its statement', 1],
    ['alone in its statement', 0],
  ])('counts the time that its append waited for a lock (D-03), %s', async (_, others) => {
    const store = fixture.store();
    const { streamId } = newMember();
    await store.append(newMember({ streamId }));
    const holder = await fixture.pool().connect();
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM ${SCHEMA}.streams WHERE stream_id = $1 FOR UPDATE`, [streamId]);

    const notAfterMs = Date.now() + LIFE_MS;
    const appends = [
      newMember({ streamId, expectedVersion: 1, notAfterMs }),
      ...Array.from({ length: others }, () => newMember({ notAfterMs: notAfterMs + 60_000 })),
    ].map((member) => store.append(member));
    await fixture.blocked(1);
    await pause(Math.max(0, notAfterMs + 1 - Date.now()));
    await holder.query('COMMIT');
    holder.release();

    const [late, ...companions] = await Promise.all(appends);
    expect(late?.kind).toBe('expired');
    expect(companions.every(({ kind }) => kind === 'appended')).toBe(true);
    expect(await store.read(streamId)).toHaveLength(1);
  });
});
