import { describe, expect, it } from '@jest/globals';
import { channelOf } from '../outbox-signal.js';
import { newClaim, newEvent, newMember, SCHEMA } from '../store-fixture.js';
import { CellsFixture, Killed, streamIn, UPPER_HALF, Writer } from './cells-fixture.js';
import { MoveInDoubt } from './move-refused.js';
import { moveShards, type MoveStep } from './shard-move.js';

const fixture = new CellsFixture();
const { source, target } = fixture;

const NOTHING = {
  events: [],
  streams: [],
  transactions: [],
  personalKeys: [],
  outbox: [],
  marks: [],
  parked: [],
};
const LOWER_HALF = { first: 0, last: 0x7fff };

/** That the range is in the target alone, whole, and no move is left. */
async function expectMoved(before: Record<string, unknown[]>): Promise<void> {
  expect(await fixture.picture(target)).toEqual(before);
  expect(await fixture.picture(source)).toEqual(NOTHING);
  expect(await fixture.carried(source)).toEqual(['{[0,32768)}', '{}']);
  expect(await fixture.carried(target)).toEqual(['{[32768,65536)}', '{}']);
  expect(await fixture.recordedMoves()).toBe(0);
  expect([await source.broken(), await target.broken()]).toEqual([[], []]);
}

describe('a range of shards', () => {
  it('is in the target as it was in the source, byte for byte, and the other shards stay', async () => {
    await fixture.fill(12);
    const [before, staying] = [
      await fixture.picture(source),
      await fixture.picture(source, LOWER_HALF),
    ];
    expect(before).toMatchObject({ events: { length: 18 }, streams: { length: 6 } });
    expect(before).toMatchObject({ transactions: { length: 6 }, personalKeys: { length: 6 } });
    expect(before).toMatchObject({ outbox: { length: 18 }, marks: { length: 6 } });
    const finished = await fixture.move();
    expect(finished).toMatchObject({ begunAt: 'new', copiedEvents: 18, clearedStreams: 6 });
    expect(finished).toMatchObject({ idempotencyKeys: 6, dueStreams: 4, waitingEvents: 18 });
    await expectMoved(before);
    expect(await fixture.picture(source, LOWER_HALF)).toEqual(staying);
  });

  it('is published in the order of its streams, by the slots of the target', async () => {
    const [streamId = ''] = await fixture.fill(1);
    await fixture.move();
    const rows = await target.rows<{ version: number }>(
      `SELECT version FROM ${SCHEMA}.outbox WHERE stream_id = $1 ORDER BY slot, id`,
      [streamId],
    );
    expect(rows.map(({ version }) => version)).toEqual([1, 2, 3]);
  });

  it('wakes the relays of the target, for what is still to be published', async () => {
    await fixture.fill(1);
    const listener = await fixture.connector(target)();
    const heard: (string | undefined)[] = [];
    listener.on('notification', ({ payload }) => heard.push(payload));
    await listener.query(`LISTEN ${channelOf(SCHEMA)}`);
    await fixture.move();
    await listener.query('SELECT 1');
    expect(heard).toEqual(['recorded']);
  });

  it('keeps what cannot be published', async () => {
    const [streamId = ''] = await fixture.fill(1);
    await source.rows(
      `INSERT INTO ${SCHEMA}.outbox_parked (stream_id, version, reason) VALUES ($1, 1, 'too large')`,
      [streamId],
    );
    const before = await fixture.picture(source);
    await fixture.move();
    await expectMoved(before);
  });

  it('keeps transactions that no event names, because their append recorded nothing', async () => {
    await fixture.fill(2);
    const text = `INSERT INTO ${SCHEMA}.transactions VALUES ($1, $2, gen_random_uuid(), 1, 42)`;
    await source.rows(text, [streamIn('c0de'), streamIn('c0de')]);
    const before = await fixture.picture(source);
    expect(before).toMatchObject({ transactions: { length: 2 } });
    await fixture.move();
    await expectMoved(before);
  });

  it('can be written in the target, found there, and moved back', async () => {
    const [streamId = ''] = await fixture.fill(2);
    await fixture.move();
    const there = target.store();
    await there.append(newMember({ streamId, expectedVersion: 3 }));
    expect(await there.readTransaction(streamId)).toMatchObject({ streamId });
    expect((await there.lookUp('order 0', 5)).found).toEqual([
      { transactionId: streamId, streamId, version: 4 },
    ]);
    const before = await fixture.picture(target);
    await fixture.move({ from: 2, to: 1, ...backwards() });
    expect(await fixture.picture(source)).toEqual(before);
    expect(await fixture.picture(target)).toEqual(NOTHING);
  });

  it('may be a single shard, and more may follow it', async () => {
    await fixture.fill(4);
    const before = await fixture.picture(source);
    await fixture.move({ shards: { first: 0xffff, last: 0xffff } });
    expect(await fixture.carried(target)).toEqual(['{[65535,65536)}', '{}']);
    await fixture.move({ shards: { first: 0x8000, last: 0xfffe } });
    await expectMoved(before);
  });
});

