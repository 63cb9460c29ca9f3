import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { HeldDetailRows } from './held-detail-rows.js';

const SEALED = { dataKeyId: 'key-1', nonce: Buffer.alloc(12), ciphertext: Buffer.alloc(40) };

/** A database that records statements and answers when it is told to. */
class ScriptedDatabase {
  readonly statements: { name: string; values: unknown[] }[] = [];
  down = false;
  hold: Promise<void> = Promise.resolve();

  readonly pool = {
    query: async (statement: { name: string; values: unknown[] }) => {
      this.statements.push(statement);
      await this.hold;
      if (this.down) throw new Error('database is down');
      return { rows: [], rowCount: 0 };
    },
  } as unknown as Pool;

  get names(): string[] {
    return this.statements.map(({ name }) => name);
  }
}

function rowsOn(database: ScriptedDatabase): HeldDetailRows {
  return new HeldDetailRows(database.pool, { lifetimeMs: 60_000, writeAfterMs: 1_000_000 });
}

describe('a card in memory alone', () => {
  it('that is forgotten in time is never written', async () => {
    const database = new ScriptedDatabase();
    const rows = rowsOn(database);
    await rows.insert('vault-0.a', SEALED);
    await rows.delete('vault-0.a');
    await rows.writeNow();
    expect(database.names).toEqual([]);
  });

  it('that was revealed for the last time is never written', async () => {
    const database = new ScriptedDatabase();
    const rows = rowsOn(database);
    await rows.insert('vault-0.a', SEALED);
    expect(rows.leaveUnwritten('vault-0.a')).toBe(true);
    await rows.writeNow();
    expect(database.names).toEqual([]);
  });

  it('may have a row, and says so, once it is written', async () => {
    const rows = rowsOn(new ScriptedDatabase());
    await rows.insert('vault-0.a', SEALED);
    await rows.writeNow();
    expect(rows.leaveUnwritten('vault-0.a')).toBe(false);
  });

  it('that is held longer is written, and then deleted by a statement', async () => {
    const database = new ScriptedDatabase();
    const rows = rowsOn(database);
    await rows.insert('vault-0.a', SEALED);
    await rows.insert('vault-0.b', SEALED);
    await rows.writeNow();
    await rows.delete('vault-0.a');
    expect(new Set(database.names.slice(0, -1))).toEqual(new Set(['hold']));
    expect(database.names.at(-1)).toBe('forget');
    expect(database.statements.at(-1)?.values).toEqual([['vault-0.a']]);
  });

  it('is refused when too many wait', async () => {
    const rows = rowsOn(new ScriptedDatabase());
    for (let card = 0; card < 10_000; card += 1) await rows.insert(`vault-0.${card}`, SEALED);
    await expect(rows.insert('vault-0.more', SEALED)).rejects.toThrow('The vault is busy.');
  });
});

describe('a card whose row is being written', () => {
  it('and that is forgotten meanwhile is deleted by a later statement, never by the same', async () => {
    const database = new ScriptedDatabase();
    const rows = rowsOn(database);
    let release = (): void => undefined;
    database.hold = new Promise((resolve) => (release = resolve));
    await rows.insert('vault-0.a', SEALED);
    const writing = rows.writeNow();
    const deleting = rows.delete('vault-0.a');
    release();
    await Promise.all([writing, deleting]);
    expect(database.names).toEqual(['hold', 'forget']);
  });

  it('and that is forgotten while it queues behind another is not written at all', async () => {
    const database = new ScriptedDatabase();
    const rows = rowsOn(database);
    let release = (): void => undefined;
    database.hold = new Promise((resolve) => (release = resolve));
    await rows.insert('vault-0.a', SEALED);
    const first = rows.writeNow();
    await rows.insert('vault-0.b', SEALED);
    const second = rows.writeNow();
    const deleting = rows.delete('vault-0.b');
    release();
    await Promise.all([first, second, deleting]);
    expect(database.names).toEqual(['hold']);
  });

  it('is tried again when the database was down, unless it was forgotten', async () => {
    const database = new ScriptedDatabase();
    const rows = rowsOn(database);
    database.down = true;
    await rows.insert('vault-0.kept', SEALED);
    await rows.insert('vault-0.forgotten', SEALED);
    const writing = rows.writeNow();
    const deleting = rows.delete('vault-0.forgotten');
    await expect(writing).rejects.toThrow('database is down');
    await deleting.catch(() => undefined);
    database.down = false;
    database.statements.length = 0;
    await rows.writeNow();
    expect(database.statements.flatMap(({ values }) => values[0])).toEqual(['vault-0.kept']);
  });
});

describe('a database that is away for a while', () => {
  it('is reported at each failed write, and when the rows are written after all', async () => {
    const database = new ScriptedDatabase();
    database.down = true;
    const heard: string[] = [];
    const written = new Promise<void>((resolve) => {
      const rows = new HeldDetailRows(database.pool, {
        lifetimeMs: 60_000,
        writeAfterMs: 2,
        onWriteFailed: () => {
          heard.push('failed');
          database.down = heard.length < 3;
        },
        onWritten: () => {
          heard.push('written');
          resolve();
        },
      });
      void rows.insert('vault-0.a', SEALED);
    });
    await written;
    expect(heard).toEqual(['failed', 'failed', 'failed', 'written']);
  });

  it('is over too when it answers and no card is left to write', async () => {
    const database = new ScriptedDatabase();
    const heard: string[] = [];
    const rows = new HeldDetailRows(database.pool, {
      lifetimeMs: 60_000,
      writeAfterMs: 1_000_000,
      onWritten: () => heard.push('written'),
    });
    await rows.insert('vault-0.a', SEALED);
    await rows.sweepExpired(1);
    expect(heard).toEqual([]);
    await rows.delete('vault-0.a');
    await rows.sweepExpired(1);
    expect(heard).toEqual(['written']);
  });
});
