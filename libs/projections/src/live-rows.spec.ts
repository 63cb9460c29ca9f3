import { describe, expect, it } from '@jest/globals';
import { eventTable } from '@sluice/contracts';
import type { ReadTableSet } from './bookkeeping.js';
import { LiveRows } from './live-rows.js';
import type { RowProgressParts } from './row-progress.js';

const tableSet = (id: number): ReadTableSet => ({ id, table: `s.counting_${id}`, selectedAs: '*' });

/** What is live, and what is found live by each further look. */
function rowsOf(live: ReadTableSet | undefined, ...found: (ReadTableSet | undefined)[]) {
  const tables = {
    live,
    looks: 0,
    refresh(): Promise<void> {
      tables.live = found[tables.looks];
      tables.looks += 1;
      return Promise.resolve();
    },
  };
  return { tables, rows: new LiveRows(tables, parts) };
}

const parts = {
  schema: 's',
  projection: {
    ...{ name: 'counting', version: 1, owner: 'counting', topic: 'counted.v1', key: 'streamId' },
    columns: { streamId: { type: 'text' } },
    ...{ indexes: [], events: eventTable({}), readsMetadataOf: [] },
    keyOf: ({ streamId }) => streamId,
    fold: (_row, { streamId }) => ({ streamId }),
  },
} satisfies Partial<RowProgressParts> as unknown as RowProgressParts;

describe('rows that are read', () => {
  it('are those of the live table set, and no further look is needed', async () => {
    const { tables, rows } = rowsOf(tableSet(1));
    expect(await rows.read(({ id }) => Promise.resolve(id))).toBe(1);
    expect(tables.looks).toBe(0);
  });

  it('are looked for where none were live, and are an error where there are none', async () => {
    expect(await rowsOf(undefined, tableSet(2)).rows.read(({ id }) => Promise.resolve(id))).toBe(2);
    const nowhere = rowsOf(undefined, undefined).rows.read(() => Promise.resolve());
    await expect(nowhere).rejects.toThrow('No table set can be read.');
  });

  it('are read again from what is live now when their tables have just been dropped', async () => {
    const { rows } = rowsOf(tableSet(1), tableSet(2));
    const gone = Object.assign(new Error('no such table'), { code: '42P01' });
    const read = rows.read(({ id }) => (id === 1 ? Promise.reject(gone) : Promise.resolve(id)));
    expect(await read).toBe(2);
  });

  it('are not read again for any other reason', async () => {
    const { tables, rows } = rowsOf(tableSet(1), tableSet(2));
    await expect(rows.read(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(tables.looks).toBe(0);
  });

  it('keep their progress as long as the table set is live', async () => {
    const { tables, rows } = rowsOf(tableSet(1), tableSet(2));
    const progress = () => rows.read((_live, of) => Promise.resolve(of));
    const first = await progress();
    expect(await progress()).toBe(first);
    await tables.refresh();
    expect(await progress()).not.toBe(first);
  });
});
