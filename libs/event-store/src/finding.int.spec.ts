import { describe, expect, it } from '@jest/globals';
import type { AppendMember } from './append-member.js';
import { checkpointAtStart, type StreamHead } from './reader.js';
import { newEvent, newMember, newStreamId, StoreFixture } from './store-fixture.js';

const fixture = new StoreFixture();

describe('a lookup text', () => {
  it('finds every transaction that was recorded under it, and how far its stream has come', async () => {
    const store = fixture.store();
    const [first, second] = [newStreamId(), newStreamId()];
    const lookupText = `order of ${first}`;
    // Alone, and together with others in one statement.
    await store.append(newMember({ streamId: first, transactionIds: [first], lookupText }));
    await Promise.all(
      [second, ...Array.from({ length: 20 }, newStreamId)].map((streamId, index) =>
        store.append(
          newMember({
            ...{ streamId, transactionIds: [streamId] },
            ...(index === 0 ? { lookupText } : { lookupText: 'another' }),
          }),
        ),
      ),
    );
    await store.append(newMember({ streamId: first, expectedVersion: 1 }));
    const { found, incarnation } = await store.lookUp(lookupText, 10);
    expect(new Set(found)).toEqual(
      new Set([
        { transactionId: first, streamId: first, version: 2 },
        { transactionId: second, streamId: second, version: 1 },
      ]),
    );
    expect(incarnation).toBe(await store.incarnation());
    expect((await store.lookUp(lookupText, 1)).found).toHaveLength(1);
    expect((await store.lookUp('another', 100)).found).toHaveLength(20);
    expect(await store.lookUp('nobody has it', 10)).toEqual({ found: [], incarnation });
  });

  it('finds nothing of an append that was not recorded', async () => {
    const store = fixture.store();
    const [streamId, late] = [newStreamId(), newStreamId()];
    await store.append(newMember({ streamId, transactionIds: [streamId] }));
    const refused = await store.append(
      newMember({ streamId, transactionIds: [late], lookupText: 'too late' }),
    );
    expect(refused).toEqual({ kind: 'versionConflict' });
    expect((await store.lookUp('too late', 10)).found).toEqual([]);
  });
});

describe('the heads of now', () => {
  it('have what was just appended, though an older transaction is still open', async () => {
    const store = fixture.store();
    const { next } = await endOf(store);
    const settled = newMember();
    await store.append(settled);
    const slow = await fixture.pool().connect();
    await slow.query('BEGIN');
    await slow.query('SELECT pg_current_xact_id()');
    const member = newMember();
    await store.append(member);
    await store.append(newMember({ streamId: member.streamId, expectedVersion: 1 }));
    const page = await store.headsNow(next, 10);
    expect(page.heads).toEqual([
      { streamId: settled.streamId, version: 1 },
      { streamId: member.streamId, version: 2 },
    ]);
    await slow.query('ROLLBACK');
    slow.release();
    // What may have got company meanwhile comes again.
    const again = await store.headsNow(page.next, 10);
    expect(again.heads).toEqual([{ streamId: member.streamId, version: 2 }]);
    expect(await store.headsNow(again.next, 10)).toEqual({
      ...{ heads: [], next: again.next, reached: again.next, more: false },
    });
  });

  it('come page by page', async () => {
    const store = fixture.store();
    const { next } = await endOf(store);
    for (const member of [newMember(), newMember(), newMember()]) await store.append(member);
    const page = await store.headsNow(next, 2);
    expect([page.heads.length, page.more]).toEqual([2, true]);
    const rest = await store.headsNow(page.next, 2);
    expect([rest.heads.length, rest.more]).toEqual([1, false]);
  });

  it('come in their order also where numbers get another digit', async () => {
    const store = fixture.store();
    const { next } = await endOf(store);
    await fixture.rows("SELECT setval(pg_get_serial_sequence('ledger.events', 'position'), 9990)");
    // All but the first are appended by one statement.
    const members = Array.from({ length: 25 }, () => newMember());
    await Promise.all(members.map((member) => store.append(member)));
    const seen = new Set<string>();
    await store.walkHeadsNow(next, 5, (heads) => {
      for (const { streamId } of heads) seen.add(streamId);
      return Promise.resolve();
    });
    expect([...seen].sort()).toEqual(members.map(({ streamId }) => streamId).sort());
  });

  it('come page by page also while an older transaction is open, and those from there on again', async () => {
    const store = fixture.store();
    const { next } = await endOf(store);
    const settled = [newMember(), newMember()];
    for (const member of settled) await store.append(member);
    const slow = await fixture.pool().connect();
    await slow.query('BEGIN');
    await slow.query('SELECT pg_current_xact_id()');
    const open = Array.from({ length: 5 }, () => newMember());
    for (const member of open) await store.append(member);
    const seen: string[] = [];
    const take = (heads: readonly StreamHead[]): Promise<void> => {
      seen.push(...heads.map(({ streamId }) => streamId));
      return Promise.resolve();
    };
    const ofAll = (...members: readonly (readonly AppendMember[])[]) =>
      members.flat().map(({ streamId }) => streamId);
    const later = await store.walkHeadsNow(next, 2, take);
    expect(seen.splice(0)).toEqual(ofAll(settled, open));
    await slow.query('ROLLBACK');
    slow.release();
    await store.walkHeadsNow(later, 2, take);
    expect(seen).toEqual(ofAll(open));
  });

  async function endOf(store: ReturnType<StoreFixture['store']>) {
    let page = await store.headsNow(checkpointAtStart, 1_000);
    while (page.more) page = await store.headsNow(page.next, 1_000);
    return page;
  }
});

describe('one transaction of a stream', () => {
  it('is read without the thousand others, from wherever it stands', async () => {
    const store = fixture.store();
    const streamId = newStreamId();
    const last = newStreamId();
    const aboutIt = (transactionId: string, more: object = {}) =>
      newEvent({ data: JSON.stringify({ ...more, transactionId }) });
    await store.append(
      newMember({
        ...{ streamId, transactionIds: [streamId], events: [aboutIt(streamId)] },
        personalKey: { wrapped: Buffer.from('wrapped') },
      }),
    );
    // Each of them names the first one, and is not about it.
    const others = Array.from({ length: 1_998 }, () =>
      aboutIt(newStreamId(), { referencedId: streamId }),
    );
    await store.append(newMember({ streamId, expectedVersion: 1, events: others }));
    const events = [aboutIt(last, { referencedId: streamId }), aboutIt(last)];
    await store.append(
      newMember({ streamId, expectedVersion: 1_999, transactionIds: [last], events }),
    );
    await store.append(
      newMember({ streamId, expectedVersion: 2_001, events: [aboutIt(streamId)] }),
    );
    const versionsOf = async (id: string) =>
      (await store.readTransaction(id))?.events.map(({ version }) => version);
    expect(await versionsOf(streamId)).toEqual([1, 2_002]);
    // Found where they begin, so that a few need not even be looked for among all.
    const near = async (id: string) =>
      (await store.readTransaction(id, 2))?.events.map(({ version }) => version);
    expect([await near(streamId), await near(last)]).toEqual([[1], [2_000, 2_001]]);
    expect(await versionsOf(last)).toEqual([2_000, 2_001]);
    expect(await store.readTransaction(last)).toMatchObject({
      ...{ streamId, personalKey: Buffer.from('wrapped') },
    });
    expect(await store.readTransaction(newStreamId())).toBeUndefined();
  });
});
