import { expect } from '@jest/globals';
import { currency, parseAmount } from '@sluice/money';
import type { ContractRule } from './contract-bench-fixture.js';
import { contractAmounts } from './contract-subject-fixture.js';

/** Told to a connector that ignores them; none of this may leave. */
const DIRECTIVES = {
  forceResultCode: '800.100.155',
  'simulator.fault': 'drop-after',
  'simulator.avs': 'F',
};

/** What goes on the wire, and what does not. */
export const requestRules: readonly ContractRule[] = [
  {
    name: 'amounts are on the wire as in the golden table (R-MON-06)',
    check: async (bench) => {
      for (const amount of contractAmounts) {
        const bytes = bench.subject.amounts[amount];
        const submission = bench.subject.approved();
        const request = { ...submission.request, amount: amountOf(amount) };
        const [sent, more] = await bench.sentBy(async () => {
          const outcome = await bench.submit({ ...submission, request });
          if (bytes === null) expect(outcome).toMatchObject({ reason: 'unsupported' });
        });
        expect(more).toBeUndefined();
        if (bytes === null) expect({ amount, sent }).toEqual({ amount, sent: undefined });
        else expect(sent).toContain(bytes);
      }
    },
  },
  {
    name: 'test directives change nothing, unless it is the simulator’s',
    check: async (bench) => {
      if (bench.subject.readsTestDirectives === true) return;
      const submission = bench.subject.approved();
      const request = { ...submission.request, testDirectives: DIRECTIVES };
      const [sent] = await bench.sentBy(async () => {
        expect(await bench.submit({ ...submission, request })).toMatchObject({ kind: 'approved' });
      });
      for (const value of [DIRECTIVES.forceResultCode, DIRECTIVES['simulator.fault']]) {
        expect(sent).not.toContain(value);
      }
    },
  },
  {
    name: 'what comes back has nothing of what was paid with',
    check: async (bench) => {
      for (const submission of [bench.subject.approved(), bench.subject.declined()]) {
        const outcome = await bench.submit(submission);
        // Any id may have the three digits of a security code in it.
        const withoutId = { ...outcome, connectorTxId: undefined };
        const { details = {} } = submission.instrument ?? {};
        for (const name of ['card.number', 'card.cvv', 'bankAccount.iban', 'tokenAccount.number']) {
          const text = JSON.stringify(name === 'card.cvv' ? withoutId : outcome);
          const detail = details[name];
          if (detail !== undefined) expect(text).not.toContain(detail.reveal());
        }
      }
    },
  },
];

/** `EUR 92.00`, as the interface reads it. */
function amountOf(text: string) {
  const [code = '', value = ''] = text.split(' ');
  const parsed = parseAmount(value, currency(code));
  if (parsed.kind !== 'amount') throw new Error(`${text} is no amount of the interface`);
  return parsed.amount;
}
