import { describe, expect, it } from '@jest/globals';
import { agreementViolations } from './agreement-violations.js';
import type { MerchantRequest, Outcome, RecordedTransaction } from './records.js';

const APPROVED = '000.100.110';
const BROKEN = '600.200.501';
/** A payment as both sides have it. */
type Paid = readonly [MerchantRequest, RecordedTransaction | undefined];

const paid = (id: string, outcome: Outcome, code: string, said: Partial<MerchantRequest>): Paid => [
  {
    ...{ reference: `ref-${id}`, operation: 'DB', currency: 'EUR' },
    attempts: [{ kind: 'answered', status: 200, code, id }],
    ...said,
  },
  {
    ...{ id, streamId: id, reference: `ref-${id}`, operation: 'debit', outcome },
    resultCode: code,
  },
];
const first = (authorizationsMax?: number): Paid =>
  paid('first', 'approved', APPROVED, {
    begins: authorizationsMax === undefined ? {} : { authorizationsMax },
  });
const later = (id: string, outcome: Outcome = 'approved', code = APPROVED, more = {}): Paid =>
  paid(id, outcome, code, { continues: 'ref-first', ...more });
const reversalOf = (referencedId: string): Paid => {
  const [request, transaction] = paid('back', 'approved', APPROVED, { operation: 'RV' });
  return [request, transaction && { ...transaction, operation: 'reversal', referencedId }];
};
const rulesOf = (...all: readonly Paid[]): readonly string[] =>
  agreementViolations(
    all.map(([request]) => request),
    all.flatMap(([, transaction]) => transaction ?? []),
  ).map(({ rule }) => rule);

describe('an agreement holds', () => {
  it.each<[string, readonly Paid[]]>([
    ['whose later payments are approved', [first(), later('a'), later('b')]],
    ['that is used up: its terms refuse', [first(2), later('a'), later('b', 'rejected', BROKEN)]],
    [
      'that was used up while an outcome was open',
      [first(2), later('a', 'notPerformed', '900.100.310'), later('b', 'rejected', BROKEN)],
    ],
    [
      'of which one was reversed, and another took its place',
      [first(2), later('a'), reversalOf('a'), later('b')],
    ],
    [
      'of which one was declined as the simulator was told',
      [first(), later('a', 'declined', '800.100.152', { forcedCode: '800.100.152' })],
    ],
    ['of which one came too late', [first(), later('a', 'rejected', '900.100.310')]],
    ['of which one met a busy gateway', [first(), later('a', 'approved', '800.600.100')]],
  ])('%s', (_name, all) => {
    expect(rulesOf(...all)).toEqual([]);
  });
});

describe('an agreement does not hold', () => {
  it.each<[string, string, readonly Paid[]]>([
    ['agreed and refused', 'without terms', [first(), later('a', 'rejected', BROKEN)]],
    ['agreed and refused', 'with room', [first(3), later('a'), later('b', 'rejected', BROKEN)]],
    [
      'agreed and refused',
      'with another code than that of its terms',
      [first(2), later('a'), later('b', 'rejected', '200.300.404')],
    ],
    ['agreed and refused', 'declined by nobody', [first(), later('a', 'declined', '800.100.152')]],
    [
      'agreed and refused',
      'with nothing recorded',
      [first(), [later('a', 'rejected', '200.300.404')[0], undefined]],
    ],
    ['more than agreed', 'and all of them approved', [first(2), later('a'), later('b')]],
  ])('%s, %s', (rule, _name, all) => {
    expect(rulesOf(...all)).toEqual([rule]);
  });
});
