import { describe, expect, it } from '@jest/globals';
import { newMember, SCHEMA, type StoreFixture } from '../store-fixture.js';
import { CellsFixture, Killed, streamIn } from './cells-fixture.js';
import { undoShardMove } from './shard-undo.js';
import { moveShards } from './shard-move.js';

const fixture = new CellsFixture();
const { source, target } = fixture;
const LOWER_HALF = { first: 0, last: 0x7fff };

const back = () => ({
  ...{ from: 2, to: 1 },
  ...{ source: fixture.connector(target), target: fixture.connector(source) },
});

/** Streams that have left a mark under a subject, as a store knows them. */
async function marked(store: StoreFixture, subject: string): Promise<readonly string[]> {
  const marks = await store.store().marks.under([subject]);
  return marks.map(({ streamId }) => streamId).sort();
}

/** A stream in each half, with a mark under one subject; the upper half is the one that moves. */
async function filled(subject: string): Promise<{ moving: string; staying: string }> {
  const ids = await fixture.fill(2);
  const text = `UPDATE ${SCHEMA}.marks SET subject = $2, lasting = false WHERE stream_id = ANY ($1)`;
  await source.rows(text, [ids, subject]);
  const [moving = '', staying = ''] = ids;
  return { moving, staying };
}

const changes = { left: [], withdrawn: [], cleared: [] };

describe('marks under a subject that streams of both cells have marked', () => {
  it('are in both, there and back, and both halves can move', async () => {
    const { moving, staying } = await filled('one agreement');
    const both = [moving, staying].sort();
    await fixture.move();
    expect(await marked(target, 'one agreement')).toEqual(both);
    expect(await marked(source, 'one agreement')).toEqual(both);
    await fixture.move(back());
    expect(await marked(source, 'one agreement')).toEqual(both);
    await fixture.move();
    await fixture.move({ shards: LOWER_HALF });
    expect(await marked(target, 'one agreement')).toEqual(both);
    expect(await marked(source, 'one agreement')).toEqual([]);
  });

  it('do not come back to the cell of a stream that has withdrawn its own', async () => {
    const { moving, staying } = await filled('one agreement');
    await fixture.move();
    const withdrawn = [{ subject: 'one agreement', transactionId: staying }];
    const marks = { ...changes, withdrawn };
    await source.store().append(newMember({ streamId: staying, expectedVersion: 3, marks }));
    await fixture.move(back());
    expect(await marked(source, 'one agreement')).toEqual([moving]);
  });

  it('do not come back to the cell of a stream whose mark an approval there has cleared', async () => {
    const { moving, staying } = await filled('one account');
    await fixture.move();
    const marks = { ...changes, cleared: ['one account'] };
    await source.store().append(newMember({ streamId: staying, expectedVersion: 3, marks }));
    await fixture.move(back());
    expect(await marked(source, 'one account')).toEqual([moving]);
  });

  it.each([
    ['data', `UPDATE ${SCHEMA}.marks SET data = '{"n": 2}' WHERE stream_id = $1`, true],
    ['absence', `DELETE FROM ${SCHEMA}.marks WHERE stream_id = $1`, false],
  ])(
    'take the %s that one has by now along, although an earlier move took a copy',
    async (_what, change, isThere) => {
      const { staying } = await filled('one agreement');
      const late = streamIn('f00d');
      const left = [
        { subject: 'one agreement', transactionId: late, data: '{"n": 1}', lasting: false },
      ];
      const marks = { ...changes, left };
      await source.store().append(newMember({ streamId: late, transactionIds: [late], marks }));
      await fixture.move({ shards: { first: 0x8000, last: 0xdfff } });
      await source.rows(change, [staying]);
      await fixture.move({ shards: { first: 0xe000, last: 0xffff } });
      const found = await target.store().marks.under(['one agreement']);
      const ofStaying = found.filter(({ streamId }) => streamId === staying);
      expect(ofStaying.map(({ data }) => data)).toEqual(isThere ? [{ n: 2 }] : []);
    },
  );

  it.each([
    ['the source', 2, 3],
    ['the target', 3, 2],
  ] as const)(
    'of a stream that neither carries are those of %s, held more often',
    async (newer, inTarget, inSource) => {
      const { staying } = await filled('one agreement');
      await source.rows(
        `UPDATE ${SCHEMA}.marks SET version = $2, data = '"the source"' WHERE stream_id = $1`,
        [staying, inSource],
      );
      await source.rows(`UPDATE ${SCHEMA}.carried_shards SET carried = '{[32768,65536)}'`);
      await target.rows(
        `INSERT INTO ${SCHEMA}.marks (subject, transaction_id, stream_id, data, lasting, version)
         VALUES ('one agreement', $1, $1, '"the target"', false, $2)`,
        [staying, inTarget],
      );
      await fixture.move();
      const found = await target.store().marks.under(['one agreement']);
      expect(found.find(({ streamId }) => streamId === staying)?.data).toBe(newer);
    },
  );

  it('are not forgotten by the target of a move that is undone', async () => {
    const { moving, staying } = await filled('one agreement');
    await fixture.move();
    const dies = moveShards(fixture.killedAfter('copy', { shards: LOWER_HALF }));
    await expect(dies).rejects.toBeInstanceOf(Killed);
    await undoShardMove(fixture.options({ shards: LOWER_HALF }));
    expect(await marked(target, 'one agreement')).toEqual([moving, staying].sort());
  });
});

