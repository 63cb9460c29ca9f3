import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { RecordedEvent } from '../recorded-event.js';
import { type MarkHistory, type RefilledMarks, refillMarks } from '../refill-marks.js';
import { newEvent, newMember, SCHEMA, type StoreFixture } from '../store-fixture.js';
import { CellsFixture, streamIn } from './cells-fixture.js';
import { moveShards } from './shard-move.js';

const cells = new CellsFixture();
const SUBJECT = 'account';
const NOTHING = { added: 0, changed: 0, removed: 0 };

/** In these specs an event's type says what its append has done to the marks of the subject. */
function historyOf(events: readonly RecordedEvent[]): MarkHistory {
  const cleared = new Map<string, number>();
  const left: MarkHistory['left'][number][] = [];
  for (const { type, version, streamId } of events) {
    if (type === 'Approved') cleared.set(SUBJECT, version);
    if (type !== 'Declined') continue;
    const mark = { subject: SUBJECT, transactionId: streamId, data: '{}', lasting: false };
    left.push({ ...mark, atVersion: version });
  }
  return { left, cleared };
}

const pools: pg.Pool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end()));
});

function refill(
  store: StoreFixture,
  asked: readonly StoreFixture[] = [cells.source, cells.target],
): Promise<RefilledMarks> {
  const poolOf = ({ ownerUrl }: StoreFixture) => {
    const pool = new pg.Pool({ connectionString: ownerUrl, max: 2 });
    // The database may go before the last of its connections has ended.
    pool.on('error', () => undefined);
    pools.push(pool);
    return pool;
  };
  const all = asked.map(poolOf);
  return refillMarks({ pool: poolOf(store), schema: SCHEMA, cells: all, historyOf, execute: true });
}

async function decline(streamId: string): Promise<void> {
  const left = [{ subject: SUBJECT, transactionId: streamId, data: '{}', lasting: false }];
  const events = [newEvent({ type: 'Declined' })];
  const marks = { left, withdrawn: [], cleared: [] };
  await cells.source.store().append(newMember({ streamId, events, marks }));
}

async function approve(streamId: string): Promise<void> {
  const events = [newEvent({ type: 'Approved' })];
  const marks = { left: [], withdrawn: [], cleared: [SUBJECT] };
  await cells.source.store().append(newMember({ streamId, events, marks }));
}

const marked = async (store: StoreFixture): Promise<number> =>
  (await store.rows(`SELECT FROM ${SCHEMA}.marks`)).length;

describe('marks made anew where streams have moved', () => {
  it('do not come back if what cleared them has moved', async () => {
    await decline(streamIn('0001'));
    await approve(streamIn('ffff'));
    expect(await marked(cells.source)).toBe(0);
    await cells.move();
    expect(await refill(cells.source)).toMatchObject(NOTHING);
    expect(await marked(cells.source)).toBe(0);
  });

  it('come back if they are lost and nothing has cleared them since', async () => {
    await approve(streamIn('ffff'));
    await decline(streamIn('0001'));
    await cells.move();
    await cells.source.owner.query(`DELETE FROM ${SCHEMA}.marks`);
    expect(await refill(cells.source)).toMatchObject({ ...NOTHING, added: 1 });
  });

  it('stay where they are, although their subject was cleared in another cell', async () => {
    await decline(streamIn('0001'));
    await cells.move();
    const events = [newEvent({ type: 'Approved' })];
    await cells.target.store().append(newMember({ streamId: streamIn('ffff'), events }));
    expect(await refill(cells.source)).toMatchObject(NOTHING);
    expect(await marked(cells.source)).toBe(1);
  });

  it('are not made while no cell says what streams of a range have cleared', async () => {
    await decline(streamIn('0001'));
    await approve(streamIn('ffff'));
    await expect(moveShards(cells.killedAfter('fence'))).rejects.toThrow();
    const sentence = 'The cells carry 32768 of 65536 shards';
    await expect(refill(cells.source)).rejects.toThrow(sentence);
    await cells.move();
    expect(await refill(cells.source)).toMatchObject(NOTHING);
    await expect(refill(cells.source, [cells.source])).rejects.toThrow(sentence);
  });
});