function backwards() {
  return { source: fixture.connector(target), target: fixture.connector(source) };
}

describe('while writers append without a pause', () => {
  it('nothing that was acknowledged is lost or doubled, and the other shards are not held up', async () => {
    await fixture.fill(40);
    const stores = [source.store(), target.store()];
    const shards = ['8000', '9abc', 'c0de', 'ffff', '0000', '4567', '7fff'];
    const writer = new Writer(stores, shards);
    await writer.wrote(300);
    const finished = await fixture.move();
    await writer.wrote(writer.acknowledged.length + 300);
    await writer.stop();
    expect(finished.closedMs).toBeLessThan(5_000);
    const there = await fixture.picture(target);
    const here = await fixture.picture(source, LOWER_HALF);
    expect(await fixture.picture(source)).toEqual(NOTHING);
    expect(await fixture.picture(target, LOWER_HALF)).toEqual(NOTHING);
    const recorded = new Map(
      [...(there['events'] ?? []), ...(here['events'] ?? [])].map((row) => {
        const { stream_id: id, version, event_id } = row as Record<string, string>;
        return [`${id}:${version}`, event_id];
      }),
    );
    for (const { streamId, version, eventId } of writer.acknowledged) {
      expect(recorded.get(`${streamId}:${version}`)).toBe(eventId);
    }
    expect(recorded.size).toBe(writer.acknowledged.length + 40 * 3);
    const transactions = (there['transactions']?.length ?? 0) + (here['transactions']?.length ?? 0);
    const begun = writer.acknowledged.filter(({ version }) => version === 1).length;
    expect(transactions).toBe(begun + 40);
    expect([await source.broken(), await target.broken()]).toEqual([[], []]);
  });
});

const STEPS: readonly MoveStep[] = [
  ...(['begin', 'copy', 'keys', 'close', 'drain'] as const),
  ...(['fence', 'rest', 'switch', 'clear', 'end'] as const),
];
/** Steps after which the databases cannot both be asked any more, and payments of the range wait. */
const HELD_UP: readonly MoveStep[] = ['close', 'drain', 'fence', 'rest'];

