import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TransactionId } from '@sluice/identifiers';
import {
  compareTableSets,
  dropTableSet,
  fillTableSet,
  listTableSets,
  rollBackTableSet,
  type RebuildProgress,
  switchTableSet,
  TableSetRefused,
} from '@sluice/projections';
import { newTransactionId } from '@sluice/identifiers';
import { eventually, ReportingWorld } from '../test/reporting-fixture.js';
import { paymentEvents } from '../test/payment-streams-fixture.js';
import { transactions } from './projections/transactions.projection.js';

let world: ReportingWorld;

beforeAll(async () => {
  world = await ReportingWorld.make();
}, 60_000);
afterAll(() => world.close());

const compare = (left: number, right: number, patienceMs = 10_000) =>
  compareTableSets({ ...comparison(), left, right, patienceMs });
const comparison = () => ({
  url: world.database.ownerUrl,
  schema: 'reporting',
  projection: transactions,
});

/** Payments that go on while something else happens; what the topic lost is not published. */
class Load {
  #isOn = true;
  readonly ids: TransactionId[] = [];
  readonly #done: Promise<void>;

  constructor() {
    this.#done = this.#run();
  }

  async stop(): Promise<readonly TransactionId[]> {
    this.#isOn = false;
    await this.#done;
    return this.ids;
  }

  async #run(): Promise<void> {
    for (let count = 0; this.#isOn; count += 1) {
      const { id, messages } = await world.payments.pay({ captured: count % 3 === 0 });
      this.ids.push(id);
      // One in ten is published late, in the other order, and twice.
      await world.publish(messages.slice(0, 1));
      if (count % 10 === 0) await world.publish([...messages].reverse());
      await world.publish(messages.slice(1));
    }
  }
}

describe('a rebuild (R-REP-01)', () => {
  it('of 50,000 events takes less than 60 s, and twice makes the same content', async () => {
    await world.payments.payMany(25_000);
    const steps: RebuildProgress[] = [];
    const first = await fillTableSet({
      ...world.rebuildOptions,
      chunkEvents: 9_999,
      onProgress: (progress) => steps.push(progress),
    });
    expect(first).toMatchObject({ events: 50_000, rows: 25_000, setAside: 0 });
    expect(first.durationMs).toBeLessThan(60_000);
    expect(steps.at(-1)).toMatchObject({ events: 50_000, rows: 25_000 });
    expect(steps.map(({ events }) => events)).toEqual(
      steps.map(({ events }) => events).sort((left, right) => left - right),
    );
    const second = await world.rebuild();
    expect(await world.count(second.tableSet)).toBe(25_000);
    expect(await world.rows(second.tableSet)).toEqual(await world.rows(first.tableSet));
    const { rows } = await world.admin.query<{ parameters: string }>(
      `SELECT parameters FROM reporting.transactions_${first.tableSet} LIMIT 1`,
    );
    expect(JSON.parse(rows[0]!.parameters)).toMatchObject({ memo: 'a\tb"c\\' });
    for (const { tableSet } of [first, second]) await drop(tableSet);
  }, 120_000);

  it('that is given up leaves nothing behind', async () => {
    const before = await tables();
    const given = new AbortController();
    const rebuild = fillTableSet({
      ...world.rebuildOptions,
      chunkEvents: 1_000,
      signal: given.signal,
      onProgress: () => {
        given.abort();
      },
    });
    await expect(rebuild).rejects.toThrow(/abort/i);
    expect(await tables()).toEqual(before);
  });

  it('sets a stream aside that cannot be folded, and fills the others', async () => {
    const id = newTransactionId(Date.now());
    await world.payments.record(id, [{ type: 'TransactionApproved', data: { transactionId: id } }]);
    const { tableSet, setAside, events } = await world.rebuild();
    expect([setAside, events]).toEqual([1, 50_001]);
    const { rows } = await world.admin.query(
      'SELECT stream_id, version FROM reporting.parked WHERE table_set = $1',
      [tableSet],
    );
    expect(rows).toEqual([{ stream_id: id, version: 1 }]);
    await drop(tableSet);
    await world.admin.query('DELETE FROM payments.events WHERE stream_id = $1', [id]);
    await world.admin.query('DELETE FROM payments.streams WHERE stream_id = $1', [id]);
  });
});

