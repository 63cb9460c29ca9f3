import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Message } from '@sluice/contracts';
import { newMessageId } from '@sluice/identifiers';
import { ensureTableSet, FedProjections, type Projection } from '@sluice/projections';
import { createPool, ensureRolesAndSchema, noMetrics, type ServiceDatabase } from '@sluice/service';
import { balances, Ledger } from '../test/ledger-fixture.js';
import { eventually, Log, ReportingWorld } from '../test/reporting-fixture.js';
import { transactions } from './projections/transactions.projection.js';
import { replayedEvents } from './reporting-metrics.js';

const SCHEMA = 'reporting';

let world: ReportingWorld;
let ledger: Ledger;
let ledgerDatabase: ServiceDatabase;
let fed: FedProjections;
let pool: ReturnType<typeof createPool>;
let log: Log;

beforeAll(async () => {
  world = await ReportingWorld.make();
  ({ ledger: ledgerDatabase } = await ensureRolesAndSchema(world.testDatabase.url, ['ledger']));
  await Ledger.migrate(ledgerDatabase);
  ledger = new Ledger(ledgerDatabase);
  const { appRole, ownerUrl: url } = world.database;
  await ensureTableSet({ url, schema: SCHEMA, appRole }, balances);
}, 60_000);
afterAll(async () => {
  await ledger.close();
  await world.close();
});

/** The list of a service with one projection more; nothing else is different. */
beforeEach(async () => {
  Object.assign(ledger, { isAway: false, isClosed: false });
  log = new Log();
  pool = createPool(world.database.appUrl, {
    ...{ service: 'reporting', schema: SCHEMA, connectionsMax: 8 },
    onError: () => undefined,
  });
  const { appRole, ownerUrl: url } = world.database;
  fed = new FedProjections({
    service: 'reporting',
    ...{ pool, schema: SCHEMA, projections: [transactions, balances], events: world.bus.events },
    queries: ledger.queriesBeside(world.payments.queries),
    ...{ logger: log.logger, pollIntervalMs: 20, compareHeadsMs: 50, retryDelaysMs: [5, 5] },
    replayed: ({ name }) => noMetrics.counter(replayedEvents).of({ projection: name }),
    rebuild: {
      target: { url, schema: SCHEMA, appRole },
      sources: { ledger: { url: ledgerDatabase.appUrl, schema: 'ledger' } },
    },
  });
  await fed.start();
});
afterEach(async () => {
  await fed.close();
  await pool.end();
});

const publish = (messages: readonly Message[]) =>
  world.bus.events.publish(balances.topic, messages);

/** What queries would read of a projection now. */
async function liveRows(projection: Projection): Promise<readonly Record<string, string>[]> {
  return fed.of(projection).rows.read(async ({ table, selectedAs }) => {
    const text = `SELECT ${selectedAs} FROM ${table} ORDER BY 1`;
    return (await pool.query<Record<string, string>>(text)).rows;
  });
}

async function balanceOf(account: string): Promise<string | undefined> {
  return (await liveRows(balances)).find((row) => row['account'] === account)?.['minor'];
}

describe('projections of two services', () => {
  it('are each made of their own topic', async () => {
    const { id, messages } = await world.payments.pay();
    await world.publish(messages);
    await publish(await ledger.book('cash', '500'));
    await publish(await ledger.book('cash', '-120'));
    expect(await balanceOf('cash')).toBe('380');
    expect(await liveRows(transactions)).toMatchObject([{ transactionId: id }]);
  });

  it('get what their topic has lost from its own owner', async () => {
    await ledger.book('till', '1');
    await publish(await ledger.book('till', '2'));
    expect(await balanceOf('till')).toBe('3');
    await ledger.book('till', '4');
    await eventually(async () => (await balanceOf('till')) === '7');
  });

  it('do not wait for each other when one owner is away', async () => {
    ledger.isAway = true;
    const told = 'Rows cannot be compared with ledger now; published events still arrive.';
    await eventually(() => Promise.resolve(log.count(told) === 1));
    const { id } = await world.payments.pay();
    await eventually(async () =>
      (await liveRows(transactions)).some((row) => row['transactionId'] === id),
    );
    expect(log.count(/compared with payments/)).toBe(0);
  });

  it('say nothing while an owner starts or stops', async () => {
    ledger.isClosed = true;
    const before = ledger.refusals;
    // The first of them may have come before, and the second comes after what would be told of it.
    await eventually(() => Promise.resolve(ledger.refusals > before + 2));
    expect(log.count(/compared with ledger/)).toBe(0);
  });

  it('take names for ids of streams where the column of the projection does', async () => {
    const [entry] = await ledger.book('petty-cash', '5');
    const named = (streamId: string): Message => ({
      ...entry!,
      id: newMessageId(Date.now()),
      data: { ...(entry!.data as object), streamId },
    });
    const { messages } = await world.payments.pay();
    await publish([named('two words'), named(''), entry!]);
    await world.publish([named('petty-cash'), ...messages]);
    expect(await balanceOf('petty-cash')).toBe('5');
    expect(log.count('A message that is not an event of ledger was skipped.')).toBe(2);
    expect(log.count('A message that is not an event of payments was skipped.')).toBe(1);
  });

  it('are rebuilt from the store of their own owner', async () => {
    await publish(await ledger.book('vault', '9'));
    await world.admin.query(
      `UPDATE ${SCHEMA}.table_sets SET version = 0 WHERE projection = 'balances'`,
    );
    await eventually(() => Promise.resolve(log.count('Queries read the rebuilt tables.') === 1));
    expect(log.count('The tables are rebuilt from the events of ledger.')).toBe(1);
    await eventually(async () => (await balanceOf('vault')) === '9');
    expect((await world.states()).map(([, , state]) => state)).toEqual(['live']);
  });
});
