import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { newMember, SCHEMA } from '../store-fixture.js';
import { CellsFixture, Killed, streamIn } from './cells-fixture.js';
import { MoveGivenBack, MoveInDoubt } from './move-refused.js';
import type { Connect } from './move-session.js';
import { moveShards, type MoveStep } from './shard-move.js';
import { undoShardMove } from './shard-undo.js';

const fixture = new CellsFixture();
const { source, target } = fixture;
const ALL = '{[0,65536)}';
const UPPER = '{[32768,65536)}';

const isEmpty = async (store = target): Promise<boolean> => {
  const keys = await store.rows(
    `SELECT FROM ${SCHEMA}.idempotency
     WHERE ${SCHEMA}.shard_of(stream_id) <@ '[32768,65536)'::int4range`,
  );
  const tables = Object.values(await fixture.picture(store));
  return [keys, ...tables].every((rows) => rows.length === 0);
};

describe('a move that is undone', () => {
  it.each(['begin', 'copy', 'close', 'drain', 'fence', 'rest'] as const)(
    'after %s leaves the source as it was, and nothing in the target',
    async (step) => {
      await fixture.fill(8);
      const before = await fixture.picture(source);
      await moveShards(fixture.killedAfter(step)).catch(() => undefined);
      await undoShardMove(fixture.options());
      expect(await fixture.picture(source)).toEqual(before);
      expect(await fixture.carried(source)).toEqual([ALL, '{}']);
      expect(await fixture.carried(target)).toEqual(['{}', '{}']);
      expect([await isEmpty(), await fixture.recordedMoves()]).toEqual([true, 0]);
      expect(await source.store().append(newMember({ streamId: streamIn('c0de') }))).toMatchObject({
        kind: 'appended',
      });
    },
  );

  it.each(['begin', 'clear', 'end'] as const)(
    'may be killed after %s: undone again, or moved after all, nothing is missing',
    async (step) => {
      await fixture.fill(8);
      const before = await fixture.picture(source);
      for (const goOn of [undoShardMove, moveShards]) {
        await moveShards(fixture.killedAfter('fence')).catch(() => undefined);
        await expect(undoShardMove(fixture.killedAfter(step))).rejects.toThrow(Killed);
        expect(await fixture.carried(source)).toEqual([ALL, '{}']);
        await goOn(fixture.options());
      }
      expect(await fixture.picture(target)).toEqual(before);
      expect([await isEmpty(source), await fixture.recordedMoves()]).toEqual([true, 0]);
    },
  );

  it('is refused once the target carries the range', async () => {
    await fixture.fill(2);
    await moveShards(fixture.killedAfter('switch')).catch(() => undefined);
    await expect(undoShardMove(fixture.options())).rejects.toThrow(
      'Cell 2 carries 8000-ffff already. Finish the move (the same command without --undo), then ' +
        'move it from cell 2 to cell 1.',
    );
    expect(await fixture.carried(target)).toEqual([UPPER, '{}']);
  });

  it('is refused where there is none', async () => {
    await expect(undoShardMove(fixture.options())).rejects.toThrow(
      'There is no move of 8000-ffff from cell 1 to cell 2 to undo; cell 1 carries it.',
    );
  });

  it('never takes back what another move has carried away', async () => {
    await moveShards(fixture.killedAfter('copy')).catch(() => undefined);
    const row = `UPDATE ${SCHEMA}.carried_shards SET carried = '{[0,32768)}'`;
    await source.rows(row);
    await source.rows(`DELETE FROM ${SCHEMA}.leaving_shards`);
    await undoShardMove(fixture.options());
    expect(await fixture.carried(source)).toEqual(['{[0,32768)}', '{}']);
  });
});

interface Statement {
  readonly text: string;
}

