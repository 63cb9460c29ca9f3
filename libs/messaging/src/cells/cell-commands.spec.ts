import { describe, expect, it } from '@jest/globals';
import { CellCommands } from './cell-commands.js';
import { commandTo, LOWER, ScriptedCells, UPPER } from './cells-fixture.js';

const DONE = { kind: 'replied', reply: { kind: 'done' } };
const PATIENT = { deadlineMs: 5_000 };

async function started(cells: ScriptedCells): Promise<CellCommands> {
  const map = cells.map();
  await map.look();
  return new CellCommands(cells, map);
}

function placesOf({ received }: ScriptedCells): string[] {
  return received.map(({ cell }) => cell);
}

describe('commands to payments with cells', () => {
  it('go to the cell that carries their shard, and to no other', async () => {
    const cells = new ScriptedCells({ payments: LOWER, 'payments.2': UPPER });
    const commands = await started(cells);
    for (const shard of ['0000', '7fff', '8000', 'ffff']) {
      expect(await commands.send('payments', commandTo(shard), PATIENT)).toEqual(DONE);
    }
    expect(placesOf(cells)).toEqual(['payments', 'payments', 'payments.2', 'payments.2']);
  });

  it('of other services go on as they are', async () => {
    const cells = new ScriptedCells({ payments: LOWER, 'payments.2': UPPER });
    const commands = await started(cells);
    await commands.send('accounts', commandTo('ffff'), PATIENT);
    expect(placesOf(cells)).toEqual(['accounts']);
  });

  it('follow a shard that has moved, with the same id and a shorter life', async () => {
    const cells = new ScriptedCells({ payments: LOWER, 'payments.2': UPPER });
    const commands = await started(cells);
    cells.carried.set('payments', [[0, 0x6fff]]);
    cells.carried.set('payments.2', [[0x7000, 0xffff]]);
    expect(await commands.send('payments', commandTo('7abc'), PATIENT)).toEqual(DONE);
    expect(placesOf(cells)).toEqual(['payments', 'payments.2']);
    const [first, second] = cells.received.map(({ message }) => message as { id: string });
    expect(second?.id).toBe(first?.id);
    const { timeToLiveMs } = second as unknown as { timeToLiveMs: number };
    expect(timeToLiveMs).toBeLessThan(PATIENT.deadlineMs);
  });

  it('wait while nobody carries their shard', async () => {
    const cells = new ScriptedCells({ payments: LOWER, 'payments.2': UPPER });
    const commands = await started(cells);
    cells.carried.set('payments', []);
    let refusals = 0;
    cells.beforeCommand = () => {
      refusals += 1;
      if (refusals === 1) setTimeout(() => cells.carried.set('payments.2', [[0, 0xffff]]), 60);
    };
    expect(await commands.send('payments', commandTo('0001'), PATIENT)).toEqual(DONE);
    expect(placesOf(cells).at(-1)).toBe('payments.2');
  });

  it('are not sent when nobody has taken them in time', async () => {
    const cells = new ScriptedCells({ payments: LOWER, 'payments.2': UPPER });
    const commands = await started(cells);
    cells.carried.set('payments', []);
    const result = await commands.send('payments', commandTo('0001'), { deadlineMs: 120 });
    expect(result).toEqual({ kind: 'notSent', reason: 'full' });
  });

  it('reach a cell that does not say at the moment what it carries', async () => {
    const cells = new ScriptedCells({ payments: LOWER, 'payments.2': UPPER });
    const map = cells.map();
    await map.look();
    cells.away.add('payments.2');
    await map.look();
    const commands = new CellCommands(cells, map);
    expect(await commands.send('payments', commandTo('ffff'), PATIENT)).toEqual(DONE);
  });

  it('follow a shard out of a cell that has not answered since', async () => {
    const cells = new ScriptedCells({ payments: LOWER, 'payments.2': UPPER });
    const map = cells.map();
    await map.look();
    cells.away.add('payments');
    cells.carried.set('payments', []);
    cells.carried.set('payments.2', [...LOWER, ...UPPER]);
    await map.look();
    const commands = new CellCommands(cells, map);
    expect(await commands.send('payments', commandTo('0000'), PATIENT)).toEqual(DONE);
    expect(placesOf(cells)).toEqual(['payments.2']);
  });

  it('go nowhere while two cells say that they carry their shard: one of them has lost its database', async () => {
    const cells = new ScriptedCells({ payments: LOWER, 'payments.2': UPPER });
    const map = cells.map();
    await map.look();
    cells.carried.set('payments', [...LOWER, ...UPPER]);
    await map.look();
    const commands = new CellCommands(cells, map);
    const result = await commands.send('payments', commandTo('ffff'), { deadlineMs: 120 });
    expect(result).toEqual({ kind: 'notSent', reason: 'full' });
    expect(placesOf(cells)).toEqual([]);
    cells.carried.set('payments', LOWER);
    expect(await commands.send('payments', commandTo('ffff'), PATIENT)).toEqual(DONE);
    expect(placesOf(cells)).toEqual(['payments.2']);
  });

  it('are not sent to a cell at whose address another one answers', async () => {
    const cells = new ScriptedCells({ payments: LOWER, 'payments.2': UPPER });
    const crossed = {
      ask: <Answer>(_: string, query: string, parameters: object) =>
        cells.ask<Answer>('payments', query, parameters),
    };
    const { CellMap } = await import('./cell-map.js');
    const map = new CellMap({ queries: crossed, cells: 2 });
    await map.look();
    expect(map.cellOf('0000')).toBe(1);
    expect(map.cellOf('ffff')).toBeUndefined();
  });
});
