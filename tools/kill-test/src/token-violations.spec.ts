import { describe, expect, it } from '@jest/globals';
import type { Attempt, MerchantRequest, Outcome, RecordedTransaction } from './records.js';
import { tokenViolations } from './token-violations.js';

const APPROVED = '000.100.110';
const USED = '800.110.100';
const FORCED = '800.100.152';
const lost: Attempt = { kind: 'indefinite', why: 'reset' };
const notSent: Attempt = { kind: 'notSent' };
const answer = (code: string): Attempt => ({ kind: 'answered', status: 200, code });

/** A payment with a token as both sides have it; recorded, if it is, with that outcome. */
type Paid = readonly [MerchantRequest, RecordedTransaction | undefined];

const paid = (
  id: string,
  attempts: readonly Attempt[],
  outcome?: Outcome,
  said: Partial<MerchantRequest> = {},
): Paid => [
  {
    ...{ reference: `ref-${id}`, operation: 'DB', currency: 'EUR', instrument: 'applePay' },
    ...{ attempts, ...said },
  },
  outcome && { id, streamId: id, reference: `ref-${id}`, operation: 'debit', outcome },
];
const one = paid('one', [answer(APPROVED)], 'approved');
/** With the token of the first one. */
const again = (attempts: readonly Attempt[], outcome?: Outcome): Paid =>
  paid('two', attempts, outcome, { tokenOf: 'ref-one' });
const rulesOf = (...all: readonly Paid[]): readonly string[] =>
  tokenViolations(
    all.map(([request]) => request),
    all.flatMap(([, transaction]) => transaction ?? []),
  ).map(({ rule }) => rule);

describe('the token of a wallet is used once', () => {
  it.each<[string, readonly Paid[]]>([
    ['by its only payment', [one]],
    ['by the first of two', [one, again([answer(USED)], 'rejected')]],
    ['by the second of two', [paid('one', [answer(USED)]), again([answer(APPROVED)], 'approved')]],
    ['by one whose answer was lost', [paid('one', [lost]), again([answer(USED)])]],
    ['by a request that was repeated', [paid('one', [lost, answer(APPROVED)], 'approved')]],
    ['by a declined payment', [paid('one', [answer(FORCED)], 'declined', { forcedCode: FORCED })]],
    [
      'by one whose vault was away, which has used it all the same',
      [paid('one', [answer('800.800.800')]), again([answer(USED)])],
    ],
    ['by one that came too late', [paid('one', [answer('100.150.203')], 'notPerformed')]],
    [
      'by others than what refers to them',
      [one, paid('back', [answer(USED)], 'rejected', { refersTo: 'ref-one' })],
    ],
  ])('%s', (_, all) => {
    expect(rulesOf(...all)).toEqual([]);
  });

  it.each<[string, readonly Paid[]]>([
    ['token used twice', [one, again([answer(APPROVED)], 'approved')]],
    ['token used twice', [one, again([lost], 'unknown')]],
    ['token refused', [paid('one', [answer(USED)], 'rejected')]],
    ['token refused', [paid('one', [lost, answer(USED)], 'rejected')]],
    ['token refused', [paid('one', [answer('200.100.603')])]],
    ['token refused', [one, again([answer('200.100.603')])]],
    ['token used by nobody', [paid('one', [answer(USED)]), again([answer(USED)])]],
    ['token used by nobody', [paid('one', [notSent]), again([answer(USED)])]],
  ])('or it is found: %s', (rule, all) => {
    expect(rulesOf(...all)).toEqual([rule]);
  });
});