describe('a mover that is killed', () => {
  it.each(STEPS)(
    'after %s is continued by the same command, with the same result',
    async (step) => {
      await fixture.fill(12);
      const before = await fixture.picture(source);
      await expect(moveShards(fixture.killedAfter(step))).rejects.toThrow(
        HELD_UP.includes(step) ? MoveInDoubt : Killed,
      );
      await fixture.move();
      await expectMoved(before);
      expect(await claims()).toHaveLength(12);
    },
  );

  it('between the records in the two databases is continued', async () => {
    await fixture.fill(4);
    const before = await fixture.picture(source);
    await source.rows(`INSERT INTO ${SCHEMA}.leaving_shards VALUES ('[32768,65536)', 2)`);
    await fixture.move();
    await expectMoved(before);
  });

  it('while the range was closed leaves it open for as long as the next attempt copies', async () => {
    await fixture.fill(4);
    await expect(moveShards(fixture.killedAfter('close'))).rejects.toThrow(MoveInDoubt);
    expect(await fixture.carried(source)).toEqual(['{[0,65536)}', '{[32768,65536)}']);
    await expect(moveShards(fixture.killedAfter('copy'))).rejects.toThrow(Killed);
    expect(await fixture.carried(source)).toEqual(['{[0,65536)}', '{}']);
  });

  it('again and again, and each time it goes on', async () => {
    await fixture.fill(12);
    const before = await fixture.picture(source);
    for (const step of STEPS) {
      await moveShards(fixture.killedAfter(step)).catch(() => undefined);
    }
    await fixture.move();
    await expectMoved(before);
  });

  it('and finished meanwhile has nothing left to do', async () => {
    await fixture.fill(2);
    await fixture.move();
    expect(await fixture.move()).toMatchObject({ begunAt: 'done', copiedEvents: 0 });
  });
});

const claims = () =>
  target.rows<{ key: string; day: string }>(
    `SELECT key, (day - (SELECT today FROM ${SCHEMA}.idempotency_day)) AS day
     FROM ${SCHEMA}.idempotency ORDER BY key, day`,
  );

describe('idempotency keys', () => {
  const today = (store: typeof source, day: string) =>
    store.rows(`UPDATE ${SCHEMA}.idempotency_day SET today = today + ${day}::int`);

  it('are found in the target by its own day, at once and for the rest of the next', async () => {
    const streamId = streamIn('c0de');
    const idempotency = newClaim('used');
    await source.store().append(newMember({ streamId, idempotency }));
    // A day has begun here since, and the target counts other days.
    await today(source, '1');
    await today(target, '2');
    await fixture.move();
    const found = {
      fingerprint: idempotency.fingerprint,
      transactionId: idempotency.transactionId,
    };
    expect(await target.store().idempotency.find('used')).toMatchObject(found);
    await today(target, '1');
    expect(await target.store().idempotency.find('used')).toMatchObject(found);
    await today(target, '-3');
    await today(source, '-1');
  });

  it('that were claimed, or released and claimed again, after the copy are found as they are', async () => {
    const streamId = streamIn('c0de');
    const idempotency = newClaim('twice');
    // A call under way, for which the close waits.
    await source.store().append(newMember({ streamId, idempotency, dueInMs: 60_000 }));
    const [again, late] = [newClaim('twice').transactionId, newClaim('late').transactionId];
    let claiming: Promise<unknown> | undefined;
    const onStep = (step: MoveStep): void => {
      if (step !== 'close') return;
      claiming = source.rows(
        `INSERT INTO ${SCHEMA}.idempotency
         SELECT day, 'late', gen_random_uuid(), stream_id, fingerprint, answer, '${late}'
         FROM ${SCHEMA}.idempotency;
         DELETE FROM ${SCHEMA}.idempotency WHERE key = 'twice';
         INSERT INTO ${SCHEMA}.idempotency
         SELECT day, 'twice', gen_random_uuid(), stream_id, fingerprint, answer, '${again}'
         FROM ${SCHEMA}.idempotency WHERE key = 'late'`,
      );
    };
    const { isDrained } = await fixture.move({ drainMs: 2_000, onStep });
    await claiming;
    expect(isDrained).toBe(false);
    const keys = target.store().idempotency;
    expect(await keys.find('late')).toMatchObject({ transactionId: late });
    expect(await keys.find('twice')).toMatchObject({ transactionId: again });
  });

  it('of before yesterday are forgotten, and those of other shards stay', async () => {
    const store = source.store();
    await store.append(newMember({ streamId: streamIn('c0de'), idempotency: newClaim('old') }));
    await today(source, '2');
    await store.append(newMember({ streamId: streamIn('0123'), idempotency: newClaim('other') }));
    await fixture.move();
    await today(source, '-2');
    expect(await claims()).toEqual([]);
    const left = await source.rows<{ key: string }>(
      `SELECT DISTINCT key FROM ${SCHEMA}.idempotency`,
    );
    expect(left).toEqual([{ key: 'other' }]);
  });
});

