import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newEvent, newMember, SCHEMA, StoreFixture } from './store-fixture.js';
import { DueInTurn, tenantsOfStreams } from './tenants.js';

const fixture = new StoreFixture();
beforeAll(async () => {
  for (const statement of tenantsOfStreams({ schema: SCHEMA }).statements) {
    await fixture.rows(statement);
  }
});
beforeEach(() => fixture.rows(`TRUNCATE ${SCHEMA}.streams`));

/** As many as scheduling has in hand at once. */
const LIMIT = 64;
const CLAIM = { limit: LIMIT, leaseMs: 60_000 };

/** Streams `tenant/1` and so on that are due since then, each a little later than the one before. */
async function due(tenant: string, count: number, sinceMs: number): Promise<void> {
  await fixture.rows(
    `INSERT INTO ${SCHEMA}.streams (stream_id, version, due_at, tenant)
     SELECT $1 || '/' || n, 1, now() - make_interval(secs => ($3 - n::float8 / 1000) / 1000), $1
     FROM generate_series(1, $2::int) n`,
    [tenant, count, sinceMs],
  );
}

const of = (tenant: string, streamIds: readonly string[]): readonly string[] =>
  streamIds.filter((streamId) => streamId.startsWith(`${tenant}/`));

describe('what is due of one tenant', () => {
  it('does not wait for the thousands that another has been waiting with for longer', async () => {
    await due('a', 2_000, 60_000);
    await due('b', 5, 1_000);
    const store = fixture.store({ hasTenants: true });
    const claims = [await store.claimDueStreams(CLAIM), await store.claimDueStreams(CLAIM)];
    expect(claims.map((claim) => claim.length)).toEqual([LIMIT, LIMIT]);
    expect(of('b', claims.flat())).toHaveLength(5);
  });

  it('waits for it where streams have no tenants', async () => {
    await due('a', 2_000, 60_000);
    await due('b', 5, 1_000);
    const claimed = await fixture.store().claimDueStreams({ ...CLAIM, limit: 2_000 });
    expect(of('b', claimed)).toEqual([]);
  });

  it('comes by and by with that of all the others, and is claimed once', async () => {
    const tenants = Array.from({ length: 40 }, (_, number) => `t${number.toString()}`);
    for (const tenant of tenants) await due(tenant, 20, 1_000);
    const stores = [fixture.store({ hasTenants: true }), fixture.store({ hasTenants: true })];
    const claimed: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const claims = await Promise.all(stores.map((store) => store.claimDueStreams(CLAIM)));
      claimed.push(...claims.flat());
    }
    expect(new Set(claimed).size).toBe(claimed.length);
    expect(tenants.filter((tenant) => of(tenant, claimed).length === 0)).toEqual([]);
    for (;;) {
      const more = await stores[0]?.claimDueStreams(CLAIM);
      if (more === undefined || more.length === 0) break;
      claimed.push(...more);
    }
    expect(new Set(claimed).size).toBe(40 * 20);
  });

  it('is found behind more tenants than one claim looks at', async () => {
    await due('a', 2_000, 60_000);
    await due('z', 5, 1_000);
    await fixture.rows(
      `INSERT INTO ${SCHEMA}.streams (stream_id, version, due_at, tenant)
       SELECT 'm' || n, 1, now() + interval '1 day', 'm' || n FROM generate_series(1, 1200) n`,
    );
    const store = fixture.store({ hasTenants: true });
    const claimed: string[] = [];
    for (let claims = 0; claims < 6; claims += 1) {
      claimed.push(...(await store.claimDueStreams(CLAIM)));
    }
    expect(of('z', claimed)).toHaveLength(5);
  });
});

