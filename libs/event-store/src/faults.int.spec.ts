import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from './append-member.js';
import { CuttingProxy, type Fault } from './cutting-proxy-fixture.js';
import type { EventStore } from './event-store.js';
import { newClaim, newMember, newStreamId, SCHEMA, StoreFixture } from './store-fixture.js';

const fixture = new StoreFixture();
const LONG_AGO_MS = 1_000_000_000_000;

describe('when the connection is lost', () => {
  let proxy: CuttingProxy;
  let url: string;

  beforeEach(async () => {
    ({ proxy, url } = await CuttingProxy.before(fixture.appUrl));
  });

  afterEach(async () => {
    await fixture.closePools();
    await proxy.close();
  });

  it.each<Fault>(['cutAnswer', 'cutRequest'])(
    'with the COMMIT under way (%s), every append is recorded once (R-CRA-06)',
    async (fault) => {
      const store = await warmStore();
      const rounds = 25;
      const perRound = 8;
      for (let round = 0; round < rounds; round += 1) {
        const members = Array.from({ length: perRound }, (_, index) =>
          newMember({
            transactionIds: [newStreamId()],
            ...(index === 0 ? { idempotency: newClaim(`${fault} ${String(round)}`) } : {}),
          }),
        );
        proxy.next = fault;
        const results = await Promise.all(members.map((member) => store.append(member)));
        expect(results).toEqual(members.map(() => ({ kind: 'appended', version: 1 })));
        expect(proxy.next).toBe('none');
      }
      expect(await fixture.broken()).toEqual([]);
    },
  );

  it('while a new one is prepared, the process goes on, and so does the append', async () => {
    const store = fixture.store({}, fixture.pool({ connectionString: url }));
    proxy.next = 'cutSettings';
    expect(await store.append(newMember())).toEqual({ kind: 'appended', version: 1 });
    expect(proxy.next).toBe('none');
  });

  it('and a single append had been recorded, it is not called expired or a conflict', async () => {
    const store = await warmStore();
    const member = newMember({ notAfterMs: Date.now() + 60_000 });
    proxy.next = 'cutAnswer';
    expect(await store.append(member)).toEqual({ kind: 'appended', version: 1 });
    expect(await store.append({ ...member, notAfterMs: LONG_AGO_MS })).toEqual({
      kind: 'versionConflict',
    });
    expect(await store.read(member.streamId)).toHaveLength(1);
  });

  it('a conflict stays a conflict', async () => {
    const store = await warmStore();
    const { streamId } = newMember();
    await store.append(newMember({ streamId }));
    for (const fault of ['cutAnswer', 'cutRequest'] as const) {
      proxy.next = fault;
      expect(await store.append(newMember({ streamId }))).toEqual({ kind: 'versionConflict' });
    }
  });

  it('without a word, the answer is found on another connection', async () => {
    const store = await warmStore({ answerTimeoutMs: 200 });
    proxy.next = 'holdAnswer';
    expect(await store.append(newMember())).toEqual({ kind: 'appended', version: 1 });
    expect(await fixture.broken()).toEqual([]);
  });

  it('for too long, the append says that it may be recorded', async () => {
    const store = await warmStore({ doubtPatienceMs: 100 });
    proxy.next = 'cutAnswer';
    const append = store.append(newMember());
    // The server is gone as soon as the answer has been cut.
    await proxy.quiet();
    await proxy.close();
    const failure = await append.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect(failure).toMatchObject({ recorded: 'unknown' });
    await proxy.listen(0);
  });

  it('and it may be recorded, the append goes on asking when it would have given up otherwise', async () => {
    const store = await warmStore({ patienceMs: 0 });
    for (const fault of ['cutAnswer', 'cutRequest'] as const) {
      proxy.next = fault;
      expect(await store.append(newMember())).toEqual({ kind: 'appended', version: 1 });
    }
  });

  it('and none can be made, the append says that nothing is recorded', async () => {
    await proxy.close();
    const store = fixture.store({ patienceMs: 50 }, fixture.pool({ connectionString: url }));
    await expect(store.append(newMember())).rejects.toMatchObject({ recorded: 'no' });
    await proxy.listen(0);
  });

  it('a database that comes back within its patience gets the append', async () => {
    await proxy.close();
    const store = fixture.store({}, fixture.pool({ connectionString: url }));
    const append = store.append(newMember());
    await expect(store.streamOf('any')).rejects.toMatchObject({ kind: 'notExecuted' });
    await proxy.listen(Number(new URL(url).port));
    expect(await append).toEqual({ kind: 'appended', version: 1 });
  });

  async function warmStore(limits: object = {}): Promise<EventStore> {
    const store = fixture.store(limits, fixture.pool({ connectionString: url, max: 2 }));
    await Promise.all([store.append(newMember()), store.append(newMember())]);
    return store;
  }
});

describe('when the server gives up', () => {
  it('an append that waits for a lock too long is not recorded', async () => {
    const { streamId } = newMember();
    await fixture.store().append(newMember({ streamId }));
    const rival = await fixture.pool().connect();
    await rival.query('BEGIN');
    await rival.query(`SELECT FROM ${SCHEMA}.streams WHERE stream_id = $1 FOR UPDATE`, [streamId]);
    const pool = fixture.pool({ statement_timeout: 50 });
    const store = fixture.store({ patienceMs: 100 }, pool);
    const append = store.append(newMember({ streamId, expectedVersion: 1 }));
    await expect(append).rejects.toMatchObject({ recorded: 'no' });
    await rival.query('ROLLBACK');
    rival.release();
    expect(await store.read(streamId)).toHaveLength(1);
  });

  it('an append goes on when its connection was ended by an administrator', async () => {
    const store = fixture.store({}, fixture.pool({ max: 1 }));
    await store.append(newMember());
    await fixture.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE usename = current_database() || '_app'`,
    );
    expect(await store.append(newMember())).toEqual({ kind: 'appended', version: 1 });
  });
});
