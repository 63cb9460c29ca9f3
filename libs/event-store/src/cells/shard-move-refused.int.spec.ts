import { describe, expect, it } from '@jest/globals';
import { SCHEMA, StoreFixture } from '../store-fixture.js';
import { CellsFixture, streamIn } from './cells-fixture.js';
import { inspectCell, planShardMove } from './cell-state.js';
import { MoveRefused } from './move-refused.js';
import { moveShards, type MoveStep } from './shard-move.js';
import { undoShardMove } from './shard-undo.js';
import { withoutMoves } from './without-moves.js';

const fixture = new CellsFixture();
const { source, target } = fixture;
const third = new StoreFixture(3);
const ALL = '{[0,65536)}';

describe('only one move works at a time', () => {
  it('in each database', async () => {
    let second: Promise<unknown> | undefined;
    const onStep = (step: MoveStep): void => {
      if (step === 'copy') second ??= fixture.move().catch((error: unknown) => error);
    };
    await fixture.fill(2);
    const { source: connect } = fixture.options();
    const held = await connect();
    await held.query(`SELECT pg_advisory_lock(hashtextextended('shards of ${SCHEMA}', 0))`);
    await expect(fixture.move()).rejects.toThrow(/^Another move of shards works in one of these/);
    await held.end();
    await fixture.move({ onStep });
    // It waits for a moment, and finds that all is done.
    expect(await second).toMatchObject({ begunAt: 'done' });
  }, 30_000);

  it('and what must not happen meanwhile waits, or is told', async () => {
    const parts = { connect: fixture.connector(source), schema: SCHEMA };
    const [here, there] = [streamIn('0123'), streamIn('c0de')];
    await fixture.move();
    const carried = await withoutMoves(parts, async (carries) => {
      await expect(fixture.move()).rejects.toThrow(MoveRefused);
      return carries([here, there]);
    });
    expect([...carried]).toEqual([here]);
    const held = await parts.connect();
    await held.query(`SELECT pg_advisory_lock(hashtextextended('shards of ${SCHEMA}', 0))`);
    await expect(withoutMoves(parts, () => Promise.resolve())).rejects.toThrow(
      'Shards are being moved into or out of this database; wait until that ends.',
    );
  }, 30_000);

  it.each(['copy', 'switch'] as const)(
    'and what must not be forgotten by half waits for one that was killed after %s',
    async (step) => {
      await fixture.fill(2);
      await expect(moveShards(fixture.killedAfter(step))).rejects.toThrow();
      const ask = (store: StoreFixture, id: string) =>
        withoutMoves({ connect: fixture.connector(store), schema: SCHEMA }, (carries) =>
          carries([id]),
        );
      const owner = step === 'copy' ? source : target;
      await expect(ask(owner, streamIn('c0de'))).rejects.toThrow(
        'A move of shards 8000-ffff is not finished, so two databases have rows of them; finish or undo it first.',
      );
      const here = streamIn('0123');
      expect([...(await ask(source, here))]).toEqual([here]);
    },
    30_000,
  );
});