describe('a tenant whose clock is ahead', () => {
  const AHEAD_MS = 86_400_000;
  const ahead = { tenant: 'a', aheadMs: AHEAD_MS };

  it('has what is due by that clock claimed, the earliest first, until the lease ends by it', async () => {
    // Due in half a day, and in a day and a half; of somebody else in half a day as well.
    await due('a', 2, -AHEAD_MS / 2);
    await due('a2', 1, -AHEAD_MS / 2);
    await fixture.rows(
      `INSERT INTO ${SCHEMA}.streams (stream_id, version, due_at, tenant)
       VALUES ('a/later', 1, now() + interval '36 hours', 'a')`,
    );
    const store = fixture.store({ hasTenants: true });
    expect(await store.claimDueStreams(CLAIM)).toEqual([]);
    expect(await store.claimDueStreams({ ...CLAIM, limit: 1, of: ahead })).toEqual(['a/1']);
    expect(await store.claimDueStreams({ ...CLAIM, of: ahead })).toEqual(['a/2']);
    expect(await store.claimDueStreams({ ...CLAIM, of: ahead })).toEqual([]);
    const afterLease = { tenant: 'a', aheadMs: AHEAD_MS + 2 * CLAIM.leaseMs };
    const again = await store.claimDueStreams({ ...CLAIM, of: afterLease });
    expect([...again].sort()).toEqual(['a/1', 'a/2']);
  });

  it('is known by the first event where streams do not say whose they are', async () => {
    const store = fixture.store();
    const of = (entityId: string) => ({ ...newEvent(), metadata: JSON.stringify({ entityId }) });
    const dueInMs = AHEAD_MS / 2;
    const [theirs, others] = [
      newMember({ dueInMs, events: [of('a'), of('b')] }),
      newMember({ dueInMs, events: [of('b')] }),
    ];
    await Promise.all([store.append(theirs), store.append(others)]);
    expect(Math.abs(((await store.nextDueOfMs('a')) ?? 0) - Date.now() - dueInMs)).toBeLessThan(
      5_000,
    );
    expect(await store.claimDueStreams({ ...CLAIM, of: ahead })).toEqual([theirs.streamId]);
    expect(await store.nextDueOfMs('c')).toBeNull();
  });

  it('says when the next is due by it', async () => {
    const store = fixture.store({ hasTenants: true });
    expect(await store.nextDueOfMs('a')).toBeNull();
    await due('b', 1, 1_000);
    await fixture.rows(
      `INSERT INTO ${SCHEMA}.streams (stream_id, version, due_at, tenant)
       VALUES ('a/1', 1, '2031-01-31T08:00:00.250Z', 'a'), ('a/2', 1, '2031-02-01T08:00:00Z', 'a')`,
    );
    expect(await store.nextDueOfMs('a')).toBe(Date.UTC(2031, 0, 31, 8, 0, 0, 250));
  });
});

describe('a stream', () => {
  it('is claimed as before where nobody has said whose it is', async () => {
    const store = fixture.store({ hasTenants: true });
    const [nobodys, tenants] = [newMember({ dueInMs: 0 }), newMember({ dueInMs: 0, tenant: 'b' })];
    // One statement for both, and one for each alone.
    await Promise.all([store.append(nobodys), store.append(tenants)]);
    const alone = newMember({ dueInMs: 0, tenant: 'c' });
    await store.append(alone);
    await store.append({ ...newMember(), streamId: alone.streamId, expectedVersion: 1 });
    const rows = await fixture.rows<{ tenant: string | null }>(
      `SELECT tenant FROM ${SCHEMA}.streams ORDER BY tenant`,
    );
    expect(rows.map(({ tenant }) => tenant)).toEqual(['b', 'c', null]);
    const claimed = await store.claimDueStreams(CLAIM);
    expect([...claimed].sort()).toEqual(
      [nobodys, tenants, alone].map(({ streamId }) => streamId).sort(),
    );
  });
});

describe('a claim in turn', () => {
  it('reads no table from end to end', async () => {
    await fixture.rows(
      `INSERT INTO ${SCHEMA}.streams (stream_id, version, due_at, tenant)
       SELECT md5(n::text), 1, now() + (n - 200) * interval '1 s', 'tenant ' || n % 200
       FROM generate_series(1, 50000) n`,
    );
    await fixture.rows(`ANALYZE ${SCHEMA}.streams`);
    const plans: string[] = [];
    const explaining = {
      execute: async ({ text, values }: { text: string; values: readonly unknown[] }) => {
        const rows = await fixture.rows<{ 'QUERY PLAN': string }>(
          `EXPLAIN (ANALYZE, BUFFERS) ${text}`,
          [...values],
        );
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return [];
      },
    };
    await new DueInTurn(explaining as never, SCHEMA, 'true').claim(LIMIT / 2, 60_000);
    const [plan = ''] = plans;
    expect(plan).not.toContain('Seq Scan');
    expect(plan).toContain('streams_due_of_tenants');
    const [, pages = ''] = /Buffers: shared hit=(\d+)/u.exec(plan) ?? [];
    // A few for each of two hundred tenants, and for each stream that is claimed.
    expect(Number(pages)).toBeLessThan(3_000);
    expect(Number(pages)).toBeGreaterThan(0);
  });
});
