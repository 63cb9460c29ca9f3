import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  applyEvents,
  type ArrivedEvent,
  checkpointsOf,
  ensureTableSet,
  type FedTableSet,
  fedTableSet,
  listTableSets,
  noteCheckpoints,
  parkEvents,
  type PartitionCheckpoint,
} from '@sluice/projections';
import type pg from 'pg';
import { balances } from '../test/ledger-fixture.js';
import { ReportingWorld } from '../test/reporting-fixture.js';

const SCHEMA = 'reporting';

let world: ReportingWorld;
let set: FedTableSet;
/** The same tables, as another process has them. */
let others: FedTableSet;

beforeAll(async () => {
  world = await ReportingWorld.make();
  const { appRole, ownerUrl: url } = world.database;
  await ensureTableSet({ url, schema: SCHEMA, appRole }, balances);
  const [made] = await listTableSets(world.admin, SCHEMA, balances.name);
  if (made === undefined) throw new Error('no table set');
  set = fedTableSet(balances, SCHEMA, made.id);
  others = fedTableSet(balances, SCHEMA, made.id);
}, 60_000);
afterAll(() => world.close());

/** Adds the version itself to the account, so that an event applied twice or left out shows. */
const booked = (streamId: string, version: number): ArrivedEvent => ({
  ...{ type: 'Booked', schemaVersion: 1, streamId, version },
  ...{ data: { minor: String(version) }, metadata: {}, text: '' },
});

/** A writer that knows the versions and rows, and writes only once the other one is done. */
function overtakenBy(other: () => Promise<unknown>): pg.Pool {
  const pool = world.admin;
  let isOvertaken = false;
  const query = async (asked: pg.QueryConfig): Promise<unknown> => {
    if (!isOvertaken && asked.text === set.statements.applyBatch) {
      isOvertaken = true;
      await other();
    }
    return pool.query(asked);
  };
  return { query } as unknown as pg.Pool;
}

async function balanceOf(account: string): Promise<string | undefined> {
  const text = `SELECT minor FROM ${set.statements.table} WHERE account = $1`;
  const { rows } = await world.admin.query<{ minor: string }>(text, [account]);
  return rows[0]?.minor;
}

const checkpoint = (offset: string): PartitionCheckpoint => ({
  ...{ topic: balances.topic, partition: 0 },
  offset,
});

describe('of two writers of one table set', () => {
  it.each([
    ['a new stream', 'opened', 0],
    ['a stream that has rows', 'older', 3],
  ])('the slower one applies nothing twice to %s', async (_, account, before) => {
    const events = (upTo: number) =>
      Array.from({ length: upTo }, (_nothing, index) => booked(account, index + 1));
    if (before > 0) await applyEvents(world.admin, set, events(before));
    const slower = overtakenBy(() => applyEvents(world.admin, others, events(before + 2)));
    expect(await applyEvents(slower, set, events(before + 1))).toMatchObject({
      ...{ kind: 'applied', applied: 0, ignored: before + 1 },
    });
    const sum = ((before + 2) * (before + 3)) / 2;
    expect(await balanceOf(account)).toBe(String(sum));
  });

  it('the slower one adds what it alone has', async () => {
    const all = [1, 2, 3].map((version) => booked('ahead', version));
    const slower = overtakenBy(() => applyEvents(world.admin, others, all.slice(0, 1)));
    expect(await applyEvents(slower, set, all)).toMatchObject({ applied: 2, ignored: 1 });
    expect(await balanceOf('ahead')).toBe('6');
  });

  it('one of two that begin the same streams at once adds what the other one does not have', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `contended ${index}`);
    const all = names.flatMap((name) => [booked(name, 1), booked(name, 2)]);
    const first = all.filter(({ version }) => version === 1);
    const applied = await Promise.all([
      applyEvents(world.admin, set, all),
      applyEvents(world.admin, others, first),
    ]);
    for (const each of applied) expect(each.kind).toBe('applied');
    for (const name of names) expect(await balanceOf(name)).toBe('3');
  });

  it('the one with the older checkpoint takes none back', async () => {
    const further = () => applyEvents(world.admin, others, [], { checkpoints: [checkpoint('10')] });
    const checkpoints = [checkpoint('9')];
    await applyEvents(overtakenBy(further), set, [booked('noted', 1)], { checkpoints });
    expect(await checkpointsOf(world.admin, SCHEMA, set.id)).toEqual([checkpoint('10')]);
    await noteCheckpoints(world.admin, set, [checkpoint('11')]);
    expect(await checkpointsOf(world.admin, SCHEMA, set.id)).toEqual([checkpoint('11')]);
  });
});

