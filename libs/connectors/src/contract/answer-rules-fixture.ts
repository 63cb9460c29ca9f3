import { expect } from '@jest/globals';
import type { ContractBench, ContractRule } from './contract-bench-fixture.js';

const CONNECTIONS = 4;
/** Enough for every connection to be used again and again. */
const REQUESTS = 60;

/** No answer counts for another request than its own (D-26). */
export const answerRules: readonly ContractRule[] = [
  rememberedAnswer('a "not found"', (bench) =>
    bench.inquire(bench.subject.approved().request.acquirerReference),
  ),
  rememberedAnswer('an approval', (bench) => bench.submit(bench.subject.approved())),
  rememberedAnswer('a refusal', (bench) => bench.submit(bench.subject.refused())),
  {
    name: 'an answer to another request closes its connection',
    isOfHttp: true,
    check: async (bench) => {
      const narrow = bench.another(1);
      const submit = () => bench.submit(bench.subject.approved(), {}, narrow);
      expect(await submit()).toMatchObject({ kind: 'approved' });
      bench.proxy.mode = 'replay';
      expect(await submit()).toMatchObject({ kind: 'unknown' });
      bench.proxy.mode = 'forward';
      expect(await submit()).toMatchObject({ kind: 'approved' });
      const [mismatched, next] = bench.proxy.requests.slice(-2);
      expect(next?.connection).not.toBe(mismatched?.connection);
    },
  },
  {
    name: 'an answer that comes late shifts nothing: every outcome is the acquirer’s own',
    isOfHttp: true,
    check: async (bench) => {
      const requests = Array.from({ length: REQUESTS }, () => bench.subject.approved());
      await bench.approvedOne();
      bench.proxy.mode = 'repeat';
      let unknown = 0;
      for (let index = 0; index < REQUESTS; index += CONNECTIONS) {
        await Promise.all(
          requests.slice(index, index + CONNECTIONS).map(async (submission) => {
            const outcome = await bench.submit(submission);
            const { acquirerReference } = submission.request;
            if (outcome.kind === 'unknown') unknown += 1;
            else if (bench.connector.capabilities.canInquire) {
              const found = await bench.inquire(acquirerReference);
              expect(found).toMatchObject({ kind: 'found', outcome });
            }
          }),
        );
      }
      expect(bench.proxy.isShifted).toBe(true);
      // One got the foreign answer, and its connection was given up before it could do more harm.
      expect(unknown).toBeLessThanOrEqual(1);
    },
  },
];

/** An answer of the acquirer's own, given again to whoever asks something else. */
function rememberedAnswer(
  what: string,
  ask: (bench: ContractBench) => Promise<unknown>,
): ContractRule {
  return {
    name: `${what} about another reference is no answer`,
    check: async (bench) => {
      const { reference } = await bench.approvedOne();
      await ask(bench);
      bench.proxy.mode = 'replay';
      await bench.expectUnavailable(reference);
      expect(await bench.submit(bench.subject.approved())).toMatchObject({ kind: 'unknown' });
    },
  };
}
