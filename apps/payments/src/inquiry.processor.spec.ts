import { describe, expect, it } from '@jest/globals';
import type { Logger } from '@sluice/service';
import { Connectors } from './connectors.js';
import { InquiryProcessor, type SweeperParts } from './inquiry.processor.js';

const LEASE_MS = 60_000;

/** A sweeper, and how often it has looked for what is due. */
function sweeper() {
  const clock = { monotonicMs: 1_000, steppedForwardAtMs: Number.NEGATIVE_INFINITY };
  const looks: number[] = [];
  const parts = {
    store: {
      claimDueStreams: () => {
        looks.push(clock.monotonicMs);
        return Promise.resolve([]);
      },
    },
    connectors: new Connectors([], 1),
    schedule: { leaseMs: LEASE_MS },
    limits: { pollIntervalMs: 1_000, concurrencyMax: 1, claimLeaseMs: LEASE_MS },
    clock: {
      now: () => 0,
      monotonicMs: () => clock.monotonicMs,
      get steppedForwardAtMs() {
        return clock.steppedForwardAtMs;
      },
    },
    logger: {} as Logger,
  };
  return { clock, looks, processor: new InquiryProcessor(parts as unknown as SweeperParts) };
}

describe("the database's clock was set forward", () => {
  it('nothing is looked at for a lease: nobody knows how old a request is', async () => {
    const { clock, looks, processor } = sweeper();
    await processor.sweepOnce();
    expect(looks).toEqual([1_000]);
    clock.steppedForwardAtMs = 1_000;
    for (const afterMs of [0, 1, LEASE_MS - 1]) {
      clock.monotonicMs = 1_000 + afterMs;
      await processor.sweepOnce();
    }
    expect(looks).toEqual([1_000]);
    clock.monotonicMs = 1_000 + LEASE_MS;
    await processor.sweepOnce();
    expect(looks).toEqual([1_000, 1_000 + LEASE_MS]);
  });
});
