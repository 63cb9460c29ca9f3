import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { newMember, newStreamId, SCHEMA, StoreFixture } from './store-fixture.js';
import type { RecordedEvent } from './recorded-event.js';
import { OutboxRelay } from './outbox-relay.js';
import { finishRestoration, inspectStore } from './restoration.js';

const relays: OutboxRelay[] = [];

// Before the fixture closes the pools, of which a relay keeps a connection.
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.close()));
});
const fixture = new StoreFixture();

const publishing = () => fixture.store({ publishes: true });
const finish = () => finishRestoration(fixture.owner, SCHEMA);
const waiting = () =>
  fixture.rows<{ id: string; stream_id: string; version: number }>(
    `SELECT id, stream_id, version FROM ${SCHEMA}.outbox ORDER BY id`,
  );

/** As a backup of before these events would bring it back: they are gone, and so are their numbers. */
async function loseSince(streamId: string, outboxId: string): Promise<void> {
  for (const table of ['events', 'streams', 'outbox']) {
    await fixture.rows(`DELETE FROM ${SCHEMA}.${table} WHERE stream_id = '${streamId}'`);
  }
  await fixture.rows(`ALTER TABLE ${SCHEMA}.outbox ALTER COLUMN id RESTART WITH ${outboxId}`);
}

describe('a store that was restored', () => {
  it('says what it is before anything is changed', async () => {
    const store = publishing();
    expect((await inspectStore(fixture.pool(), SCHEMA)).lastRecordedAtMs).toBeUndefined();
    await store.append(newMember({ dueInMs: 60_000 }));
    const state = await inspectStore(fixture.pool(), SCHEMA);
    expect(state).toMatchObject({ inRecovery: false, waiting: 1, slotsHeld: 0, dueStreams: 1 });
    expect(state.incarnation).toBe(await store.incarnation());
    expect(Math.abs((state.lastRecordedAtMs ?? 0) - Date.now())).toBeLessThan(60_000);
    await fixture.rows(`DELETE FROM ${SCHEMA}.outbox`);
  });

  it('begins another life, frees the leases of relays that are gone, and keeps what waits', async () => {
    const store = publishing();
    const before = await store.incarnation();
    await store.append(newMember());
    await fixture.rows(
      `UPDATE ${SCHEMA}.relay_slots SET holder = gen_random_uuid(), leased_until = now() + '1 day'
       WHERE slot < 5`,
    );
    await fixture.rows(
      `INSERT INTO ${SCHEMA}.relays VALUES (gen_random_uuid(), now() + interval '1 day')`,
    );
    const finished = await finish();
    expect(finished).toEqual({ before, after: await store.incarnation(), slotsFreed: 5 });
    expect(finished.after).not.toBe(before);
    expect((await inspectStore(fixture.pool(), SCHEMA)).slotsHeld).toBe(0);
    expect(await fixture.rows(`SELECT FROM ${SCHEMA}.relays`)).toEqual([]);
    expect(await waiting()).toHaveLength(1);
    await fixture.rows(`DELETE FROM ${SCHEMA}.outbox`);
  });

  it('waits for a relay that renews its leases, instead of each waiting for the other', async () => {
    const relay = randomUUID();
    await fixture.rows(`INSERT INTO ${SCHEMA}.relays VALUES ($1, now() + interval '1 day')`, [
      relay,
    ]);
    await fixture.rows(`UPDATE ${SCHEMA}.relay_slots SET holder = $1 WHERE slot < 3`, [relay]);
    const renewing = await fixture.pool({ max: 1 }).connect();
    await renewing.query('BEGIN');
    await renewing.query(`UPDATE ${SCHEMA}.relays SET alive_until = now()`);
    const finished = finish();
    const waits = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'WITH known%'`;
    while ((await fixture.rows(waits)).length === 0);
    await renewing.query(`UPDATE ${SCHEMA}.relay_slots SET leased_until = now() WHERE slot < 3`);
    await renewing.query('COMMIT');
    renewing.release();
    expect(await finished).toMatchObject({ slotsFreed: 3 });
  });

  it('begins another life by its owner alone', async () => {
    await expect(finishRestoration(fixture.pool(), SCHEMA)).rejects.toThrow('permission denied');
  });
});

describe('a relay that has lived through a restore', () => {
  /** Resolves when the first batch is in hand; the batch ends when `goOn` is called. */
  function heldRelay() {
    const published: [string, RecordedEvent][] = [];
    let goOn = (): void => undefined;
    let inHand = (): void => undefined;
    const held = new Promise<void>((resolve) => (inHand = resolve));
    let gate: Promise<void> | undefined = new Promise((resolve) => (goOn = resolve));
    const relay = new OutboxRelay(fixture.pool({ max: 3 }), {
      ...{
        schema: SCHEMA,
        leaseMs: 400,
        renewEveryMs: 20,
        pollMs: 2,
        idlePollMs: 10,
        unsignalledPollMs: 10,
      },
      publish: async (events, incarnation) => {
        inHand();
        await gate;
        gate = undefined;
        published.push(...events.map((event): [string, RecordedEvent] => [incarnation, event]));
      },
    });
    relay.start();
    relays.push(relay);
    return { held, goOn: () => goOn(), published };
  }

  it('does not forget an event that got the number of one that is lost (D-23)', async () => {
    const store = publishing();
    const before = await store.incarnation();
    const streamId = newStreamId();
    await store.append(newMember({ streamId }));
    const [lost] = await waiting();
    const { held, goOn, published } = heldRelay();
    await held;
    await loseSince(streamId, lost?.id ?? '');
    const { after } = await finish();
    const again = newMember({ streamId });
    await publishing().append(again);
    expect(await waiting()).toEqual([lost]);
    goOn();
    while ((await waiting()).length > 0);
    expect(published.map(([incarnation]) => incarnation)).toEqual([before, after]);
    expect(published[1]?.[1].id).toBe(again.events[0]?.id);
  });

  it('publishes what it finds from then on as of the new life', async () => {
    const { held, goOn, published } = heldRelay();
    const store = publishing();
    await store.append(newMember());
    await held;
    goOn();
    while ((await waiting()).length > 0);
    const { before, after } = await finish();
    await store.append(newMember());
    while ((await waiting()).length > 0);
    expect(published.map(([incarnation]) => incarnation)).toEqual([before, after]);
  });
});