describe('marks under an id', () => {
  it('are where the id is, although every stream that has left them stays', async () => {
    const subject = `agreement:${streamIn('9abc')}`;
    const ids = await fixture.fill(2);
    const text = `UPDATE ${SCHEMA}.marks SET subject = $2 WHERE stream_id = $1`;
    const [, staying = ''] = ids;
    await source.rows(text, [staying, subject]);
    await fixture.move();
    expect(await marked(target, subject)).toEqual([staying]);
    expect(await marked(source, subject)).toEqual([staying]);
  });

  it('stay with an id that stays, although every stream that has left them moves', async () => {
    const subject = `agreement:${streamIn('0abc')}`;
    const ids = await fixture.fill(2);
    const text = `UPDATE ${SCHEMA}.marks SET subject = $2 WHERE stream_id = $1`;
    const [moving = ''] = ids;
    await source.rows(text, [moving, subject]);
    await fixture.move();
    expect(await marked(source, subject)).toEqual([moving]);
    expect(await marked(target, subject)).toEqual([moving]);
  });
});

describe('a move that stands between fence and switch', () => {
  const QUARTER = { first: 0, last: 0x3fff };

  /** Its streams have left marks, and no cell carries them. */
  async function standing(): Promise<string> {
    const [moving = ''] = await fixture.fill(2);
    await expect(moveShards(fixture.killedAfter('fence'))).rejects.toThrow();
    expect(await fixture.carried(target)).toEqual(['{}', '{}']);
    return moving;
  }

  it('brings its marks along, although another one was finished meanwhile', async () => {
    const moving = await standing();
    await fixture.move({ shards: QUARTER });
    await fixture.move();
    expect(await marked(target, 'of 0')).toEqual([moving]);
    expect(await marked(source, 'of 0')).toEqual([]);
  });

  it('gives its marks back, although another one was finished meanwhile', async () => {
    const moving = await standing();
    await fixture.move({ shards: QUARTER });
    await undoShardMove(fixture.options());
    expect(await marked(source, 'of 0')).toEqual([moving]);
  });

  it('does not get back what its streams have withdrawn, by one that comes the other way', async () => {
    const { moving, staying } = await filled('one agreement');
    await fixture.move();
    const withdrawn = [{ subject: 'one agreement', transactionId: moving }];
    const marks = { ...changes, withdrawn };
    await target.store().append(newMember({ streamId: moving, expectedVersion: 3, marks }));
    await expect(moveShards(fixture.killedAfter('fence', back()))).rejects.toThrow();
    await fixture.move({ shards: LOWER_HALF });
    await fixture.move(back());
    expect(await marked(source, 'one agreement')).not.toContain(moving);
    expect(await marked(target, 'one agreement')).toEqual([staying]);
  });

  it('keeps what others have left under its ids, although those moved meanwhile', async () => {
    const subject = `agreement:${streamIn('9abc')}`;
    const [, other = ''] = await fixture.fill(2);
    const text = `UPDATE ${SCHEMA}.marks SET subject = $2 WHERE stream_id = $1`;
    await source.rows(text, [other, subject]);
    await expect(moveShards(fixture.killedAfter('fence'))).rejects.toThrow();
    await fixture.move({ shards: QUARTER });
    expect(await marked(source, subject)).toEqual([other]);
  });
});