/** Connections of which the first with such a statement is cut instead of sending it. */
function cutAt(connect: Connect, pattern: RegExp): Connect {
  let isCut = false;
  return async () => {
    const client = await connect();
    const query = client.query.bind<(statement: Statement) => Promise<unknown>>(client);
    const cutting = async (statement: Statement): Promise<unknown> => {
      if (isCut || !pattern.test(statement.text)) return query(statement);
      isCut = true;
      await client.end();
      throw new Error('Connection terminated');
    };
    return Object.assign(client, { query: cutting as typeof client.query });
  };
}

/** Connections of which the one with the COMMIT of a number is cut once the server has made it. */
function cutAtCommit(connect: Connect, number: number): Connect {
  let commits = 0;
  return async () => {
    const client = await connect();
    const query = client.query.bind<(statement: Statement) => Promise<unknown>>(client);
    const cutting = async (statement: Statement): Promise<unknown> => {
      const result = await query(statement);
      if (statement.text !== 'COMMIT' || (commits += 1) !== number) return result;
      await client.end();
      throw new Error('Connection terminated');
    };
    return Object.assign(client, { query: cutting as typeof client.query });
  };
}

describe('a move that fails between the close and the switch', () => {
  it('gives the range back, says why, and goes on when it is run again', async () => {
    await fixture.fill(8);
    const before = await fixture.picture(source);
    const onStep = (step: MoveStep): void => {
      if (step === 'rest') throw new Error('the disk is full');
    };
    const failed = fixture.move({ onStep });
    await expect(failed).rejects.toThrow(MoveGivenBack);
    await expect(failed).rejects.toThrow(
      'The range is carried by the source again, because the move failed: the disk is full. Run the ' +
        'same command again to go on.',
    );
    expect(await fixture.carried(source)).toEqual([ALL, '{}']);
    expect(await fixture.carried(target)).toEqual(['{}', '{}']);
    const streamId = streamIn('c0de');
    await source.store().append(newMember({ streamId }));
    await fixture.move();
    expect(await target.store().read(streamId)).toHaveLength(1);
    expect((await fixture.picture(target))['events']).toHaveLength(before['events']!.length + 1);
  });

  it.each([
    ['source', /FROM ledger\.outbox/],
    ['target', /UPDATE ledger\.carried_shards/],
  ] as const)(
    'because the %s ended its connection: the range is given back',
    async (side, text) => {
      await fixture.fill(2);
      const store = side === 'source' ? source : target;
      const failed = fixture.move({ [side]: cutAt(fixture.connector(store), text) });
      await expect(failed).rejects.toThrow(MoveGivenBack);
      expect(await fixture.carried(source)).toEqual([ALL, '{}']);
      expect(await fixture.carried(target)).toEqual(['{}', '{}']);
      await fixture.move();
      expect(await fixture.carried(target)).toEqual([UPPER, '{}']);
    },
  );

  it('is not given back when only the answer to the switch was lost', async () => {
    await fixture.fill(4);
    const before = await fixture.picture(source);
    // The record, two pages while open, one before the fence, one of the rest, and the switch.
    const cut = cutAtCommit(fixture.connector(target), 6);
    const steps: MoveStep[] = [];
    await fixture.move({ target: cut, onStep: (step) => steps.push(step) });
    expect(steps).toEqual(expect.arrayContaining(['rest', 'switch', 'end']));
    expect(await fixture.picture(target)).toEqual(before);
    expect(await fixture.carried(target)).toEqual([UPPER, '{}']);
    expect(await fixture.carried(source)).toEqual(['{[0,32768)}', '{}']);
  });

  it('says that it is not certain when a database cannot be asked', async () => {
    await fixture.fill(4);
    let isAway = false;
    const connect = fixture.connector(target);
    const failed = fixture.move({
      target: () => (isAway ? Promise.reject(new Error('no route to host')) : connect()),
      onStep: (step) => {
        isAway = step === 'rest';
        if (isAway) throw new Error('Connection terminated');
      },
    });
    await expect(failed).rejects.toThrow(MoveInDoubt);
    await expect(failed).rejects.toThrow(
      /^It is not certain which cell .* Run the same command again/,
    );
    expect(await fixture.carried(source)).toEqual(['{[0,32768)}', '{}']);
    await fixture.move();
    expect(await fixture.carried(target)).toEqual([UPPER, '{}']);
  });

  it('opens the range again when appends under way do not end', async () => {
    const client = await fixture.connector(source)();
    await client.query(`BEGIN; LOCK TABLE ${SCHEMA}.streams IN ROW EXCLUSIVE MODE`);
    await expect(fixture.move()).rejects.toThrow(
      /^Appends under way in the source did not end; the table is held by unnamed \(process \d+\)\. The source carries 8000-ffff as before/,
    );
    expect(await fixture.carried(source)).toEqual([ALL, '{}']);
  }, 30_000);

  it('is refused before anybody waits for it while a VACUUM holds the heads', async () => {
    const client = await fixture.connector(source)();
    await client.query(`BEGIN; LOCK TABLE ${SCHEMA}.streams IN SHARE UPDATE EXCLUSIVE MODE`);
    const steps: MoveStep[] = [];
    await expect(fixture.move({ onStep: (step) => steps.push(step) })).rejects.toThrow(
      'A VACUUM or a change of the schema has held ledger.streams for 10 s; run this again when it has ended.',
    );
    expect(new Set(steps)).toEqual(new Set(['begin', 'copy']));
  }, 30_000);

  it('stops while it drains when it is told to, and opens the range again', async () => {
    await source.store().append(newMember({ streamId: streamIn('c0de'), dueInMs: 60_000 }));
    const stop = new AbortController();
    const onStep = (step: MoveStep): void => {
      if (step === 'close') stop.abort();
    };
    const { signal } = stop;
    await expect(fixture.move({ drainMs: 20_000, onStep, signal })).rejects.toThrow(MoveGivenBack);
    expect(await fixture.carried(source)).toEqual([ALL, '{}']);
  });
});

