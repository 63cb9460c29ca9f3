import { describe, expect, it, jest } from '@jest/globals';
import { ELSEWHERE, serviceRow, type StreamHeadsAnswer } from '@sluice/contracts';
import { QueryUnavailable } from '../ports.js';
import { CellQueries } from './cell-queries.js';
import { idIn, LOWER, ScriptedCells, UPPER } from './cells-fixture.js';

async function started(cells: ScriptedCells): Promise<CellQueries> {
  const map = cells.map();
  await map.look();
  return new CellQueries(cells, map);
}

function halves(): ScriptedCells {
  return new ScriptedCells({ payments: LOWER, 'payments.2': UPPER });
}

describe('queries to payments', () => {
  // Each cell is asked by itself which shards it carries.
  const routes = Object.keys(serviceRow('payments').routes ?? {});
  it.each(routes.filter((route) => route !== 'carriedShards'))('%s has a way', async (route) => {
    const queries = await started(halves());
    const asked = queries.ask('payments', `payments.${route}`, { transactionId: idIn('0000') });
    const failure: unknown = await asked.catch((error: unknown) => error);
    expect(String(failure)).not.toContain('Nobody says which cell');
  });
});

describe('queries about one payment', () => {
  it.each([
    ['transaction', (id: string) => ({ transactionId: id, entityId: 'e' })],
    ['paidInstrument', (id: string) => ({ transactionId: id, entityId: 'e' })],
    ['transactionEntries', (id: string) => ({ transactionId: id, entityId: 'e' })],
    ['redirect', (id: string) => ({ transactionId: id })],
    ['shopperReturn', (id: string) => ({ transactionId: id })],
    ['reviewDecided', (id: string) => ({ transactionId: id, decision: 'released', actor: 'a' })],
    ['authenticationProof', (id: string) => ({ transactionId: id, entityId: 'e' })],
    ['charge', (id: string) => ({ transactionId: id, payment: {}, personal: {} })],
    ['streamEvents', (id: string) => ({ streamId: id, afterVersion: 0 })],
  ])('%s goes to its cell', async (route, of) => {
    const cells = halves();
    const queries = await started(cells);
    cells.answer = (cell) => ({ cell });
    for (const [shard, cell] of [
      ['0000', 'payments'],
      ['ffff', 'payments.2'],
    ] as const) {
      const answer = await queries.ask('payments', `payments.${route}`, of(idIn(shard)));
      expect(answer).toEqual({ cell });
    }
  });

  it('of a payment to come go to the first cell: all have the same routes', async () => {
    const cells = halves();
    const queries = await started(cells);
    cells.answer = (cell) => ({ cell });
    const query = { entityId: 'e', mode: 'LIVE', amount: { minor: '1', currency: 'EUR' } };
    const answer = await queries.ask('payments', 'payments.takenBrands', query);
    expect(answer).toEqual({ cell: 'payments' });
  });

  it('follow a payment that has moved', async () => {
    const cells = halves();
    const queries = await started(cells);
    cells.answer = (cell) => (cell === 'payments' ? ELSEWHERE : { cell });
    cells.carried.set('payments', []);
    cells.carried.set('payments.2', [[0, 0xffff]]);
    const query = { transactionId: idIn('0000'), entityId: 'e' };
    const answer = await queries.ask('payments', 'payments.transaction', query);
    expect(answer).toEqual({ cell: 'payments.2' });
  });

  it('open sealed blocks in the cell of each, in their order', async () => {
    const cells = halves();
    const queries = await started(cells);
    cells.answer = (cell, _, parameters) => ({
      blocks: (parameters as { items: { streamId: string }[] }).items.map(({ streamId }) => ({
        state: 'opened',
        personal: { at: `${cell} ${streamId}` },
      })),
    });
    const ids = ['ffff', '0000', '9000', '0001'].map((shard) => idIn(shard));
    const items = ids.map((id) => ({ streamId: id, transactionId: id, sealed: 's' }));
    const answer = await queries.ask<{ blocks: { personal: { at: string } }[] }>(
      ...(['payments', 'payments.personalParameters', { items }] as const),
    );
    expect(answer.blocks.map(({ personal }) => personal.at)).toEqual([
      ...[`payments.2 ${ids[0]}`, `payments ${ids[1]}`, `payments.2 ${ids[2]}`],
      `payments ${ids[3]}`,
    ]);
  });

  it('open all blocks at once where one of several has moved unnoticed', async () => {
    const cells = halves();
    const queries = await started(cells);
    cells.carried.set('payments', [[0, 0x3fff]]);
    cells.carried.set('payments.2', [[0x4000, 0xffff]]);
    cells.answer = (cell, _, parameters) => {
      const { items } = parameters as { items: { streamId: string }[] };
      const isHere = items.every(({ streamId }) => cells.carries(cell, streamId.slice(12, 16)));
      const personal = { at: cell };
      return isHere ? { blocks: items.map(() => ({ state: 'opened', personal })) } : ELSEWHERE;
    };
    const ids = ['0000', '4000', '8000', '0001', '4000'].map((shard) => idIn(shard));
    const items = ids.map((id) => ({ streamId: id, transactionId: id, sealed: 's' }));
    const answer = await queries.ask<{ blocks: { personal: { at: string } }[] }>(
      ...(['payments', 'payments.personalParameters', { items }] as const),
    );
    expect(answer.blocks.map(({ personal }) => personal.at)).toEqual([
      ...['payments', 'payments.2', 'payments.2', 'payments', 'payments.2'],
    ]);
  });

  it('read each stream where it is, also where one of several has moved unnoticed', async () => {
    const cells = halves();
    const queries = await started(cells);
    cells.carried.set('payments', [[0, 0x3fff]]);
    cells.carried.set('payments.2', [[0x4000, 0xffff]]);
    cells.answer = (cell, _, parameters) => {
      const { streamIds } = parameters as { streamIds: string[] };
      const isHere = streamIds.every((id) => cells.carries(cell, id.slice(12, 16)));
      return isHere ? { streams: streamIds.map((id) => [`${cell} ${id}`]) } : ELSEWHERE;
    };
    const streamIds = ['0000', '4000', '8000', '0001'].map((shard) => idIn(shard));
    const answer = await queries.ask('payments', 'payments.eventsOfStreams', { streamIds });
    expect(answer).toEqual({
      streams: ['payments', 'payments.2', 'payments.2', 'payments'].map((cell, at) => [
        `${cell} ${streamIds[at]}`,
      ]),
    });
  });

  it('nobody has said where they go are refused', async () => {
    const queries = await started(halves());
    await expect(queries.ask('payments', 'payments.whatever', {})).rejects.toThrow(TypeError);
  });
});