describe('personal data', () => {
  const key = (streamId: string) => target.store().personalKeys.of(streamId);
  const begun = async () => {
    const streamId = streamIn('c0de');
    const personalKey = { wrapped: Buffer.from('wrapped') };
    await source.store().append(newMember({ streamId, personalKey }));
    return streamId;
  };
  const erase = async (streamId: string) => {
    const owner = source.pool({ connectionString: source.ownerUrl });
    await source.store({}, owner).personalKeys.erase(streamId);
  };

  it('stays erased, also where there was no key', async () => {
    const [erased, never] = [await begun(), streamIn('c0de')];
    await source.store().append(newMember({ streamId: never }));
    await erase(erased);
    await erase(never);
    await fixture.move();
    expect([await key(erased), await key(never)]).toEqual(['erased', 'erased']);
  });

  it.each(['copy', 'switch'] as const)('stays erased if that was after %s', async (step) => {
    const streamId = await begun();
    await moveShards(fixture.killedAfter(step)).catch(() => undefined);
    expect(await key(streamId)).toEqual(Buffer.from('wrapped'));
    await erase(streamId);
    await fixture.move();
    expect(await key(streamId)).toBe('erased');
  });
});

describe('calls under way when the range is closed', () => {
  const call = () =>
    source.store().append(newMember({ streamId: streamIn('c0de'), dueInMs: 60_000 }));

  it('are waited for, and their outcomes are recorded in the source', async () => {
    const store = source.store();
    const streamId = streamIn('c0de');
    await store.append(newMember({ streamId, dueInMs: 60_000 }));
    let outcome: Promise<unknown> | undefined;
    const onStep = (step: MoveStep) => {
      if (step !== 'close') return;
      outcome = store.append(newMember({ streamId, expectedVersion: 1, dueInMs: null }));
    };
    const { isDrained } = await fixture.move({ drainMs: 20_000, onStep });
    expect([isDrained, await outcome]).toEqual([true, { kind: 'appended', version: 2 }]);
    expect(await target.store().read(streamId)).toHaveLength(2);
  });

  it('are left to the target if they do not end', async () => {
    await call();
    const { isDrained, closedMs } = await fixture.move({ drainMs: 200 });
    expect(isDrained).toBe(false);
    expect(closedMs).toBeGreaterThanOrEqual(200);
  });

  it('are none of those that began long ago, or are due later', async () => {
    await call();
    await source.rows(`UPDATE ${SCHEMA}.events SET recorded_at = now() - interval '26 s'`);
    await source.store().append(newMember({ streamId: streamIn('c0de'), dueInMs: 3_600_000 }));
    expect((await fixture.move({ drainMs: 20_000 })).isDrained).toBe(true);
  });
});

describe('events of an open database transaction', () => {
  it('are not passed over, although the copy cannot see them', async () => {
    await fixture.fill(2);
    const early = streamIn('c0de');
    const client = await fixture.connector(source)();
    await client.query('BEGIN');
    // Like every append, it holds the table of heads from its beginning on: so the fence waits for it.
    await client.query(`INSERT INTO ${SCHEMA}.streams VALUES ('${early}', 1)`);
    const { id, type, data, metadata } = newEvent();
    await client.query(
      `INSERT INTO ${SCHEMA}.events (stream_id, version, event_id, command_id, type, schema_version,
         data, metadata) VALUES ($1, 1, $2, $2, $3, 1, $4, $5)`,
      [early, id, type, data, metadata],
    );
    await fixture.fill(2);
    const ended: Promise<unknown>[] = [];
    const onStep = (step: MoveStep) => {
      if (step === 'close') ended.push(client.query('COMMIT'));
    };
    // It ends after the copy.
    await fixture.move({ onStep });
    await Promise.all(ended);
    expect(await target.store().read(early)).toMatchObject([{ id }]);
    expect((await fixture.picture(target, UPPER_HALF))['streams']).toHaveLength(3);
  });
});
