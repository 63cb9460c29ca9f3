import { describe, expect, it } from '@jest/globals';
import type { LinkedTransactionsQuery, RecordedTransactionsQuery } from '@sluice/contracts';
import { type Queries, QueryUnavailable } from '@sluice/messaging';
import type { LiveRows, ReadTableSet, RowProgress } from '@sluice/projections';
import type { CounterSeries } from '@sluice/service';
import type { Pool } from 'pg';
import { type Owner, RecordedOwner } from './recorded-owners.js';
import { TransactionQueries } from './transaction-queries.js';

const byReference = {
  ...{ entityId: 'e'.repeat(32), by: { merchantTransactionId: 'order-4711' } },
  ...{ limit: 100, pageNo: 1, includeLinked: false },
} as RecordedTransactionsQuery;
const byTime = { ...byReference, by: { fromMs: 1, toMs: 2 } } as RecordedTransactionsQuery;

const ALL = ['payments', 'registrations', 'scheduling'] as const satisfies readonly Owner[];

/** Owners whose rows are current or as they are told, and who are away if they are told so. */
function world(differences: Partial<Record<Owner, 'late' | 'away'>> = {}) {
  const told = {
    payments: 'current',
    registrations: 'current',
    scheduling: 'current',
    ...differences,
  };
  const asked: string[] = [];
  const searched: string[] = [];
  let behind = 0;
  const queries: Queries = {
    ask: async <Answer>(service: string, query: string): Promise<Answer> => {
      asked.push(query);
      if (told[service as Owner] === 'away') throw new QueryUnavailable(query, 'noService');
      if (query.endsWith('referenceHeads')) return { heads: [], more: false } as Answer;
      const parameters = { merchantTransactionId: 'order-4711' };
      const id = service === 'payments' ? 'a' : 'b';
      return { transactions: [{ id, parameters }], total: 1 } as Answer;
    },
  };
  const rowsOf = (owner: Owner) => {
    const live: ReadTableSet = { id: 1, table: `t.${owner}`, selectedAs: '*' };
    const isThere = () => Promise.resolve(told[owner] === 'current');
    const hasAll = () =>
      told[owner] === 'away'
        ? Promise.reject(new QueryUnavailable('streamHeads', 'noService'))
        : isThere();
    const progress = { has: isThere, hasAll } as unknown as RowProgress;
    const rows = { read: (work: Parameters<LiveRows['read']>[0]) => work(live, progress) };
    return { rows: rows as LiveRows, owner: new RecordedOwner(queries, owner) };
  };
  const pool = {
    query: ({ text }: { text: string }) => {
      searched.push(text);
      return Promise.resolve({ rows: [] });
    },
  } as unknown as Pool;
  const counter = { add: () => (behind += 1) } as unknown as CounterSeries;
  const transactions = new TransactionQueries({
    ...{ pool, owned: [rowsOf('payments'), rowsOf('registrations'), rowsOf('scheduling')] },
    ...{ behind: { merchantTransactionId: counter, time: counter }, waitMs: 1 },
  });
  const tables = () => ALL.filter((owner) => searched[0]?.includes(`t.${owner}`));
  return { transactions, asked, searched, tables, behind: () => behind };
}

describe('which rows a query reads', () => {
  it.each([
    [undefined, ALL],
    [['debit', 'update', 'reschedule'], ALL],
    [
      ['debit', 'update'],
      ['payments', 'registrations'],
    ],
    [['debit'], ['payments']],
    [['registration', 'deletion'], ['registrations']],
    [['schedule', 'deschedule'], ['scheduling']],
    [[], ['payments']],
  ] as const)('of types %j: those of %j', async (operations, tables) => {
    const made = world();
    const filter = operations === undefined ? {} : { operations };
    await made.transactions.transactions({ ...byReference, ...filter });
    expect(made.tables()).toEqual(tables);
    // Scheduling does not find its streams so: its rows are waited for.
    const asked = tables.filter((owner) => owner !== 'scheduling');
    expect(made.asked).toEqual(asked.map((owner) => `${owner}.referenceHeads`));
    expect(made.behind()).toBe(0);
    // What is linked with them may be another's.
    const linking = world();
    await linking.transactions.transactions({ ...byReference, ...filter, includeLinked: true });
    expect(linking.tables()).toEqual(ALL);
  });
});

describe("a query by the merchant's own id", () => {
  it.each(['payments', 'registrations'] as const)(
    'is answered from all streams where the rows of %s are late',
    async (late) => {
      const made = world({ [late]: 'late' });
      const found = await made.transactions.transactions(byReference);
      expect(found.transactions.map(({ id }) => id)).toEqual(['b', 'a']);
      expect(found.total).toBe(2);
      expect(made.behind()).toBe(1);
    },
  );

  it.each(['registrations', 'scheduling'] as const)(
    'is behind, and answered, where %s is away',
    async (owner) => {
      const made = world({ [owner]: 'away' });
      expect(await made.transactions.transactions(byReference)).toMatchObject({ isBehind: true });
      const late = world({ payments: 'late', registrations: 'away', [owner]: 'away' });
      const found = await late.transactions.transactions(byReference);
      expect(found).toMatchObject({ transactions: [{ id: 'a' }], isBehind: true });
    },
  );

  it('is behind where the rows of scheduling are late, and says so beside streams, too', async () => {
    const late = world({ scheduling: 'late' });
    expect(await late.transactions.transactions(byReference)).toMatchObject({ isBehind: true });
    const both = world({ payments: 'late', scheduling: 'late' });
    const found = await both.transactions.transactions(byReference);
    expect(found.transactions.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(found.isBehind).toBe(true);
  });

  it('is behind where streams alone know it, which have no look at what is linked', async () => {
    const made = world({ registrations: 'late' });
    const linking = { ...byReference, includeLinked: true };
    expect(await made.transactions.transactions(linking)).toMatchObject({ isBehind: true });
  });

  it('needs payments', async () => {
    const made = world({ payments: 'away' });
    await expect(made.transactions.transactions(byReference)).rejects.toThrow(QueryUnavailable);
  });
});

describe('a query by time', () => {
  it.each([
    [{}, undefined],
    [{ payments: 'late' }, true],
    [{ registrations: 'away' }, true],
    [{ scheduling: 'away' }, true],
  ] as const)('with %j is behind: %s', async (told, isBehind) => {
    const made = world(told);
    expect((await made.transactions.transactions(byTime)).isBehind).toBe(isBehind);
    expect(made.tables()).toEqual(ALL);
  });
});

describe('a query for what is linked with one', () => {
  const query = { entityId: byReference.entityId, transactionId: 'a'.repeat(32) } as const;
  const asked = { ...query, limit: 100, offset: 0 } as LinkedTransactionsQuery;

  it.each([
    [{}, undefined],
    [{ payments: 'late' }, true],
    [{ registrations: 'away' }, true],
    [{ scheduling: 'away' }, true],
  ] as const)('with %j looks at the rows of all and is behind: %s', async (told, isBehind) => {
    const made = world(told);
    expect((await made.transactions.linked(asked)).isBehind).toBe(isBehind);
    expect(made.tables()).toEqual(ALL);
    expect(made.behind()).toBe(isBehind ? 1 : 0);
  });

  it('counts alone where a page has no room for any', async () => {
    const made = world();
    expect(await made.transactions.linked({ ...asked, limit: 0 })).toEqual({
      ...{ transactions: [], total: 0 },
    });
    expect(made.searched).toHaveLength(1);
  });
});