describe('queries to all cells', () => {
  const headsOf: Readonly<Record<string, StreamHeadsAnswer>> = {
    payments: {
      heads: [
        { streamId: 'a', version: 2 },
        { streamId: 'moved', version: 3 },
      ],
      ...{ next: '10-4', more: false, incarnation: 'i' },
    },
    'payments.2': {
      heads: [{ streamId: 'moved', version: 5 }],
      ...{ next: '7-1', more: true, incarnation: 'i' },
    },
  };

  it('heads are merged, each stream at its latest version, with a cursor of each cell', async () => {
    const cells = halves();
    const queries = await started(cells);
    cells.answer = (cell) => headsOf[cell];
    const query = { limit: 10, olderThanMs: 0 };
    const first = await queries.ask<StreamHeadsAnswer>('payments', 'payments.streamHeads', query);
    expect(first.heads).toEqual([
      { streamId: 'a', version: 2 },
      { streamId: 'moved', version: 5 },
    ]);
    expect(first).toMatchObject({ more: true, incarnation: 'i' });
    cells.received.length = 0;
    await queries.ask('payments', 'payments.streamHeads', { ...query, after: first.next });
    expect(cells.received.map(({ message }) => message)).toEqual([
      { ...query, after: '10-4' },
      { ...query, after: '7-1' },
    ]);
  });

  it('a cursor from before there were cells is the first cell’s', async () => {
    const cells = halves();
    const queries = await started(cells);
    cells.answer = (cell) => headsOf[cell];
    const query = { limit: 10, olderThanMs: 0, after: '3-3' };
    await queries.ask('payments', 'payments.streamHeads', query);
    expect(cells.received.map(({ message }) => message)).toEqual([
      query,
      { limit: 10, olderThanMs: 0 },
    ]);
  });

  it('are not answered by cells of two incarnations', async () => {
    const cells = halves();
    const queries = await started(cells);
    cells.answer = (cell) => ({ ...headsOf[cell], incarnation: cell });
    const query = { limit: 10, olderThanMs: 0 };
    await expect(queries.ask('payments', 'payments.streamHeads', query)).rejects.toThrow(
      'of different incarnations',
    );
  });

  it.each(['streamHeads', 'referenceHeads'])(
    'are answered while a cell that was added carries nothing: %s',
    async (route) => {
      const cells = new ScriptedCells({ payments: [...LOWER, ...UPPER], 'payments.2': [] });
      const queries = await started(cells);
      cells.answer = (cell) => ({ ...headsOf[cell], incarnation: cell });
      const query = { entityId: 'e', merchantTransactionId: 'm', limit: 10, olderThanMs: 0 };
      const answer = await queries.ask<object>('payments', `payments.${route}`, query);
      expect(answer).toMatchObject({ incarnation: 'payments' });
    },
  );

  it('are not answered while one cell is away', async () => {
    const cells = halves();
    const queries = await started(cells);
    cells.away.add('payments.2');
    const query = { entityId: 'e', merchantTransactionId: 'm' };
    await expect(queries.ask('payments', 'payments.referenceHeads', query)).rejects.toThrow(
      QueryUnavailable,
    );
  });

  it('ask a cell again that has just lost what it found', async () => {
    const cells = halves();
    const queries = await started(cells);
    const query = { entityId: 'e', by: { merchantTransactionId: 'm' }, limit: 2, pageNo: 1 };
    let tries = 0;
    cells.answer = (cell) => {
      if (cell === 'payments' && (tries += 1) < 3) return ELSEWHERE;
      return { transactions: [], total: 0 };
    };
    const search = (): Promise<object> =>
      queries.ask('payments', 'payments.transactionsByReference', query);
    expect(await search()).toEqual({ transactions: [], total: 0 });
    cells.answer = () => ELSEWHERE;
    await expect(search()).rejects.toThrow(QueryUnavailable);
  });

  describe.each([
    ['referenceHeads', { heads: [], more: false, incarnation: 'i' }],
    ['transactionsByReference', { transactions: [], total: 0 }],
  ])('a search of %s', (route, nothing) => {
    const query = { entityId: 'e', by: { merchantTransactionId: 'm' }, limit: 2, pageNo: 1 };

    it('is made again while no cell has looked into a range that moves', async () => {
      const cells = halves();
      const queries = await started(cells);
      let searches = 0;
      cells.answer = (cell) => {
        if (cell === 'payments') return { ...nothing, carried: LOWER };
        searches += 1;
        return { ...nothing, carried: searches < 2 ? [[0x8000, 0xfffe]] : UPPER };
      };
      expect(await queries.ask('payments', `payments.${route}`, query)).toEqual(nothing);
      expect(searches).toBe(2);
    });

    it('is made again where two cells have looked into a range that moves', async () => {
      const cells = halves();
      const queries = await started(cells);
      let searches = 0;
      cells.answer = (cell) => {
        if (cell === 'payments.2') return { ...nothing, carried: UPPER };
        searches += 1;
        return { ...nothing, carried: searches < 2 ? [[0, 0x8000]] : LOWER };
      };
      expect(await queries.ask('payments', `payments.${route}`, query)).toEqual(nothing);
      expect(searches).toBe(2);
    });

    it('is answered where a cell of a release before does not say where it has looked', async () => {
      const cells = halves();
      const queries = await started(cells);
      cells.answer = (cell) => ({ ...nothing, ...(cell === 'payments' && { carried: LOWER }) });
      expect(await queries.ask('payments', `payments.${route}`, query)).toEqual(nothing);
    });

    it('is not answered where a range stays in no cell', async () => {
      const cells = halves();
      const queries = await started(cells);
      cells.answer = () => ({ ...nothing, carried: LOWER });
      jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(10_000);
      await expect(queries.ask('payments', `payments.${route}`, query)).rejects.toThrow(
        QueryUnavailable,
      );
      jest.restoreAllMocks();
    });
  });

  it('page through what all cells have, the newest first, what is linked at the end', async () => {
    const cells = halves();
    const queries = await started(cells);
    const own = { merchantTransactionId: 'm' };
    const found: Readonly<Record<string, object[]>> = {
      payments: [
        { id: '5', parameters: own },
        { id: '1', parameters: own },
        { id: '6', parameters: {} },
      ],
      'payments.2': [
        { id: '3', parameters: own },
        { id: '4', parameters: {} },
      ],
    };
    cells.answer = (cell) => ({ transactions: found[cell], total: found[cell]?.length });
    const idsOn = async (pageNo: number): Promise<string[]> => {
      const query = { entityId: 'e', by: own, includeLinked: true, limit: 2, pageNo };
      const page = await queries.ask<{ transactions: { id: string }[]; total: number }>(
        ...(['payments', 'payments.transactionsByReference', query] as const),
      );
      expect(page.total).toBe(5);
      return page.transactions.map(({ id }) => id);
    };
    expect(await idsOn(1)).toEqual(['5', '3']);
    expect(await idsOn(2)).toEqual(['1', '4']);
    expect(await idsOn(3)).toEqual(['6']);
    const asked = cells.received.at(-1)?.message;
    expect(asked).toMatchObject({ limit: 6, pageNo: 1 });
  });

  it('page through what two cells of a release before both have, once', async () => {
    const cells = halves();
    const queries = await started(cells);
    const own = { merchantTransactionId: 'm' };
    const both = [
      { id: '7', parameters: own },
      { id: '8', parameters: {} },
    ];
    const found: Readonly<Record<string, object[]>> = {
      payments: [{ id: '9', parameters: own }, ...both],
      'payments.2': [...both.slice(0, 1), { id: '5', parameters: own }, ...both.slice(1)],
    };
    cells.answer = (cell) => ({ transactions: found[cell], total: 3 });
    const pageOf = async (pageNo: number) => {
      const query = { entityId: 'e', by: own, includeLinked: true, limit: 2, pageNo };
      const page = await queries.ask<{ transactions: { id: string }[]; total: number }>(
        ...(['payments', 'payments.transactionsByReference', query] as const),
      );
      return [page.transactions.map(({ id }) => id), page.total];
    };
    expect(await pageOf(1)).toEqual([['9', '7'], 4]);
    expect(await pageOf(2)).toEqual([['5', '8'], 4]);
    expect(await pageOf(3)).toEqual([[], 4]);
  });
});
