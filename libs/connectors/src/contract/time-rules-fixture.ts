import { expect } from '@jest/globals';
import type { ContractBench, ContractRule } from './contract-bench-fixture.js';

/** Long enough for a byte to leave, and short enough to wait for. */
const SHORT_MS = 200;

/** When a submission may begin, and how long any call may last (D-25). */
export const timeRules: readonly ContractRule[] = [
  {
    name: 'a submission whose time to begin is over is not performed, and nothing of it leaves',
    check: async (bench) => {
      const sent = await bench.sentBy(async () => {
        const beginByMs = performance.now() - 1;
        const outcome = await bench.submit(bench.subject.approved(), { beginByMs });
        expect(outcome).toEqual({ kind: 'notPerformed', reason: 'sendWindowOver' });
      });
      expect(sent).toEqual([]);
    },
  },
  {
    name: 'nor one whose time ends while it waits for a connection that becomes free',
    isOfHttp: true,
    check: async (bench) => {
      const narrow = bench.another(1);
      bench.proxy.mode = 'hold';
      const arrived = bench.proxy.nextRequest();
      const first = bench.submit(bench.subject.approved(), { timeoutMs: 3 * SHORT_MS }, narrow);
      await arrived;
      const late = bench.subject.approved();
      const beginByMs = performance.now() + SHORT_MS;
      const outcome = await bench.submit(late, { beginByMs }, narrow);
      expect(outcome).toEqual({ kind: 'notPerformed', reason: 'sendWindowOver' });
      expect(await first).toMatchObject({ kind: 'unknown' });
      bench.proxy.mode = 'forward';
      const next = await bench.submit(bench.subject.approved(), {}, narrow);
      expect(next).toMatchObject({ kind: 'approved' });
      expect(await bench.subject.bookings(late.request.acquirerReference)).toBe(0);
      expect(bench.proxy.requests).toHaveLength(2);
    },
  },
  slowAnswer('no answer in time is unknown', 'hold'),
  slowAnswer('an answer whose end does not come in time is unknown', 'stall'),
  {
    name: 'a submission that is given up before it is sent is not performed',
    check: async (bench) => {
      const sent = await bench.sentBy(async () => {
        const signal = AbortSignal.abort();
        const outcome = await bench.submit(bench.subject.approved(), { signal });
        expect(outcome).toEqual({ kind: 'notPerformed', reason: 'givenUpBeforeSending' });
      });
      expect(sent).toEqual([]);
    },
  },
  {
    name: 'a submission that is given up after it was sent is unknown, and over',
    check: async (bench) => {
      const controller = new AbortController();
      const outcome = await interrupted(bench, controller.signal, () => controller.abort());
      expect(outcome).toEqual({ kind: 'unknown', reason: 'timeout' });
    },
  },
  {
    name: 'what is under way when the connector is closed is unknown, and over',
    check: async (bench) => {
      const { signal } = new AbortController();
      const outcome = await interrupted(bench, signal, () => void bench.connector.close());
      expect(outcome).toMatchObject({ kind: 'unknown' });
    },
  },
];

function slowAnswer(name: string, mode: 'hold' | 'stall'): ContractRule {
  return {
    name,
    check: async (bench) => {
      // Leaves a connection behind, so that connecting takes none of the time.
      const { reference } = await bench.approvedOne();
      bench.proxy.mode = mode;
      const outcome = await bench.submit(bench.subject.approved(), { timeoutMs: SHORT_MS });
      expect(outcome).toEqual({ kind: 'unknown', reason: 'timeout' });
      await bench.expectUnavailable(reference, SHORT_MS);
    },
  };
}

/** The outcome of a submission that the acquirer has and does not answer, once `end` was called. */
async function interrupted(bench: ContractBench, signal: AbortSignal, end: () => void) {
  bench.proxy.mode = 'hold';
  const arrived = bench.proxy.nextRequest();
  const outcome = bench.submit(bench.subject.approved(), { signal, timeoutMs: 10 * SHORT_MS });
  await arrived;
  const endedMs = performance.now();
  end();
  const result = await outcome;
  expect(performance.now() - endedMs).toBeLessThan(5 * SHORT_MS);
  return result;
}