describe('a move is refused', () => {
  const refused = async (
    fields: Parameters<CellsFixture['move']>[0],
    sentence: string | RegExp,
  ): Promise<void> => {
    const before = [await fixture.carried(source), await fixture.carried(target)];
    const moves = await fixture.recordedMoves();
    await expect(planShardMove(fixture.options(fields), 'move')).rejects.toThrow(sentence);
    const failed = fixture.move(fields);
    await expect(failed).rejects.toThrow(MoveRefused);
    await expect(failed).rejects.toThrow(sentence);
    expect([await fixture.carried(source), await fixture.carried(target)]).toEqual(before);
    expect(await fixture.recordedMoves()).toBe(moves);
  };

  it('of shards that the source does not carry, or not all', async () => {
    await source.rows(`UPDATE ${SCHEMA}.carried_shards SET carried = '{[0,40000)}'`);
    await refused({}, 'Cell 1 carries only a part of 8000-ffff.');
    await source.rows(`UPDATE ${SCHEMA}.carried_shards SET carried = '{[0,100)}'`);
    await refused({}, 'Cell 1 does not carry 8000-ffff.');
  });

  it('into a cell that has rows of the range', async () => {
    await target.rows(`INSERT INTO ${SCHEMA}.streams VALUES ('${streamIn('c0de')}', 1)`);
    await target.rows(`INSERT INTO ${SCHEMA}.personal_keys VALUES ('${streamIn('c0de')}', 'x')`);
    await refused(
      {},
      'Cell 2 has rows of 8000-ffff from elsewhere, in streams, personal_keys; nothing may be copied ' +
        'beside them.',
    );
  });

  it('between stores of which one was restored', async () => {
    const { id, type, data, metadata } = {
      ...{ id: '00000000-0000-4000-8000-000000000000', type: 'Booked' },
      ...{ data: '{}', metadata: '{}' },
    };
    await target.rows(
      `INSERT INTO ${SCHEMA}.events (stream_id, version, event_id, command_id, type, schema_version,
         data, metadata) VALUES ($1, 1, $2, $2, $3, 1, $4, $5)`,
      [streamIn('0123'), id, type, data, metadata],
    );
    await refused(
      {},
      /^The store of cell 1 is \S+, that of cell 2 is \S+: one was restored without/,
    );
  });

  it('but a store without events joins the life of the other', async () => {
    await fixture.fill(2);
    await fixture.move();
    expect(await target.store().incarnation()).toBe(await source.store().incarnation());
  });

  it('from a cell to itself, or to the same database', async () => {
    await refused({ from: 1, to: 1 }, 'Cell 1 cannot move shards to itself; name two cells.');
    await refused(
      { target: fixture.connector(source) },
      'The addresses of cells 1 and 2 lead to the same database.',
    );
  });

  it('to a database with the number of the source, or with another than was said', async () => {
    await target.rows(`UPDATE ${SCHEMA}.carried_shards SET cell = 1`);
    await refused({}, /^Both databases say that they are cell 1\./);
    await target.rows(`UPDATE ${SCHEMA}.carried_shards SET cell = 3`);
    await refused({}, 'The database at the address of cell 2 says that it is cell 3.');
    await target.rows(`UPDATE ${SCHEMA}.carried_shards SET cell = 2`);
  });

  it('while another one of these shards is not finished', async () => {
    await moveShards(fixture.killedAfter('copy')).catch(() => undefined);
    await refused(
      { shards: { first: 0x9000, last: 0x9fff } },
      'A move of 8000-ffff from cell 1 to cell 2 is not finished; finish or undo it first.',
    );
    await moveShards(fixture.killedAfter('switch')).catch(() => undefined);
    const back = { source: fixture.connector(target), target: fixture.connector(source) };
    await refused(
      { from: 2, to: 1, ...back },
      'A move of 8000-ffff from cell 1 to cell 2 is not finished; finish or undo it first.',
    );
  });

  it('to a third cell, until the move into the second one is finished', async () => {
    await fixture.fill(2);
    await moveShards(fixture.killedAfter('end')).catch(() => undefined);
    const [from, to] = [fixture.connector(target), fixture.connector(third)];
    const on = { from: 2, to: 3, source: from, target: to };
    // Undone afterwards, the first move would give the first cell what the third one carries.
    await refused(
      on,
      'A move of 8000-ffff from cell 1 to cell 2 is not finished; finish or undo it first.',
    );
    await fixture.move();
    await fixture.move(on);
    await expect(undoShardMove(fixture.options())).rejects.toThrow(MoveRefused);
    expect(await fixture.carried(source)).toEqual(['{[0,32768)}', '{}']);
    expect(await fixture.carried(third)).toEqual(['{[32768,65536)}', '{}']);
  });

  it('when one of the databases has forgotten it, which can be undone', async () => {
    await moveShards(fixture.killedAfter('fence')).catch(() => undefined);
    await target.rows(`DELETE FROM ${SCHEMA}.shard_moves`);
    await refused({}, /^Cell 1 has let 8000-ffff go, and cell 2 has no record of taking it\./);
    await undoShardMove(fixture.options());
    expect(await fixture.carried(source)).toEqual([ALL, '{}']);
    await moveShards(fixture.killedAfter('copy')).catch(() => undefined);
    await source.rows(`DELETE FROM ${SCHEMA}.leaving_shards`);
    await refused({}, /^Cell 2 has begun to take 8000-ffff, and cell 1 knows nothing of it\./);
    await undoShardMove(fixture.options());
    expect(await fixture.recordedMoves()).toBe(0);
  });

  it.each([
    ['has no record of it', `DELETE FROM ${SCHEMA}.shard_moves`],
    ['is still copying', `UPDATE ${SCHEMA}.shard_moves SET switched_at = NULL`],
  ])(
    'when the source has begun to clear, and its target %s after a restore',
    async (_how, restore) => {
      await fixture.fill(8);
      await moveShards(fixture.killedAfter('clear')).catch(() => undefined);
      await target.rows(restore);
      await target.rows(`UPDATE ${SCHEMA}.carried_shards SET carried = '{}'`);
      const text =
        'Cell 2 carried 8000-ffff, cell 1 deletes its own rows of it since then, and cell 2 has no ' +
        'record of that: it was restored from a backup of before. Neither cell has all of 8000-ffff, so ' +
        'nobody may carry it. Restore cell 2 to a time after the switch, or both cells to one before it.';
      await refused({}, text);
      await expect(undoShardMove(fixture.options())).rejects.toThrow(text);
      expect(await fixture.carried(source)).toEqual(['{[0,32768)}', '{}']);
    },
  );

  it('and the source is not cleared of what the target lacks', async () => {
    const [streamId = ''] = await fixture.fill(2);
    await moveShards(fixture.killedAfter('switch')).catch(() => undefined);
    await target.rows(
      `UPDATE ${SCHEMA}.events SET data = '{"amount": 1}' WHERE stream_id = $1 AND version = 2`,
      [streamId],
    );
    await expect(fixture.move()).rejects.toThrow(`The target lacks events of stream ${streamId}.`);
    expect(await source.store().read(streamId)).toHaveLength(3);
  });
});

