import { describe, expect, it } from '@jest/globals';
import { type CardChecks, checkedPair, everyCheck } from '@sluice/contracts';
import { assessPayment, RULES_AFTERWARDS_MAX } from './afterwards.js';
import { assess } from './assess.js';
import { facts, MERCHANT, placed, rule, counted } from './risk-fixture.js';
import { readRuleSet } from './rule-form.js';
import type { PlacedRules } from './rules.js';

const NONE = counted({ count: 0, minor: 0n });
const EVERY_PAYMENT = { amount: { above: '0.01', currency: 'EUR' } };

/** What a payment leads to with these checks. */
function decided(nodes: readonly PlacedRules[], checks: CardChecks) {
  const before = assessPayment(nodes, facts(), NONE);
  expect(before).toMatchObject(assess(nodes, facts(), NONE));
  const pair = checkedPair(checks);
  return before.afterwards?.find(({ pairs }) => pairs.includes(pair)) ?? before;
}

const address = rule({ checks: { avs: ['N', 'none'] } }, { id: 'address' });
const code = rule({ checks: { cvv: ['N'] } }, { id: 'code', then: 'review' });

describe('rules about what the issuer found', () => {
  it('say nothing before the issuer was asked', () => {
    const before = assess([placed([address, code])], facts(), NONE);
    expect(before).toMatchObject({ decision: 'accept', fired: [] });
  });

  it('decide by address and security code, with the codes of each', () => {
    const nodes = [placed([address, code])];
    expect(decided(nodes, { avsResponse: 'N', cvvResponse: 'M' })).toMatchObject({
      ...{ decision: 'reject', resultCode: '800.400.100', fired: [{ id: 'address' }] },
    });
    expect(decided(nodes, {})).toMatchObject({ decision: 'reject' });
    expect(decided(nodes, { avsResponse: 'F', cvvResponse: 'N' })).toMatchObject({
      ...{ decision: 'review', resultCode: '000.400.020', fired: [{ id: 'code' }] },
    });
    expect(decided(nodes, { avsResponse: 'F', cvvResponse: 'M' }).decision).toBe('accept');
    const reviewed = [placed([rule({ checks: { avs: ['N'] } }, { then: 'review' })])];
    expect(decided(reviewed, { avsResponse: 'N' }).resultCode).toBe('000.400.010');
    const refused = [placed([rule({ checks: { cvv: ['N'] } })])];
    expect(decided(refused, { cvvResponse: 'N' }).resultCode).toBe('800.100.153');
  });

  it('hold only where both are as they say, if they name both', () => {
    const nodes = [placed([rule({ checks: { avs: ['N'], cvv: ['N', 'U'] } })])];
    expect(decided(nodes, { avsResponse: 'N', cvvResponse: 'U' }).decision).toBe('reject');
    expect(decided(nodes, { avsResponse: 'N', cvvResponse: 'M' }).decision).toBe('accept');
  });

  it('may be expressions, with everything else that is known', () => {
    const when = {
      expression: {
        and: [{ '==': [{ var: 'avsResponse' }, 'N'] }, { '>': [{ var: 'amountMinor' }, 9000] }],
      },
    };
    const nodes = [placed([rule(when)])];
    expect(decided(nodes, { avsResponse: 'N' })).toMatchObject({
      ...{ decision: 'reject', resultCode: '100.380.100' },
    });
    const small = facts({}, { amount: { minor: '100', currency: 'EUR' } });
    expect(assessPayment(nodes, small, NONE).afterwards).toBeUndefined();
  });

  it('leave payouts alone: the money would be gone before they speak', () => {
    const whoeverIsMissed = { expression: { missing: ['cvvResponse'] } };
    const nodes = [placed([address, code, rule(whoeverIsMissed, { id: 'missed' })])];
    const payout = facts({}, { operation: 'credit' });
    expect(assessPayment(nodes, payout, NONE)).toEqual({ decision: 'accept', score: 0, fired: [] });
    const large = placed([rule(EVERY_PAYMENT, { id: 'large' }), address]);
    expect(assessPayment([large], payout, NONE)).toMatchObject({
      ...{ decision: 'reject', fired: [{ id: 'large' }] },
    });
  });

  it('add to the score of those before, over all nodes', () => {
    const nodes = [
      placed([rule(EVERY_PAYMENT, { then: undefined, score: 30 })], { reviewFrom: 60 }),
      placed([rule({ checks: { avs: ['N'] } }, { then: undefined, score: 40 })], {}, MERCHANT),
    ];
    expect(decided(nodes, { avsResponse: 'N' })).toMatchObject({
      ...{ decision: 'review', score: 70, resultCode: '000.400.000' },
    });
    expect(decided(nodes, { avsResponse: 'F' })).toMatchObject({ decision: 'accept', score: 30 });
  });

  it('never undo what was decided before', () => {
    const looked = rule(EVERY_PAYMENT, { id: 'look', then: 'review', resultCode: '000.400.090' });
    const match = rule({ checks: { avs: ['F'] } }, { id: 'match', then: 'accept', score: -5 });
    const nodes = [placed([looked, match])];
    expect(decided(nodes, { avsResponse: 'F' })).toMatchObject({
      ...{ decision: 'review', resultCode: '000.400.090' },
    });
    const scored = [
      placed([looked, rule({ checks: { avs: ['F'] } }, { then: undefined, score: 5 })]),
    ];
    expect(decided(scored, { avsResponse: 'F' })).toMatchObject({
      ...{ decision: 'review', resultCode: '000.400.090', score: 5 },
    });
  });

  it('are not applied where a rule above, or beside them, accepts', () => {
    const friend = rule(EVERY_PAYMENT, { id: 'friend', then: 'accept' });
    const strict = placed([rule({ checks: { avs: ['N'] } })]);
    for (const nodes of [
      [strict, placed([friend], {}, MERCHANT)],
      [placed([friend, rule({ checks: { avs: ['N'] } })])],
    ]) {
      expect(decided(nodes, { avsResponse: 'N' }).decision).toBe('accept');
    }
  });

  it('are not asked for what is rejected, nor where there are none', () => {
    const refused = [placed([rule(EVERY_PAYMENT), address])];
    for (const nodes of [refused, [placed([rule(EVERY_PAYMENT, { then: 'review' })])]]) {
      expect(assessPayment(nodes, facts(), NONE).afterwards).toBeUndefined();
    }
  });

  it('are said by pairs, each in one place at most', () => {
    const nodes = [placed([address, code])];
    const { afterwards = [] } = assessPayment(nodes, facts(), NONE);
    const pairs = afterwards.flatMap((each) => each.pairs);
    expect(new Set(pairs).size).toBe(pairs.length);
    const every = everyCheck.map(checkedPair);
    expect(new Set(every).size).toBe(36);
    expect(every).toEqual(expect.arrayContaining(pairs));
  });

  it.each<[string, object, string]>([
    ['nothing to look at', { checks: {} }, 'needs "avs" or "cvv"'],
    [
      'a word that no acquirer says',
      { checks: { avs: ['X'] } },
      'must be one of A, Z, N, U, F, none',
    ],
    ['one twice', { checks: { cvv: ['N', 'N'] } }, 'has one twice'],
    [
      'all that there is',
      { checks: { cvv: ['M', 'N', 'P', 'S', 'U', 'none'] } },
      'must be a list of 1 to 5 entries',
    ],
  ])('are refused with a sentence: %s', (_, when, sentence) => {
    expect(() => readRuleSet({ rules: [rule(when)] })).toThrow(sentence);
  });

  it('are refused where they come too late to do what they say', () => {
    for (const when of [{ checks: { avs: ['N'] } }, { expression: { missing: ['avsResponse'] } }]) {
      expect(() => readRuleSet({ rules: [rule(when, { then: 'challenge' })] })).toThrow(
        'cannot challenge',
      );
    }
  });

  it('have codes of their own, which other rules have not', () => {
    const own = { resultCode: '800.100.192' };
    expect(() => readRuleSet({ rules: [rule({ checks: { cvv: ['N'] } }, own)] })).not.toThrow();
    expect(() => readRuleSet({ rules: [rule(EVERY_PAYMENT, own)] })).toThrow('is no result code');
  });

  it('are few, because each is looked at for every answer of an issuer', () => {
    const many = Array.from({ length: RULES_AFTERWARDS_MAX + 1 }, (_, at) =>
      rule({ checks: { cvv: ['N'] } }, { id: `r${String(at)}` }),
    );
    expect(() => readRuleSet({ rules: many })).toThrow('at most 20');
    expect(() => readRuleSet({ rules: many.slice(1) })).not.toThrow();
  });
});
