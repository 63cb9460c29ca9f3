import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppendMember } from './append-member.js';
import { AppendStatements } from './append-parameters.js';
import type { EventStore } from './event-store.js';
import {
  defaultRelayLimits,
  EventsRefused,
  OutboxRelay,
  type OutboxRelayOptions,
} from './outbox-relay.js';
import { checkpointAtStart } from './reader.js';
import type { RecordedEvent } from './recorded-event.js';
import { append, newEvent, newMember, newStreamId, SCHEMA, StoreFixture } from './store-fixture.js';

const LEASE_MS = 400;

const relays: OutboxRelay[] = [];

// Before the fixture closes the pools, of which a relay keeps a connection.
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.close()));
});
const fixture = new StoreFixture();

/** What the relays of a test have published, and whoever waits for it. */
class Published {
  readonly events: RecordedEvent[] = [];
  /** Instead of taking a batch. */
  fault: ((events: readonly RecordedEvent[]) => Promise<void>) | undefined;
  #waiting: (() => void)[] = [];

  readonly publish = async (events: readonly RecordedEvent[]): Promise<void> => {
    await this.fault?.(events);
    this.take(events);
  };

  take(events: readonly RecordedEvent[]): void {
    this.events.push(...events);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  versionsOf(streamId: string): number[] {
    return this.events.flatMap((event) => (event.streamId === streamId ? [event.version] : []));
  }

  /** Distinct events. */
  get count(): number {
    return new Set(this.events.map(({ id }) => id)).size;
  }

  async until(count: number): Promise<void> {
    while (this.count < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Streams whose versions, repetitions left out, did not come one after another from 1. */
  get disordered(): string[] {
    const heads = new Map<string, number>();
    const found: string[] = [];
    for (const { streamId, version } of this.events) {
      const head = heads.get(streamId) ?? 0;
      if (version > head + 1) found.push(`${streamId}: ${String(head)}, ${String(version)}`);
      heads.set(streamId, Math.max(head, version));
    }
    return found;
  }
}

function relayOf(
  published: Pick<Published, 'publish'>,
  options: Partial<OutboxRelayOptions> = {},
): OutboxRelay {
  const pool = fixture.pool({ max: 3 });
  const limits = {
    leaseMs: LEASE_MS,
    renewEveryMs: 50,
    pollMs: 2,
    idlePollMs: 10,
    unsignalledPollMs: 10,
  };
  const { publish } = published;
  const relay = new OutboxRelay(pool, { schema: SCHEMA, publish, ...limits, ...options });
  relay.start();
  relays.push(relay);
  return relay;
}

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

async function emptied(): Promise<void> {
  while ((await waiting()).length > 0);
}

/** How many slots each of the relays holds, by the database's word, once `done` says so. */
async function slotsHeld(done: (counts: number[]) => boolean): Promise<number[]> {
  for (;;) {
    const rows = await fixture.rows<{ slots: string }>(
      `SELECT count(*) AS slots FROM ${SCHEMA}.relay_slots WHERE holder IS NOT NULL
       GROUP BY holder ORDER BY 1 DESC`,
    );
    const counts = rows.map(({ slots }) => Number(slots));
    if (done(counts)) return counts;
  }
}

describe('a relay', () => {
  it('publishes what was recorded as it was recorded, and forgets it', async () => {
    const store = publishingStore();
    const event = newEvent({ data: '{"minor": "99999999999999999999"}', metadata: '{"a": 1}' });
    const { streamId, commandId } = newMember();
    await store.append(newMember({ streamId, commandId, events: [event] }));
    const published = new Published();
    const relay = relayOf(published);
    await published.until(1);
    await emptied();
    await relay.close();
    expect(published.events).toHaveLength(1);
    expect(published.events[0]).toMatchObject({
      streamId,
      version: 1,
      id: event.id,
      commandId,
      type: 'Booked',
      schemaVersion: 1,
      data: { minor: '99999999999999999999' },
      metadata: { a: 1 },
    });
    const [recorded] = await store.read(streamId);
    expect(published.events[0]?.recordedAtMs).toBe(recorded?.recordedAtMs);
  });

  it('keeps the order of each stream, whatever commits late', async () => {
    const published = new Published();
    const relay = relayOf(published);
    const stores = [publishingStore(), publishingStore()];
    const statements = new AppendStatements(SCHEMA, { publishes: true, hasShards: true });
    // Ids are drawn, and the commit comes while others, with larger ids, have been published.
    const slowly = async (member: AppendMember): Promise<void> => {
      const client = await fixture.pool({ max: 1 }).connect();
      await client.query('BEGIN');
      const { text, values } = statements.of([member]);
      await client.query(text, values);
      await client.query('SELECT pg_sleep(random() * 0.1)');
      await client.query('COMMIT');
      client.release();
    };
    const slow = Array.from({ length: 10 }, () => newMember());
    // The second append of each slow stream waits for the first one's lock, and conflicts or
    // follows; it is repeated until it follows.
    const other = publishingStore();
    const following = slow.map(async ({ streamId }) => {
      for (;;) {
        const result = await other.append(newMember({ streamId, expectedVersion: 1 }));
        if (result.kind === 'appended') return;
      }
    });
    await Promise.all([
      ...slow.map((member) => slowly(member)),
      ...following,
      ...stores.map((store) => append(store, 60, 5)),
    ]);
    const count = 2 * 10 + 2 * 60 * 5;
    await published.until(count);
    await emptied();
    await relay.close();
    expect(published.count).toBe(count);
    expect(published.events).toHaveLength(count);
    expect(published.disordered).toEqual([]);
  });

  it('sends again after a failure, and tells of it', async () => {
    const [streamId = ''] = await append(publishingStore(), 1, 3);
    const published = new Published();
    let failures = 0;
    published.fault = () => {
      failures += 1;
      return failures > 3 ? Promise.resolve() : Promise.reject(new Error('no broker'));
    };
    const told: string[] = [];
    const relay = relayOf(published, {
      troublePauseMaxMs: 5,
      onTrouble: (error) => told.push((error as Error).message),
      onRecovered: () => told.push('recovered'),
    });
    await published.until(3);
    await emptied();
    await relay.close();
    expect(told).toEqual(['no broker', 'no broker', 'no broker', 'recovered']);
    expect(published.versionsOf(streamId)).toEqual([1, 2, 3]);
  });

  it('goes on after its connections were ended', async () => {
    const published = new Published();
    const relay = relayOf(published, { troublePauseMaxMs: 5 });
    await append(publishingStore(), 2);
    await published.until(2);
    await fixture.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE usename = current_database() || '_app'`,
    );
    await append(publishingStore(), 2);
    await published.until(4);
    await relay.close();
  });

  it('finishes the batch under way when it is closed, and leaves its slots at once', async () => {
    const published = new Published();
    let arrived: () => void = () => undefined;
    let finish: () => void = () => undefined;
    const underWay = new Promise<void>((resolve) => (arrived = resolve));
    published.fault = () => {
      arrived();
      return new Promise((resolve) => (finish = resolve));
    };
    await append(publishingStore(), 1, 2);
    const relay = relayOf(published, { leaseMs: 60_000 });
    await underWay;
    const closed = relay.close();
    expect(await waiting()).toEqual([1, 2]);
    finish();
    await closed;
    expect(published.count).toBe(2);
    expect(await waiting()).toEqual([]);
    expect(await slotsHeld(() => true)).toEqual([]);
  });

  it('says how far behind it is', async () => {
    const published = new Published();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    published.fault = () => held;
    const relay = relayOf(published);
    expect(await relay.lag()).toEqual({ waiting: 0, oldestAgeMs: 0, parked: 0 });
    await append(publishingStore(), 3, 2);
    await fixture.rows('SELECT pg_sleep(0.02)');
    const lag = await relay.lag();
    expect(lag).toMatchObject({ waiting: 6, parked: 0 });
    expect(lag.oldestAgeMs).toBeGreaterThan(19);
    expect(lag.oldestAgeMs).toBeLessThan(60_000);
    release();
    await published.until(6);
    await relay.close();
  });
});

describe('an event that the transport refuses', () => {
  it('is parked with its stream, and others flow', async () => {
    const store = publishingStore();
    const [bad = '', good = ''] = await append(store, 2, 3);
    const published = new Published();
    published.fault = (events) => {
      const refused = events.filter(({ streamId, version }) => streamId === bad && version === 2);
      if (refused.length === 0) return Promise.resolve();
      return Promise.reject(new EventsRefused(new Map(refused.map(({ id }) => [id, 'too large']))));
    };
    const told: string[] = [];
    const relay = relayOf(published, {
      onParked: ({ streamId, version }, reason) =>
        told.push(`${streamId} ${String(version)} ${reason}`),
    });
    await published.until(4);
    await store.append(newMember({ streamId: bad, expectedVersion: 3 }));
    await emptied();
    expect(told).toEqual([`${bad} 2 too large`]);
    expect(published.versionsOf(bad)).toEqual([1]);
    expect(published.versionsOf(good)).toEqual([1, 2, 3]);
    const parked = await store.outbox.parked(10);
    expect(parked.map(({ streamId, version, reason }) => [streamId, version, reason])).toEqual([
      [bad, 2, 'too large'],
      [bad, 3, undefined],
      [bad, 4, undefined],
    ]);
    expect(await relay.lag()).toMatchObject({ waiting: 0, parked: 3 });

    published.fault = undefined;
    expect(await store.outbox.release(bad)).toBe(3);
    await published.until(7);
    await emptied();
    await relay.close();
    expect(published.versionsOf(bad)).toEqual([1, 2, 3, 4]);
    expect(await store.outbox.parked(10)).toEqual([]);
  });

  it('that is none of the batch counts as a failure', async () => {
    await append(publishingStore(), 1);
    const published = new Published();
    let refused = false;
    published.fault = () => {
      if (refused) return Promise.resolve();
      refused = true;
      return Promise.reject(new EventsRefused(new Map([[newEvent().id, 'whose?']])));
    };
    const told: unknown[] = [];
    const relay = relayOf(published, { onTrouble: (error) => told.push(error) });
    await published.until(1);
    await relay.close();
    expect(told).toHaveLength(1);
  });
});

describe('several relays', () => {
  it('share the slots, those that join and leave included, and keep the order', async () => {
    const published = new Published();
    const store = publishingStore();
    let appended = 0;
    const more = async (): Promise<void> => {
      await append(store, 40, 4);
      appended += 40 * 4;
    };
    const first = relayOf(published);
    expect(await slotsHeld(([slots]) => slots === 16)).toEqual([16]);
    const second = relayOf(published);
    await more();
    expect(await slotsHeld((counts) => counts.length === 2 && counts[0] === 8)).toEqual([8, 8]);
    await more();
    const third = relayOf(published);
    await more();
    expect(await slotsHeld((counts) => counts[0] === 6 && counts[2] === 4)).toEqual([6, 6, 4]);
    await more();
    await first.close();
    await more();
    expect(await slotsHeld((counts) => counts.length === 2 && counts[1] === 8)).toEqual([8, 8]);
    await published.until(appended);
    await emptied();
    await Promise.all([second.close(), third.close()]);
    expect(published.count).toBe(appended);
    // Nobody died and no batch outlived a lease, so nothing came twice either.
    expect(published.events).toHaveLength(appended);
    expect(published.disordered).toEqual([]);
  });

  it('take over from one that died in the middle, and lose nothing', async () => {
    const published = new Published();
    const store = publishingStore();
    let sent: () => void = () => undefined;
    let wake: () => void = () => undefined;
    const hasSent = new Promise<void>((resolve) => (sent = resolve));
    const stalled = new Promise<void>((resolve) => (wake = resolve));
    // Dies after the transport took half of the batch and before anything was deleted.
    const dying = relayOf({
      publish: async (events) => {
        published.take(events.slice(0, Math.ceil(events.length / 2)));
        sent();
        await stalled;
        published.take(events);
      },
    });
    await append(store, 50, 3);
    await hasSent;
    const heir = relayOf(published);
    await append(store, 50, 3);
    await published.until(2 * 50 * 3);
    await emptied();
    expect(published.count).toBe(2 * 50 * 3);
    expect(published.disordered).toEqual([]);
    expect(heir.slotsHeld).toBe(16);

    // The old holder wakes up: it repeats what it had in hand, and takes up no more than its share.
    const before = published.events.length;
    wake();
    await slotsHeld((counts) => counts.length === 2 && counts[0] === 8);
    expect(published.events.length).toBeGreaterThan(before);
    await Promise.all([dying.close(), heir.close()]);
    expect(published.count).toBe(2 * 50 * 3);
    expect(published.disordered).toEqual([]);
  });
});

describe('a relay at rest', () => {
  /** It would not look by itself before a test is over. */
  const asleep = { pollMs: 5, awakeMs: 20, idlePollMs: 600_000, renewEveryMs: 600_000 };
  const leased = { ...asleep, leaseMs: 600_000 };

  /** A relay that has published one event, and looks no more until it is woken. */
  async function sleepingRelay(published: Published): Promise<OutboxRelay> {
    const relay = relayOf(published, leased);
    await publishingStore().append(newMember());
    await published.until(1);
    while ((await waiting()).length > 0);
    return relay;
  }

  /** For each of two relays a new stream whose events it publishes. */
  function streamsOfEachRelay(): Promise<{ id: string }[]> {
    return fixture.rows(
      `SELECT min(id) AS id FROM unnest($1::text[]) AS id
       JOIN ${SCHEMA}.relay_slots ON slot = hashtextextended(id, 0) & 15 GROUP BY holder`,
      [Array.from({ length: 200 }, newStreamId)],
    );
  }

  it('is woken by what is recorded after a quiet time', async () => {
    const published = new Published();
    await sleepingRelay(published);
    // Another process: it does not know that there was an event before.
    await publishingStore().append(newMember());
    await published.until(2);
  });

  it('stays awake while all that is recorded is for another relay', async () => {
    const published = new Published();
    for (let count = 0; count < 2; count += 1)
      relayOf(published, { ...defaultRelayLimits, renewEveryMs: 50 });
    await slotsHeld((counts) => counts.length === 2 && counts[0] === 8);
    const [busy, quiet] = await streamsOfEachRelay();
    const store = publishingStore();
    let version = 0;
    for (const untilMs = performance.now() + 1_000; performance.now() < untilMs; version += 1) {
      await store.append(newMember({ streamId: busy!.id, expectedVersion: version }));
      await delay(40);
    }
    const recordedMs = performance.now();
    await store.append(newMember({ streamId: quiet!.id }));
    await published.until(version + 1);
    expect(performance.now() - recordedMs).toBeLessThan(1_000);
  });

  it('is woken by whoever waits for what is recorded', async () => {
    const published = new Published();
    await sleepingRelay(published);
    const silent = fixture.store({ publishes: false });
    const member = newMember();
    await silent.append(member);
    const text = `INSERT INTO ${SCHEMA}.outbox (slot, stream_id, version) VALUES (0, $1, 1)`;
    await fixture.owner.query(text, [member.streamId]);
    await publishingStore().headsNow(checkpointAtStart, 10);
    await published.until(2);
  });

  it('listens again when its connection was cut', async () => {
    const published = new Published();
    await sleepingRelay(published);
    await fixture.owner.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE query LIKE 'LISTEN%' AND datname = current_database()`);
    for (let count = 2; count <= 4; count += 1) {
      await publishingStore().append(newMember());
      await published.until(count);
    }
  });
});