describe('what a crash of the database took back (page 0046)', () => {
  /** The rows as if the last commit had been lost; this process still knows what it wrote. */
  async function lose(account: string, to: { version: number; minor: string }): Promise<void> {
    const { streams, table } = set.statements;
    const version = `UPDATE ${streams} SET version = $2 WHERE stream_id = $1`;
    await world.admin.query(version, [account, to.version]);
    const minor = `UPDATE ${table} SET minor = $2 WHERE account = $1`;
    await world.admin.query(minor, [account, to.minor]);
  }

  it('is made again when its events come again', async () => {
    await applyEvents(world.admin, set, [booked('lost', 1), booked('lost', 2)]);
    await lose('lost', { version: 1, minor: '1' });
    expect(await applyEvents(world.admin, set, [booked('lost', 2)])).toMatchObject({ applied: 1 });
    expect(await balanceOf('lost')).toBe('3');
  });

  it('is noticed when the next event comes', async () => {
    await applyEvents(world.admin, set, [booked('missed', 1), booked('missed', 2)]);
    await lose('missed', { version: 1, minor: '1' });
    expect(await applyEvents(world.admin, set, [booked('missed', 3)])).toEqual({
      kind: 'holes',
      holes: [{ streamId: 'missed', afterVersion: 1 }],
    });
  });

  it('is made again from the rows that are there', async () => {
    const all = [1, 2, 3].map((version) => booked('twice', version));
    await applyEvents(world.admin, set, all);
    await lose('twice', { version: 1, minor: '1' });
    const again = [...all, booked('twice', 4)];
    expect(await applyEvents(world.admin, set, again)).toMatchObject({ applied: 3, ignored: 1 });
    expect(await balanceOf('twice')).toBe('10');
  });
});

describe('a batch', () => {
  /** The statements that a batch takes. */
  async function statementsOf(events: readonly ArrivedEvent[]): Promise<number> {
    let count = 0;
    const query = (asked: pg.QueryConfig): Promise<unknown> => {
      count += 1;
      return world.admin.query(asked);
    };
    const checkpoints = [checkpoint('12')];
    await applyEvents({ query } as unknown as pg.Pool, set, events, { checkpoints });
    return count;
  }

  it('of streams that begin takes one statement, and so does what follows soon', async () => {
    expect(await statementsOf([booked('one', 1), booked('two', 1), booked('two', 2)])).toBe(1);
    expect(await statementsOf([booked('one', 2), booked('two', 3)])).toBe(1);
    expect([await balanceOf('one'), await balanceOf('two')]).toEqual(['3', '6']);
  });

  it('with an event that is parked already leaves it there, and is applied', async () => {
    const unfoldable: ArrivedEvent = { ...booked('parked', 1), data: {} };
    const refused = await applyEvents(world.admin, set, [unfoldable, booked('beside', 1)]);
    expect(refused).toMatchObject({ kind: 'refused', streamId: 'parked' });
    await parkEvents(world.admin, set, [unfoldable], 'no amount');
    expect(await applyEvents(world.admin, set, [unfoldable, booked('beside', 1)])).toMatchObject({
      ...{ kind: 'applied', applied: 1, parked: 1 },
    });
    expect(await balanceOf('beside')).toBe('1');
  });

  it('that arrives again is noticed by the statement that would write it', async () => {
    await statementsOf([booked('again', 1)]);
    // As in another process, or after a restart.
    set.recent.forget(['again']);
    expect(await statementsOf([booked('again', 1), booked('again', 2)])).toBeGreaterThan(1);
    expect(await balanceOf('again')).toBe('3');
  });
});