describe('the fence', () => {
  it('keeps other appends waiting for a moment only, while one under way does not end', async () => {
    await source.store().append(newMember({ streamId: streamIn('0123') }));
    const client = await fixture.connector(source)();
    await client.query(`BEGIN; LOCK TABLE ${SCHEMA}.streams IN ROW EXCLUSIVE MODE`);
    const waits: number[] = [];
    const ended = new AbortController();
    const fencing = new AbortController();
    const onStep = (step: MoveStep): void => {
      if (step === 'drain') fencing.abort();
    };
    const moving = fixture.move({ onStep }).finally(() => ended.abort());
    while (!fencing.signal.aborted) await delay(5);
    const store = source.store();
    while (!ended.signal.aborted && waits.length < 10) {
      const begunMs = performance.now();
      await store.append(newMember({ streamId: streamIn('0123') }));
      waits.push(performance.now() - begunMs);
      await delay(5);
    }
    await client.query('COMMIT');
    await moving;
    expect(Math.max(...waits)).toBeLessThan(2_000);
    expect(await fixture.carried(target)).toEqual([UPPER, '{}']);
  }, 30_000);

  it('lets no append into the source that began before it and comes later', async () => {
    const streamId = streamIn('c0de');
    const store = source.store();
    await store.append(newMember({ streamId }));
    const other = await fixture.connector(source)();
    await other.query(`BEGIN; LOCK TABLE ${SCHEMA}.streams IN SHARE MODE`);
    const late = store.append(newMember({ streamId, expectedVersion: 1 })).then(
      ({ kind }) => kind as string,
      (error: unknown) => (error as { code?: string }).code,
    );
    await source.blocked(1);
    await other.query(
      `UPDATE ${SCHEMA}.carried_shards SET carried = carried - '{[32768,65536)}'; COMMIT`,
    );
    expect(['elsewhere', 'SL001']).toContain(await late);
    expect(await store.read(streamId)).toHaveLength(1);
  });
});
