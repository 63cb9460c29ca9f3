import { describe, expect, it } from '@jest/globals';
import { divideShards } from './divide-shards.js';
import { migrations } from '../schema.js';
import { newMember, StoreFixture } from '../store-fixture.js';

const fixture = new StoreFixture();
let made = 0;

/** Empty stores of so many cells, each in a schema of its own. */
async function cells(count: number) {
  made += 1;
  const appRole = new URL(fixture.appUrl).username;
  const schemas = Array.from({ length: count }, (_, index) => `cell_${made}_${index + 1}`);
  for (const [index, schema] of schemas.entries()) {
    await fixture.owner.query(`CREATE SCHEMA ${schema}`);
    for (const { statements } of migrations({ schema, appRole, cell: index + 1 })) {
      for (const statement of statements) await fixture.owner.query(statement);
    }
  }
  return schemas.map((schema) => ({ owner: fixture.owner, schema }));
}

function ranges(schema: string) {
  return fixture.store({ schema, hasShards: true }).carriedShards();
}

async function incarnations(schemas: readonly { schema: string }[]): Promise<Set<unknown>> {
  const ids = schemas.map(({ schema }) => fixture.store({ schema }).incarnation());
  return new Set(await Promise.all(ids));
}

describe('dividing the shards of a new installation', () => {
  it('gives each cell an equal part, all of one incarnation', async () => {
    const three = await cells(3);
    expect(await divideShards(three)).toBe(true);
    const carried = await Promise.all(three.map(({ schema }) => ranges(schema)));
    expect(carried).toEqual([
      { cell: 1, carried: [[0, 21_844]], closing: [] },
      { cell: 2, carried: [[21_845, 43_690]], closing: [] },
      { cell: 3, carried: [[43_691, 65_535]], closing: [] },
    ]);
    expect((await incarnations(three)).size).toBe(1);
  });

  it('is done once', async () => {
    const two = await cells(2);
    await divideShards(two);
    expect(await divideShards(two)).toBe(false);
  });

  it('leaves an installation that has payments as it is', async () => {
    const two = await cells(2);
    const [first] = two;
    await fixture.store({ schema: first?.schema ?? '' }).append(newMember());
    expect(await divideShards(two)).toBe(false);
    expect((await ranges(first?.schema ?? '')).carried).toEqual([[0, 65_535]]);
  });

  it('goes on where it was interrupted, and is not for one cell', async () => {
    const two = await cells(2);
    const [first, second] = two;
    const half = `UPDATE ${second?.schema ?? ''}.carried_shards SET carried = '{[5,6)}'`;
    await fixture.owner.query(half);
    expect(await divideShards(two)).toBe(true);
    expect((await ranges(first?.schema ?? '')).carried).toEqual([[0, 32_767]]);
    expect((await ranges(second?.schema ?? '')).carried).toEqual([[32_768, 65_535]]);
    expect(await divideShards(await cells(1))).toBe(false);
  });

  it('is refused for cells in another order', async () => {
    const two = await cells(2);
    expect(await divideShards(two.toReversed())).toBe(false);
  });
});
