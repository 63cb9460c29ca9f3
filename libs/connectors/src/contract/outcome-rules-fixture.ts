import { expect } from '@jest/globals';
import type { ContractBench, ContractRule } from './contract-bench-fixture.js';

const RESULT_CODE = /^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$/;
const UNKNOWN = { kind: 'unknown' };

/** What each word of an acquirer becomes, and each way in which its word is lost (D-24 to D-28). */
export const outcomeRules: readonly ContractRule[] = [
  {
    name: 'an approval names the transaction of the acquirer, and is found again',
    check: async (bench) => {
      const { reference, connectorTxId } = await bench.approvedOne();
      expect(connectorTxId).not.toBe('');
      await expectFound(bench, reference, { kind: 'approved', connectorTxId });
    },
  },
  {
    name: 'a decline has a result code, and is found again',
    check: async (bench) => {
      const declined = bench.subject.declined();
      const outcome = await bench.submit(declined);
      expect(outcome).toMatchObject({
        kind: 'declined',
        resultCode: expect.stringMatching(RESULT_CODE),
      });
      await expectFound(bench, declined.request.acquirerReference, outcome);
    },
  },
  {
    name: 'what is to be decided later is pending',
    check: async (bench) => {
      const pending = bench.subject.pending?.();
      if (pending === undefined) return;
      expect(await bench.submit(pending)).toMatchObject({ kind: 'pending' });
      await expectFound(bench, pending.request.acquirerReference, {});
    },
  },
  {
    name: 'where a shopper has to go is passed on, with what is loaded before, and found again',
    check: async (bench) => {
      const redirected = bench.subject.redirected?.();
      if (redirected === undefined) return;
      const way = { url: expect.stringMatching(/^https?:/), method: expect.any(String) };
      const before = { ...way, origin: 'iframe#hidden', waitUntil: 'iframe#load' };
      const outcome = await bench.submit(redirected);
      expect(outcome).toMatchObject({
        kind: 'pending',
        redirect: { ...way, preconditions: [before] },
      });
      await expectFound(bench, redirected.request.acquirerReference, {});
    },
  },
  {
    name: 'what the acquirer does not take is not performed, and not booked',
    check: async (bench) => {
      const refused = bench.subject.refused();
      const outcome = await bench.submit(refused);
      expect(outcome).toEqual({ kind: 'notPerformed', reason: 'refused' });
      expect(await bench.subject.bookings(refused.request.acquirerReference)).toBe(0);
    },
  },
  {
    name: 'what was never sent is not found',
    check: async (bench) => {
      const { canInquire, canReverse } = bench.connector.capabilities;
      const { acquirerReference } = bench.subject.approved().request;
      if (canInquire) expect(await bench.inquire(acquirerReference)).toEqual({ kind: 'notFound' });
      if (canReverse) expect(await bench.reverse(acquirerReference)).toEqual({ kind: 'notFound' });
    },
  },
  {
    name: 'an acquirer that cannot be reached has performed nothing, and says nothing',
    check: async (bench) => {
      await bench.proxy.close();
      const submission = bench.subject.approved();
      const outcome = await bench.submit(submission);
      expect(outcome).toEqual({ kind: 'notPerformed', reason: 'notReachable' });
      await bench.expectUnavailable(submission.request.acquirerReference);
    },
  },
  {
    name: 'a server error is unknown, whatever its body says',
    isOfHttp: true,
    check: async (bench) => {
      for (const submission of [bench.subject.approved(), bench.subject.declined()]) {
        bench.proxy.mode = 'fail';
        expect(await bench.submit(submission)).toEqual({ kind: 'unknown', reason: 'serverError' });
        await bench.expectUnavailable(submission.request.acquirerReference);
      }
    },
  },
  foreignPage('a web page in the place of an answer is unknown', 'page'),
  foreignPage('a page that says "not found" is unknown, and finds nothing out', 'missing'),
  {
    name: 'half an answer is unknown',
    check: async (bench) => {
      bench.proxy.mode = 'cut';
      const submission = bench.subject.approved();
      expect(await bench.submit(submission)).toMatchObject(UNKNOWN);
      await bench.expectUnavailable(submission.request.acquirerReference);
    },
  },
  {
    name: 'a lost answer is unknown, and nothing is sent again',
    check: async (bench) => {
      // The first one leaves a connection behind: on a kept one the temptation is greatest.
      await bench.approvedOne();
      bench.proxy.mode = 'reset';
      const submission = bench.subject.approved();
      const { acquirerReference } = submission.request;
      const sent = await bench.sentBy(async () => {
        const outcome = await bench.submit(submission);
        expect(outcome).toEqual({ kind: 'unknown', reason: 'connectionLost' });
      });
      expect(sent).toHaveLength(1);
      expect(await bench.subject.bookings(acquirerReference)).toBe(1);
      await bench.expectUnavailable(acquirerReference);
    },
  },
];

function foreignPage(name: string, mode: 'page' | 'missing'): ContractRule {
  return {
    name,
    check: async (bench) => {
      bench.proxy.mode = mode;
      const submission = bench.subject.approved();
      const outcome = await bench.submit(submission);
      expect(outcome).toEqual({ kind: 'unknown', reason: 'unreadableAnswer' });
      await bench.expectUnavailable(submission.request.acquirerReference);
    },
  };
}

/** Where the acquirer can be asked, it knows the transaction, and by this outcome. */
async function expectFound(
  bench: ContractBench,
  reference: string,
  outcome: object,
): Promise<void> {
  if (!bench.connector.capabilities.canInquire) return;
  expect(await bench.inquire(reference)).toMatchObject({ kind: 'found', outcome });
}
