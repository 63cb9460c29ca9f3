import { describe, expect, it } from '@jest/globals';
import type { TransactionOutcome } from '@sluice/contracts';
import { newTransactionId } from '@sluice/identifiers';
import { DUPLICATE_WAIT_MS, outcomeOfFirst } from './idempotency.js';

const outcome: TransactionOutcome = {
  id: newTransactionId(Date.UTC(2026, 0, 15)),
  operation: 'debit',
  status: 'requested',
  resultCode: '000.200.000',
};

/** Looks until the first request has ended; by a clock on which each look takes so long. */
async function waitFor({ lookMs, endsAtMs }: { lookMs: number; endsAtMs: number }) {
  let nowMs = 0;
  const found = await outcomeOfFirst({
    look: async () => {
      nowMs += lookMs;
      return nowMs >= endsAtMs ? { ...outcome, status: 'approved' } : outcome;
    },
    waitMs: DUPLICATE_WAIT_MS,
    clock: { monotonicMs: () => nowMs },
    // Time passes while it looks, and a test waits for nothing else.
    delays: { wait: async () => undefined, ended: false },
  });
  return { status: found?.status, waitedMs: nowMs };
}

describe('a duplicate of a running request', () => {
  it('waits 30 s for its outcome, as is promised (D-36)', async () => {
    expect(await waitFor({ lookMs: 9_999, endsAtMs: 29_997 })).toEqual({
      status: 'approved',
      waitedMs: 29_997,
    });
  });
  it('and no longer', async () => {
    expect(await waitFor({ lookMs: 10_000, endsAtMs: 40_000 })).toEqual({
      status: undefined,
      waitedMs: 30_000,
    });
  });
});
