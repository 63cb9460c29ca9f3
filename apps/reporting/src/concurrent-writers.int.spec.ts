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
  type PartitionCheckpoint,
} from '@sluice/projections';
import type pg from 'pg';
import { balances } from '../test/ledger-fixture.js';
import { ReportingWorld } from '../test/reporting-fixture.js';

const SCHEMA = 'reporting';

let world: ReportingWorld;
let set: FedTableSet;

beforeAll(async () => {
  world = await ReportingWorld.make();
  const { appRole, ownerUrl: url } = world.database;
  await ensureTableSet({ url, schema: SCHEMA, appRole }, balances);
  const [made] = await listTableSets(world.admin, SCHEMA, balances.name);
  if (made === undefined) throw new Error('no table set');
  set = fedTableSet(balances, SCHEMA, made.id);
}, 60_000);
afterAll(() => world.close());

/** Adds the version itself to the account, so that an event applied twice or left out shows. */
const booked = (streamId: string, version: number): ArrivedEvent => ({
  ...{ type: 'Booked', schemaVersion: 1, streamId, version },
  ...{ data: { minor: String(version) }, metadata: {}, text: '' },
});

/** A writer that has read the versions and rows, and writes only once the other one is done. */
function overtakenBy(other: () => Promise<unknown>): pg.Pool {
  const pool = world.admin;
  let isOvertaken = false;
  const connect = async (): Promise<pg.PoolClient> => {
    if (!isOvertaken) {
      isOvertaken = true;
      await other();
    }
    return pool.connect();
  };
  return { query: pool.query.bind(pool), connect } as unknown as pg.Pool;
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
    const slower = overtakenBy(() => applyEvents(world.admin, set, events(before + 2)));
    expect(await applyEvents(slower, set, events(before + 1))).toMatchObject({
      ...{ kind: 'applied', applied: 0, ignored: before + 1 },
    });
    const sum = ((before + 2) * (before + 3)) / 2;
    expect(await balanceOf(account)).toBe(String(sum));
  });

  it('the slower one adds what it alone has', async () => {
    const all = [1, 2, 3].map((version) => booked('ahead', version));
    const slower = overtakenBy(() => applyEvents(world.admin, set, all.slice(0, 1)));
    expect(await applyEvents(slower, set, all)).toMatchObject({ applied: 2, ignored: 1 });
    expect(await balanceOf('ahead')).toBe('6');
  });

  it('the one with the older checkpoint takes none back', async () => {
    const further = () => applyEvents(world.admin, set, [], { checkpoints: [checkpoint('10')] });
    const checkpoints = [checkpoint('9')];
    await applyEvents(overtakenBy(further), set, [booked('noted', 1)], { checkpoints });
    expect(await checkpointsOf(world.admin, SCHEMA, set.id)).toEqual([checkpoint('10')]);
    await noteCheckpoints(world.admin, set, [checkpoint('11')]);
    expect(await checkpointsOf(world.admin, SCHEMA, set.id)).toEqual([checkpoint('11')]);
  });
});
