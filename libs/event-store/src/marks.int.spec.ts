import { describe, expect, it } from '@jest/globals';
import type { AppendMember, NewMark } from './append-member.js';
import type { EventStore } from './event-store.js';
import { newClaim, newMember, newStreamId, SCHEMA, StoreFixture } from './store-fixture.js';

const fixture = new StoreFixture();
const LONG_AGO_MS = 1_000_000_000_000;
const NOTHING = { left: [], withdrawn: [], cleared: [] } as const;

/** A new stream that leaves a mark of itself. */
function leaving(subject: string, mark: Partial<NewMark> = {}): AppendMember {
  const streamId = newStreamId();
  const left = [{ subject, transactionId: streamId, data: '{"n":1}', lasting: false, ...mark }];
  return newMember({ streamId, marks: { ...NOTHING, left } });
}

async function under(store: EventStore, subject: string): Promise<readonly string[]> {
  return (await store.marks.under([subject])).map(({ streamId }) => streamId);
}

function storeOf(stores: readonly EventStore[], index: number): EventStore {
  const store = stores[index % stores.length];
  if (store === undefined) throw new Error('no stores');
  return store;
}

/** Both ways of appending: alone, and with others. */
async function append(store: EventStore, member: AppendMember, isAlone: boolean) {
  const others = isAlone ? [] : [store.append(newMember()), store.append(newMember())];
  const [result] = await Promise.all([store.append(member), ...others]);
  return result;
}

describe.each([
  ['alone', true],
  ['with others', false],
])('an append %s', (_, isAlone) => {
  it('leaves marks, replaces and withdraws them', async () => {
    const store = fixture.store();
    const subject = newStreamId();
    const first = leaving(subject);
    const { streamId } = first;
    await append(store, first, isAlone);
    expect(await store.marks.under([subject])).toEqual([
      { subject, transactionId: streamId, streamId, data: { n: 1 }, version: 0 },
    ]);
    const again = { subject, transactionId: streamId, data: '{"n":2}', lasting: true };
    const replacing = { streamId, expectedVersion: 1, marks: { ...NOTHING, left: [again] } };
    await append(store, newMember(replacing), isAlone);
    expect(await store.marks.under([subject])).toMatchObject([{ data: { n: 2 } }]);
    const withdrawn = [{ subject, transactionId: streamId }];
    const withdrawing = { streamId, expectedVersion: 2, marks: { ...NOTHING, withdrawn } };
    expect(await append(store, newMember(withdrawing), isAlone)).toMatchObject({ version: 3 });
    expect(await under(store, subject)).toEqual([]);
  });

  it('changes no mark if it records nothing', async () => {
    const store = fixture.store();
    const subject = newStreamId();
    const key = newStreamId();
    await store.append(newMember({ idempotency: newClaim(key) }));
    const refused = { ...leaving(subject), idempotency: newClaim(key) };
    expect(await append(store, refused, isAlone)).toMatchObject({ kind: 'alreadyClaimed' });
    expect(await under(store, subject)).toEqual([]);
  });

  it('clears what others have left of a subject, and nothing that is lasting', async () => {
    const store = fixture.store();
    const subject = newStreamId();
    const lasting = leaving(subject, { lasting: true });
    await Promise.all([store.append(lasting), store.append(leaving(subject))]);
    const clearing = newMember({ marks: { ...NOTHING, cleared: [subject] } });
    await append(store, clearing, isAlone);
    expect(await under(store, subject)).toEqual([lasting.streamId]);
  });

  it('is refused where something is marked that it was decided without', async () => {
    const store = fixture.store();
    const subject = newStreamId();
    const unaware = (): AppendMember => newMember({ unmarked: [newStreamId(), subject] });
    expect(await append(store, unaware(), isAlone)).toMatchObject({ kind: 'appended' });
    await store.append(leaving(subject, { untilMs: LONG_AGO_MS }));
    expect(await append(store, unaware(), isAlone)).toMatchObject({ kind: 'appended' });
    await store.append(leaving(subject));
    const late = unaware();
    expect(await append(store, late, isAlone)).toEqual({ kind: 'markedMeanwhile' });
    expect(await store.read(late.streamId)).toEqual([]);
  });

  it('is refused where the mark that it was decided by has changed', async () => {
    const store = fixture.store();
    const first = leaving(newStreamId());
    await store.append(first);
    const [mark] = first.marks?.left ?? [];
    const { subject = '', transactionId = '' } = mark ?? {};
    const holding = (version: number): AppendMember =>
      newMember({ heldMark: { subject, transactionId, version } });
    expect(await append(store, holding(0), isAlone)).toMatchObject({ kind: 'appended' });
    expect(await append(store, holding(0), isAlone)).toEqual({ kind: 'markedMeanwhile' });
    expect(await append(store, holding(1), isAlone)).toMatchObject({ kind: 'appended' });
    const unknown = { subject, transactionId: newStreamId(), version: 0 };
    expect(await append(store, newMember({ heldMark: unknown }), isAlone)).toEqual({
      kind: 'markedMeanwhile',
    });
  });
});

describe('appends of several processes', () => {
  it('200 at once by one mark: one is recorded', async () => {
    const stores = Array.from({ length: 4 }, () => fixture.store());
    const subject = newStreamId();
    const first = leaving(subject);
    await stores[0]?.append(first);
    const heldMark = { subject, transactionId: first.streamId, version: 0 };
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        storeOf(stores, index).append(newMember({ heldMark })),
      ),
    );
    expect(results.filter((result) => result.kind === 'appended')).toHaveLength(1);
    expect(results.filter((result) => result.kind === 'markedMeanwhile')).toHaveLength(199);
    expect(await fixture.broken()).toEqual([]);
  });

  it('that clear, leave and hold many subjects wait for each other, and never for ever', async () => {
    const stores = Array.from({ length: 4 }, () => fixture.store());
    const subjects = Array.from({ length: 5 }, () => newStreamId());
    const results = await Promise.all(
      Array.from({ length: 400 }, (_, index) => {
        const subject = subjects[index % subjects.length] ?? '';
        const other = subjects[(index * 3) % subjects.length] ?? '';
        const marks = { ...NOTHING, cleared: [subject] };
        const member = index % 2 === 0 ? newMember({ marks }) : leaving(other);
        return storeOf(stores, index).append(member);
      }),
    );
    expect(results.every((result) => result.kind === 'appended')).toBe(true);
    expect(await fixture.broken()).toEqual([]);
  });
});

it('marks that say nothing any more are forgotten', async () => {
  const store = fixture.store();
  const subject = newStreamId();
  await store.append(leaving(subject, { untilMs: LONG_AGO_MS }));
  const stays = leaving(subject, { untilMs: Date.now() + 3_600_000 });
  await store.append(stays);
  expect(await under(store, subject)).toEqual([stays.streamId]);
  await store.marks.forgetEnded();
  const rows = await fixture.rows(`SELECT stream_id FROM ${SCHEMA}.marks WHERE subject = $1`, [
    subject,
  ]);
  expect(rows).toEqual([{ stream_id: stays.streamId }]);
});
