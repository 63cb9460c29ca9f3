import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fillTableSet } from '@sluice/projections';
import { ReportingWorld } from '../test/reporting-fixture.js';

let world: ReportingWorld;
/** Its payments alone are used, as those of the second cell. */
let second: ReportingWorld;

beforeAll(async () => {
  world = await ReportingWorld.make();
  second = await ReportingWorld.make();
  // Of all shards in both, as if what has moved were not cleared yet.
  await world.payments.payMany(400);
  await second.payments.payMany(400);
}, 60_000);

beforeEach(async () => {
  const { rows } = await world.admin.query<{ id: string }>('SELECT id FROM payments.incarnation');
  await second.admin.query('UPDATE payments.incarnation SET id = $1', [rows[0]?.id]);
  await carry(world, '{[0,32768)}');
  await carry(second, '{[32768,65536)}');
});

afterAll(async () => {
  await second.close();
  await world.close();
});

async function carry({ admin }: ReportingWorld, carried: string): Promise<void> {
  await admin.query('UPDATE payments.carried_shards SET carried = $1', [carried]);
}

/** Of both cells, in small chunks. */
function rebuild(onProgress = (): void => undefined) {
  const { source, ...options } = world.rebuildOptions;
  const otherCells = [second.payments.database.appUrl];
  const fill = { ...options, source: { ...source, otherCells }, chunkEvents: 150, onProgress };
  return fillTableSet(fill);
}

/** Up to where the rows that are live have been compared with both cells. */
const COMPARED = '1:9-9,2:9-9';

async function cursorOf(tableSet: number): Promise<string | null | undefined> {
  const { rows } = await world.admin.query<{ heads_cursor: string | null }>(
    'SELECT heads_cursor FROM reporting.table_sets WHERE id = $1',
    [tableSet],
  );
  return rows[0]?.heads_cursor;
}

async function streamsIn({ admin }: ReportingWorld, condition: string): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    `SELECT DISTINCT stream_id AS id FROM payments.events
     WHERE payments.shard_of(stream_id) ${condition} ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
}

describe('a rebuild of a store that lies in two cells', () => {
  it('reads each payment once, in the cell that carries its shard', async () => {
    const { tableSet, rows } = await rebuild();
    const expected = [
      ...(await streamsIn(world, '< 32768')),
      ...(await streamsIn(second, '>= 32768')),
    ];
    expect(expected.length).toBeGreaterThan(300);
    expect(rows).toBe(expected.length);
    const found = (await world.rows(tableSet)).map(({ transaction_id: id }) =>
      String(id).replaceAll('-', ''),
    );
    expect(found.sort()).toEqual(expected.sort());
  });

  it.each([
    ['carries a shard twice', '{[32767,65536)}'],
    ['carries a shard nowhere', '{[32769,65536)}'],
  ])('is refused while it %s', async (_, carried) => {
    await carry(second, carried);
    await expect(rebuild()).rejects.toThrow('do not carry every shard once');
  });

  it('is refused while the cells are of different incarnations', async () => {
    await second.admin.query('UPDATE payments.incarnation SET id = gen_random_uuid()');
    await expect(rebuild()).rejects.toThrow('of different stores');
  });

  describe('after the live rows were compared with the stores', () => {
    beforeEach(async () => {
      const text = `UPDATE reporting.table_sets SET heads_cursor = $1, incarnation =
        (SELECT id::text FROM payments.incarnation) WHERE state = 'live'`;
      await world.admin.query(text, [COMPARED]);
    });

    it('leaves the comparison where it was', async () => {
      const { tableSet } = await rebuild();
      expect(await cursorOf(tableSet)).toBe(COMPARED);
    });

    it('begins the comparison anew if shards have moved meanwhile', async () => {
      // Their copies were in the target long before, and are compared already; the source is cleared.
      const moving: Promise<void>[] = [];
      const { tableSet } = await rebuild(() => {
        moving.push(carry(world, '{[0,16384)}'), carry(second, '{[16384,65536)}'));
      });
      await Promise.all(moving);
      expect(await cursorOf(tableSet)).toBeNull();
    });
  });
});