describe('a rebuild while payments go on', () => {
  it('meets the live table set without a difference, is switched to and rolled back, and loses nothing', async () => {
    // The live set is empty as yet: it has the history from the comparison of heads.
    const { tableSet: whole } = await world.rebuild();
    await switchTableSet(options(), whole);
    await drop(1);
    await world.start({ compareHeadsMs: 100 });
    const load = new Load();
    const { tableSet } = await world.rebuild(5_000);
    const found = await compare(whole, tableSet, 60_000);
    expect(found).toMatchObject({ differences: 0, examples: [] });
    expect(found.streamsCompared).toBeGreaterThanOrEqual(25_000);
    expect(await switchTableSet(options(), tableSet)).toEqual({ live: tableSet, previous: whole });
    await someMore(load);
    expect(await rollBackTableSet(options())).toEqual({ live: whole, previous: tableSet });
    await someMore(load);
    const ids = await load.stop();
    const newest = ids.at(-1)!;
    await eventually(async () => (await world.find(newest))[0]?.status === 'approved');
    expect(await compare(whole, tableSet)).toMatchObject({ differences: 0 });
    const { rows } = await world.admin.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM reporting.transactions_${whole}
       WHERE replace(transaction_id::text, '-', '') = ANY ($1)`,
      [ids],
    );
    expect(rows[0]?.count).toBe(ids.length);
  }, 120_000);

  it('finds a row that somebody has changed, by its key and both sides', async () => {
    const [left, right] = (await sets()).map(({ id }) => id) as [number, number];
    const { rows } = await world.admin.query<{ id: string }>(
      `UPDATE reporting.transactions_${right} SET amount_minor = 1 WHERE transaction_id =
         (SELECT max(transaction_id::text)::uuid FROM reporting.transactions_${right})
       RETURNING replace(transaction_id::text, '-', '') AS id`,
    );
    const missing = await world.admin.query(
      `DELETE FROM reporting.transactions_${left} WHERE transaction_id =
         (SELECT min(transaction_id::text)::uuid FROM reporting.transactions_${left})`,
    );
    expect(missing.rowCount).toBe(1);
    const { differences, examples } = await compare(left, right);
    expect(differences).toBe(2);
    const changed = examples.find(({ key }) => key === rows[0]?.id);
    expect(changed).toMatchObject({ kind: 'rows', right: { amountMinor: '1' } });
    expect(changed?.left?.['amountMinor']).not.toBe('1');
    expect(examples.find((each) => each.left === undefined)?.right).toBeDefined();
  });

  it('finds a stream that one side never got', async () => {
    const [left, right] = (await sets()).map(({ id }) => id) as [number, number];
    await world.stop();
    const id = newTransactionId(Date.now());
    await world.payments.record(id, paymentEvents(id));
    const { tableSet } = await world.rebuild();
    const { differences, examples } = await compare(left, tableSet, 200);
    expect(examples.filter(({ kind }) => kind === 'version')).toMatchObject([{ streamId: id }]);
    expect(differences).toBeGreaterThanOrEqual(1);
    await drop(tableSet);
    expect((await sets()).map((set) => set.id)).toEqual([left, right]);
  });
});

describe('a table set', () => {
  it('is switched to only when it is complete, and dropped only when it is not read', async () => {
    const live = (await sets()).find(({ state }) => state === 'live')?.id ?? 0;
    const previous = (await sets()).find(({ state }) => state === 'previous')?.id ?? 0;
    await expect(switchTableSet(options(), previous)).rejects.toThrow(TableSetRefused);
    await expect(switchTableSet(options(), 4_711)).rejects.toThrow('not there');
    await expect(drop(live)).rejects.toThrow('is live');
    await expect(drop(4_711)).rejects.toThrow('no table set');
    await drop(previous);
    await expect(rollBackTableSet(options())).rejects.toThrow(TableSetRefused);
    expect(await sets()).toMatchObject([{ id: live, state: 'live' }]);
  });
});

function options() {
  return { target: world.rebuildOptions.target, projection: transactions };
}

function drop(id: number): Promise<void> {
  return dropTableSet(options(), id);
}

function sets() {
  return listTableSets(world.admin, 'reporting', 'transactions');
}

async function someMore(load: Load): Promise<void> {
  const before = load.ids.length;
  await eventually(async () => load.ids.length > before + 20);
}

async function tables(): Promise<readonly string[]> {
  const { rows } = await world.admin.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'reporting' ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}
