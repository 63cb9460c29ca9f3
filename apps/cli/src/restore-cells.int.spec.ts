import { describe, expect, it } from '@jest/globals';
import { TwoCellsFixture } from './two-cells-fixture.js';

const fixture = new TwoCellsFixture();

describe('finishing a restore', () => {
  const incarnations = async (): Promise<unknown[]> => [
    ...(await fixture.onCell(1, 'SELECT id FROM payments.incarnation')),
    ...(await fixture.onCell(2, 'SELECT id FROM payments.incarnation')),
  ];

  it('is refused for one of several cells', async () => {
    const before = await incarnations();
    const { exitCode, errors } = await fixture.run('restore finish --execute');
    expect([exitCode, errors]).toEqual([
      4,
      'Payments has 2 cells (PAYMENTS_CELL_OWNER_DATABASE_URLS), which must have the same ' +
        'incarnation: say --cells.\n',
    ]);
    expect(await incarnations()).toEqual(before);
  });

  it('gives all of them the same incarnation', async () => {
    await fixture.onCell(2, 'UPDATE payments.incarnation SET id = gen_random_uuid()');
    const before = await incarnations();
    const dry = await fixture.run('restore finish --cells');
    expect(dry.output).toContain('Would give all 2 cells another incarnation, the same for all.\n');
    expect(await incarnations()).toEqual(before);
    const { output, exitCode } = await fixture.run('restore finish --cells --execute');
    const [first, second] = await incarnations();
    expect([exitCode, first]).toEqual([0, second]);
    expect(before).not.toContainEqual(first);
    expect(output).toContain(`All 2 cells are ${(first as { id: string }).id} now.\n`);
  });

  it('waits for moves, and for shards that two cells carry', async () => {
    await fixture.onCell(1, `INSERT INTO payments.leaving_shards VALUES ('[0,65536)', 2)`);
    const moving = await fixture.run('restore finish --cells --execute');
    expect([moving.exitCode, moving.errors]).toEqual([
      4,
      'A move of shards from cell 1 to cell 2 is not finished; finish or undo it first ("sluice ' +
        'cells" says how).\n',
    ]);
    await fixture.onCell(1, 'DELETE FROM payments.leaving_shards');
    await fixture.onCell(2, `UPDATE payments.carried_shards SET carried = '{[0,16)}'`);
    const twice = await fixture.run('restore finish --cells --execute');
    expect([twice.exitCode, twice.errors]).toEqual([
      4,
      expect.stringContaining('Several cells carry 0000-000f: stop payments there at once.'),
    ]);
  });

  it('of cells with events of different incarnations is asked for by the list', async () => {
    await fixture.capturedPayment();
    await fixture.run('cells move --from 1 --to 2 --shards 0000-7fff --execute');
    for (const cell of [1, 2] as const) {
      await fixture.onCell(
        cell,
        `INSERT INTO payments.events (stream_id, version, event_id, command_id, type,
           schema_version, data, metadata)
         VALUES ('${'0'.repeat(32)}', ${cell + 100}, gen_random_uuid(), gen_random_uuid(), 'Any', 1, '{}', '{}')`,
      );
    }
    await fixture.onCell(2, 'UPDATE payments.incarnation SET id = gen_random_uuid()');
    const { output, exitCode } = await fixture.run('cells');
    expect(output).toContain('The cells have different incarnations: one was restored without');
    expect(exitCode).toBe(3);
    const move = await fixture.run('cells move --from 1 --to 2 --shards 8000-ffff --execute');
    expect([move.exitCode, move.errors]).toEqual([
      4,
      expect.stringContaining('"sluice restore finish --cells" gives all cells the same'),
    ]);
  });
});
