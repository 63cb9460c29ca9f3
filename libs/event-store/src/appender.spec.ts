import { describe, expect, it } from '@jest/globals';
import { type AppendResult, StoreBusy } from './append-member.js';
import { Appender } from './appender.js';
import { type Database, DatabaseFailure } from './database.js';
import type { IdempotencyKeys } from './idempotency.js';
import { newMember } from './store-fixture.js';

/** What becomes of one append whose statements meet so many conflicts, and how many were sent. */
async function appendAfter(conflicts: number) {
  let statements = 0;
  const database = {
    execute: ({ name }: { name: string }) => {
      // Alone it only tries; what stands in its way the statement for many has to say.
      if (name.startsWith('append alone')) return Promise.resolve([]);
      statements += 1;
      if (statements > conflicts) return Promise.resolve([['a']]);
      return Promise.reject(new DatabaseFailure('conflict', new Error('deadlock detected')));
    },
  } as unknown as Database;
  const where = { schema: 'ledger', publishes: false, hasShards: false };
  const appender = new Appender(database, {} as IdempotencyKeys, () => 0, where);
  const member = newMember();
  const result = new Promise<AppendResult>((resolve, reject) => {
    const { streamId } = member;
    const waiting = { streamId, idempotencyKey: undefined, bytes: 1, inDoubt: false };
    const patience = { patientUntilMs: 1, inDoubtUntilMs: 1 };
    void appender.run([{ ...waiting, ...patience, member, resolve, reject }]);
  });
  const outcome = await result.catch((error: unknown) => error);
  return { outcome, statements };
}

describe('an append that meets conflicts without a clear answer', () => {
  it('is repeated five times', async () => {
    const { outcome, statements } = await appendAfter(5);
    expect(outcome).toEqual({ kind: 'appended', version: 1 });
    expect(statements).toBe(6);
  });

  it('is told after the sixth that the store is busy', async () => {
    const { outcome, statements } = await appendAfter(6);
    expect(outcome).toEqual(new StoreBusy('contention'));
    expect(statements).toBe(6);
  });
});