describe('what a cell says of itself', () => {
  it('is what it carries, what it closes, and which moves concern it', async () => {
    await fixture.fill(4);
    expect(await inspectCell(source.owner, SCHEMA)).toMatchObject({
      ...{
        cell: 1,
        carried: [{ first: 0, last: 0xffff }],
        closing: [],
        moves: [],
        isMoving: false,
      },
      ...{ aboutStreams: 4, aboutEvents: 12 },
    });
    expect(await planShardMove(fixture.options(), 'move')).toEqual({
      ...{ phase: 'new', aboutStreams: 2, aboutEvents: 6 },
    });
    await moveShards(fixture.killedAfter('close')).catch(() => undefined);
    const move = { shards: { first: 0x8000, last: 0xffff }, from: 1, to: 2 };
    expect(await inspectCell(source.owner, SCHEMA)).toMatchObject({
      closing: [move.shards],
      moves: [{ ...move, state: 'closed' }],
    });
    expect(await inspectCell(target.owner, SCHEMA)).toMatchObject({
      ...{ cell: 2, carried: [], moves: [{ ...move, state: 'copying' }] },
    });
    const held = await fixture.connector(target)();
    await held.query(`SELECT pg_advisory_lock(hashtextextended('shards of ${SCHEMA}', 0))`);
    expect(await inspectCell(target.owner, SCHEMA)).toMatchObject({ isMoving: true });
    await held.end();
    await moveShards(fixture.killedAfter('fence')).catch(() => undefined);
    const fenced = await inspectCell(source.owner, SCHEMA);
    expect(fenced).toMatchObject({ carried: [{ last: 0x7fff }], moves: [{ state: 'fenced' }] });
    await moveShards(fixture.killedAfter('switch')).catch(() => undefined);
    expect(await inspectCell(target.owner, SCHEMA)).toMatchObject({
      moves: [{ state: 'switched' }],
    });
  });
});
