import { describe, expect, it } from '@jest/globals';
import { streamIn } from './cells-fixture.js';
import { type CellTables, divideShards } from './divide-shards.js';
import { migrations } from '../schema.js';
import { newClaim, newMember, StoreFixture } from '../store-fixture.js';

const fixture = new StoreFixture();
let made = 0;

/** Empty stores of so many cells, each in a schema of its own. */
async function cells(count: number) {
  made += 1;
  const schemas = Array.from({ length: count }, (_, index) => `cell_${made}_${index + 1}`);
  for (const [index, schema] of schemas.entries()) await make(schema, index + 1);
  return schemas.map((schema) => ({ owner: fixture.owner, schema }));
}

async function make(schema: string, cell: number): Promise<void> {
  const appRole = new URL(fixture.appUrl).username;
  await fixture.owner.query(`CREATE SCHEMA ${schema}`);
  for (const { statements } of migrations({ schema, appRole, cell })) {
    for (const statement of statements) await fixture.owner.query(statement);
  }
}

function ranges(schema: string) {
  return fixture.store({ schema, hasShards: true }).carriedShards();
}

async function incarnations(schemas: readonly { schema: string }[]): Promise<Set<unknown>> {
  const ids = schemas.map(({ schema }) => fixture.store({ schema }).incarnation());
  return new Set(await Promise.all(ids));
}

/** An owner who dies before a cell gets its part. */
function untilItGives(): CellTables['owner'] {
  const query = (text: string, values?: unknown[]) =>
    text.includes('carried = $1')
      ? Promise.reject(new Error('stopped'))
      : fixture.owner.query(text, values);
  return { query } as CellTables['owner'];
}

/** Resolves when somebody waits for the table of heads. */
async function untilHeadsAreWaitedFor(schema: string): Promise<void> {
  const text = `SELECT FROM pg_locks WHERE relation = '${schema}.streams'::regclass AND NOT granted`;
  while ((await fixture.rows(text)).length === 0);
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

  it('has a cell that is added later join the life of the first, whatever is recorded', async () => {
    const two = await cells(2);
    const [first] = two;
    await fixture.store({ schema: first?.schema ?? '' }).append(newMember());
    expect((await incarnations(two)).size).toBe(2);
    await divideShards(two);
    expect((await incarnations(two)).size).toBe(1);
  });

  it('goes on where it was interrupted: a shard is in no cell, and never in two', async () => {
    const three = await cells(3);
    const carried = async () =>
      (await Promise.all(three.map(({ schema }) => ranges(schema)))).map((each) => each.carried);
    const whole = [[[0, 21_844]], [[21_845, 43_690]], [[43_691, 65_535]]];
    for (const stopsAt of [1, 2]) {
      const broken = three.map((cell, index) =>
        index === stopsAt ? { ...cell, owner: untilItGives() } : cell,
      );
      await expect(divideShards(broken)).rejects.toThrow('stopped');
      expect(await carried()).toEqual(whole.map((part, index) => (index < stopsAt ? part : [])));
    }
    // Its own part takes payments meanwhile, and loses none of them.
    const store = fixture.store({ schema: three[0]?.schema ?? '', hasShards: true });
    const append = (shard: string) => store.append(newMember({ streamId: streamIn(shard) }));
    expect(await append('0001')).toMatchObject({ kind: 'appended' });
    expect(await append('ffff')).toEqual({ kind: 'elsewhere' });
    expect(await divideShards(three)).toBe(true);
    expect(await carried()).toEqual(whole);
    expect(await divideShards(three)).toBe(false);
  });

  it('gives nothing to a cell that has lost its database, whose part nobody has then', async () => {
    const two = await cells(2);
    await divideShards(two);
    const lost = two[1]?.schema ?? '';
    const member = { streamId: streamIn('ffff'), idempotency: newClaim('order 1') };
    const append = () => fixture.store({ schema: lost, hasShards: true }).append(newMember(member));
    expect(await append()).toMatchObject({ kind: 'appended' });
    await fixture.owner.query(`DROP SCHEMA ${lost} CASCADE`);
    await make(lost, 2);
    for (const run of [1, 2]) expect([run, await divideShards(two)]).toEqual([run, false]);
    expect((await ranges(lost)).carried).toEqual([]);
    expect((await incarnations(two)).size).toBe(2);
    expect(await append()).toEqual({ kind: 'elsewhere' });
  });

  it('leaves a lost cell its own life, also where the shards were unequal: nobody has its part', async () => {
    const two = await cells(2);
    const [first, lost] = two.map(({ schema }) => schema) as [string, string];
    await divideShards(two);
    const carry = (schema: string, range: string) =>
      fixture.owner.query(`UPDATE ${schema}.carried_shards SET carried = '{${range}}'`);
    await carry(first, '[0,10)');
    await fixture.owner.query(`DROP SCHEMA ${lost} CASCADE`);
    await make(lost, 2);
    expect(await divideShards(two)).toBe(false);
    expect((await incarnations(two)).size).toBe(2);
    expect((await ranges(lost)).carried).toEqual([]);
  });

  it('takes all shards from a first cell that has lost its database: others carry some of them', async () => {
    const two = await cells(2);
    await divideShards(two);
    const [first, second] = two.map(({ schema }) => schema) as [string, string];
    const member = { streamId: streamIn('ffff'), idempotency: newClaim('order 1') };
    const appendIn = (schema: string) =>
      fixture.store({ schema, hasShards: true }).append(newMember(member));
    expect(await appendIn(second)).toMatchObject({ kind: 'appended' });
    await fixture.owner.query(`DROP SCHEMA ${first} CASCADE`);
    await make(first, 1);
    for (const run of [1, 2]) expect([run, await divideShards(two)]).toEqual([run, false]);
    expect((await ranges(first)).carried).toEqual([]);
    expect((await ranges(second)).carried).toEqual([[32_768, 65_535]]);
    expect((await incarnations(two)).size).toBe(2);
    expect(await appendIn(first)).toEqual({ kind: 'elsewhere' });
  });

  it('waits for an append under way, and leaves everything where that was recorded', async () => {
    const two = await cells(2);
    const [first] = two;
    const schema = first?.schema ?? '';
    const client = await fixture.owner.connect();
    await client.query(`BEGIN; LOCK TABLE ${schema}.streams IN ROW EXCLUSIVE MODE`);
    const dividing = divideShards(two);
    await untilHeadsAreWaitedFor(schema);
    await client.query(
      `INSERT INTO ${schema}.streams (stream_id, version) VALUES ('${streamIn('ffff')}', 1)`,
    );
    await client.query('COMMIT');
    client.release();
    expect(await dividing).toBe(false);
    expect((await ranges(schema)).carried).toEqual([[0, 65_535]]);
  });

  it('takes nothing into account that moves, and is not for one cell', async () => {
    const two = await cells(2);
    const schema = two[0]?.schema ?? '';
    await fixture.owner.query(
      `INSERT INTO ${schema}.leaving_shards (shards, to_cell) VALUES ('[5,6)', 2)`,
    );
    expect(await divideShards(two)).toBe(false);
    expect((await ranges(schema)).carried).toEqual([[0, 65_535]]);
    expect(await divideShards(await cells(1))).toBe(false);
  });

  it('is refused for cells in another order', async () => {
    const two = await cells(2);
    expect(await divideShards(two.toReversed())).toBe(false);
  });
});
