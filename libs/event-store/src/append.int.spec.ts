import type { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import type { AppendMember } from './append-member.js';
import {
  newClaim,
  newEvent,
  newMember,
  newStreamId,
  SCHEMA,
  StoreFixture,
} from './store-fixture.js';

const fixture = new StoreFixture();
const LONG_AGO_MS = 1_000_000_000_000;

/** When each stream is due, in one word. */
async function dueOf(streamIds: readonly string[]): Promise<readonly string[]> {
  const rows = await fixture.rows<{ due: string }>(
    `SELECT CASE WHEN due_at IS NULL THEN 'never' WHEN due_at <= now() THEN 'now'
                 ELSE 'later' END AS due
     FROM unnest($1::text[]) WITH ORDINALITY AS m (stream_id, place)
     JOIN ${SCHEMA}.streams USING (stream_id) ORDER BY place`,
    [streamIds],
  );
  return rows.map(({ due }) => due);
}

describe('an append alone', () => {
  it('records events, head, index and keys', async () => {
    const store = fixture.store();
    const streamId = newStreamId();
    const idempotency = newClaim('all of it');
    const result = await store.append(
      newMember({
        streamId,
        events: [newEvent({ type: 'Opened' }), newEvent({ type: 'Booked' })],
        transactionIds: [streamId, newStreamId()],
        idempotency,
        personalKey: { wrapped: Buffer.from([1, 2, 0, 255]) },
        dueInMs: 60_000,
        notAfterMs: Date.now() + 25_000,
      }),
    );
    expect(result).toEqual({ kind: 'appended', version: 2 });
    expect((await store.read(streamId)).map(({ type, version }) => [type, version])).toEqual([
      ['Opened', 1],
      ['Booked', 2],
    ]);
    expect(await store.personalKeys.of(streamId)).toEqual(Buffer.from([1, 2, 0, 255]));
    const { fingerprint, answer, transactionId } = idempotency;
    expect(await store.idempotency.find('all of it')).toEqual({
      fingerprint,
      answer,
      transactionId,
    });
    const [head] = await fixture.rows(
      `SELECT version, due_at BETWEEN now() + '50 s' AND now() + '60 s' AS due
       FROM ${SCHEMA}.streams WHERE stream_id = $1`,
      [streamId],
    );
    expect(head).toEqual({ version: 2, due: true });
  });

  it('finds the transaction of a key by what the key begins with, unless two begin so', async () => {
    const store = fixture.store();
    const claim = newClaim('0a1b~end');
    await store.append(newMember({ idempotency: claim }));
    for (const beginning of ['0a1b', '0a1b~', '0a1b~end']) {
      expect(await store.idempotency.findTransaction(beginning, claim.transactionId)).toBe(
        claim.transactionId,
      );
    }
    for (const beginning of ['0a1c', '0a1b~endless']) {
      expect(
        await store.idempotency.findTransaction(beginning, claim.transactionId),
      ).toBeUndefined();
    }
    await store.append(newMember({ idempotency: newClaim('0a1bf') }));
    expect(await store.idempotency.findTransaction('0a1b', claim.transactionId)).toBeUndefined();
    expect(await store.idempotency.findTransaction('0a1b~', claim.transactionId)).toBe(
      claim.transactionId,
    );
  });

  it.each([
    ['leaves the due time', undefined, 'later'],
    ['forgets the due time', null, 'never'],
    ['sets the due time', 0, 'now'],
    ['takes a due time that is past for now', -5, 'now'],
  ])('%s as its dueInMs says', async (_name, dueInMs, due) => {
    const store = fixture.store();
    const first = newMember({ dueInMs: 60_000 });
    await store.append(first);
    const rest = dueInMs === undefined ? {} : { dueInMs };
    await store.append(newMember({ streamId: first.streamId, expectedVersion: 1, ...rest }));
    expect(await dueOf([first.streamId])).toEqual([due]);
  });

  it('conflicts when its stream is not at the expected version', async () => {
    const store = fixture.store();
    const { streamId } = newMember();
    await store.append(newMember({ streamId }));
    for (const expectedVersion of [0, 2]) {
      const late = store.append(newMember({ streamId, expectedVersion }));
      expect(await late).toEqual({ kind: 'versionConflict' });
    }
    expect(await store.append(newMember({ expectedVersion: 1 }))).toEqual({
      kind: 'versionConflict',
    });
    expect(await store.read(streamId)).toHaveLength(1);
  });

  it('is not recorded after its life, by the clock of the database (D-03)', async () => {
    const store = fixture.store();
    const { streamId } = newMember();
    const expired = newMember({ streamId, transactionIds: [streamId], notAfterMs: LONG_AGO_MS });
    expect(await store.append(expired)).toEqual({ kind: 'expired' });
    expect(await store.streamOf(streamId)).toBeUndefined();
    expect(await store.append(newMember({ streamId }))).toMatchObject({ kind: 'appended' });
    // A command that came twice must find itself in its stream before its age counts (D-13).
    expect(await store.append(expired)).toEqual({ kind: 'versionConflict' });
  });

  it('may claim again what its own command has claimed (D-07)', async () => {
    const store = fixture.store();
    const member = newMember({ idempotency: newClaim('again'), transactionIds: [newStreamId()] });
    await store.append(member);
    const more = { ...member, expectedVersion: 1, events: [newEvent()] };
    expect(await store.append(more)).toEqual({ kind: 'appended', version: 2 });
  });

  it.each([
    ['a new stream', 0],
    ['an old one', 1],
  ])('under a key that is taken leaves %s alone, and is no error to the server', async (_, at) => {
    const pool = fixture.pool();
    const errors = serverErrors(pool);
    const store = fixture.store({}, pool);
    const idempotency = newClaim(`replayed at ${String(at)}`);
    await store.append(newMember({ idempotency }));
    const { streamId } = newMember();
    if (at === 1) await store.append(newMember({ streamId }));
    const transactionIds = [newStreamId()];
    for (let replay = 0; replay < 3; replay += 1) {
      const again = { ...newClaim(idempotency.key), fingerprint: 'another' };
      const member = { streamId, expectedVersion: at, transactionIds, idempotency: again };
      expect(await store.append(newMember(member))).toMatchObject({
        kind: 'alreadyClaimed',
        claim: 'idempotency',
        fingerprint: idempotency.fingerprint,
        transactionId: idempotency.transactionId,
      });
    }
    expect(errors).toEqual([]);
    expect(await store.read(streamId)).toHaveLength(at);
    expect(await store.streamOf(transactionIds[0] ?? '')).toBeUndefined();
    const free = { streamId, expectedVersion: at, idempotency: newClaim(`free at ${String(at)}`) };
    expect(await store.append(newMember(free))).toEqual({ kind: 'appended', version: at + 1 });
    expect(await fixture.broken()).toEqual([]);
  });

  it('must have events, and a version that they follow', async () => {
    const store = fixture.store();
    for (const nothing of [{ events: [] }, { expectedVersion: -1 }]) {
      await expect(store.append(newMember(nothing))).rejects.toThrow(TypeError);
    }
  });
});

describe('appends in one statement', () => {
  it('conflict each for itself, and the others of their batch are recorded', async () => {
    const store = fixture.store();
    const taken = newMember({ transactionIds: [newStreamId()], idempotency: newClaim('taken') });
    await store.append(taken);
    const members = [
      newMember({ events: [newEvent(), newEvent()] }),
      newMember({ streamId: taken.streamId, expectedVersion: 0 }),
      newMember({ transactionIds: [newStreamId()] }),
      newMember({ transactionIds: [newStreamId(), ...(taken.transactionIds ?? [])] }),
      newMember({ idempotency: newClaim('free') }),
      newMember({ idempotency: newClaim('taken'), transactionIds: [newStreamId()] }),
      newMember({ notAfterMs: LONG_AGO_MS, idempotency: newClaim('untouched') }),
      newMember({ streamId: newStreamId(), expectedVersion: 3 }),
      newMember({ notAfterMs: Date.now() + 60_000 }),
    ];
    const results = await Promise.all(members.map((member) => store.append(member)));
    expect(results).toEqual([
      { kind: 'appended', version: 2 },
      { kind: 'versionConflict' },
      { kind: 'appended', version: 1 },
      { kind: 'alreadyClaimed', claim: 'transaction' },
      { kind: 'appended', version: 1 },
      {
        kind: 'alreadyClaimed',
        claim: 'idempotency',
        fingerprint: 'of taken',
        answer: '{"ndc": "1"}',
        transactionId: taken.idempotency?.transactionId,
      },
      { kind: 'expired' },
      { kind: 'versionConflict' },
      { kind: 'appended', version: 1 },
    ]);
    expect(await fixture.broken()).toEqual([]);
    const streams = [0, 2, 4, 8].map((index) => members[index]?.streamId);
    const [statement] = await fixture.rows(
      `SELECT count(*)::int AS events, count(DISTINCT database_transaction)::int AS statements
       FROM ${SCHEMA}.events WHERE stream_id = ANY ($1)`,
      [streams],
    );
    expect(statement).toEqual({ events: 5, statements: 1 });
    // Those that were refused have claimed nothing.
    expect(await store.idempotency.find('untouched')).toBeUndefined();
    expect(await store.streamOf(members[5]?.transactionIds?.[0] ?? '')).toBeUndefined();
  });

  it.each([
    ['that is not JSON', { events: [newEvent({ data: '{"cut' })] }],
    ['with a text that PostgreSQL cannot hold', { events: [newEvent({ type: 'a\0b' })] }],
    ['with an id that is none', { commandId: 'command-1' }],
    ['with a version beyond all versions', { events: [newEvent({ schemaVersion: 40_000 })] }],
  ])('are recorded without the one %s', async (_name, fault) => {
    const store = fixture.store();
    const members = Array.from({ length: 9 }, (_, index) => newMember(index === 4 ? fault : {}));
    const results = await Promise.allSettled(members.map((member) => store.append(member)));
    expect(results.map(({ status }) => status)).toEqual(
      members.map((_, index) => (index === 4 ? 'rejected' : 'fulfilled')),
    );
    expect(await fixture.broken()).toEqual([]);
  });

  it('of one stream queue, and follow each other', async () => {
    const store = fixture.store();
    const { streamId } = newMember();
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, expectedVersion) =>
        store.append(newMember({ streamId, expectedVersion })),
      ),
    );
    expect(results).toEqual(results.map((_, index) => ({ kind: 'appended', version: index + 1 })));
  });

  it('follow on what is recorded, each with its own due time and transactions', async () => {
    const store = fixture.store();
    const old = Array.from({ length: 3 }, () => newMember({ dueInMs: 60_000 }));
    await Promise.all(old.map((member) => store.append(member)));
    // Those of an old stream stay as they are, are at once, and are never any more.
    const due: Partial<AppendMember>[] = [{}, { dueInMs: 0 }, { dueInMs: null }];
    const following = old.map(({ streamId }, index) =>
      newMember({
        ...{ streamId, expectedVersion: 1, events: [newEvent(), newEvent()], ...due[index] },
        transactionIds: [newStreamId()],
      }),
    );
    const members = [...following, ...due.map((fields) => newMember(fields))];
    const results = await Promise.all(members.map((member) => store.append(member)));
    const versions = [3, 3, 3, 1, 1, 1];
    expect(results).toEqual(versions.map((version) => ({ kind: 'appended', version })));
    expect(await fixture.broken()).toEqual([]);
    expect(await dueOf(members.map(({ streamId }) => streamId))).toEqual([
      ...['later', 'now', 'never'],
      ...['never', 'now', 'never'],
    ]);
    // A transaction is read from its own first event on.
    for (const { transactionIds = [] } of following) {
      const [begun] = await fixture.rows(
        `SELECT begun_version FROM ${SCHEMA}.transactions WHERE transaction_id = $1`,
        [transactionIds[0]],
      );
      expect(begun).toEqual({ begun_version: 2 });
    }
  });

  it('keep positions in the order of versions', async () => {
    const store = fixture.store();
    const member = newMember({ events: Array.from({ length: 20 }, () => newEvent()) });
    await Promise.all([store.append(newMember()), store.append(member), store.append(newMember())]);
    const rows = await fixture.rows<{ version: number }>(
      `SELECT version FROM ${SCHEMA}.events WHERE stream_id = $1 ORDER BY position`,
      [member.streamId],
    );
    expect(rows.map(({ version }) => version)).toEqual(member.events.map((_, index) => index + 1));
  });
});

/** What the server answers with an error, and so writes into its log. */
function serverErrors(pool: Pool): string[] {
  const errors: string[] = [];
  pool.on('connect', (client) => {
    // Not in the driver's types: where an error arrives, whoever swallows it then.
    const { connection } = client as unknown as { connection: EventEmitter };
    connection.on('errorMessage', ({ message }: Error) => errors.push(message));
  });
  return errors;
}
