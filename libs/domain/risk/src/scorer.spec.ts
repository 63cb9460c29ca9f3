import { describe, expect, it } from '@jest/globals';
import { assess } from './assess.js';
import { counted, facts, MERCHANT, NOON_MS, placed, question, rule } from './risk-fixture.js';
import { readRuleSet } from './rule-form.js';
import type { PlacedRules } from './rules.js';
import { scorerAnswer, type ScorerAnswer, scorerOf, scorerQuestion, withScorer } from './scorer.js';

const use = (changes: object = {}) => ({
  scorer: { name: 'acme', whenAway: 'review', ...changes },
});
const decided = (nodes: readonly PlacedRules[], answer: ScorerAnswer | 'away') =>
  assess(withScorer(nodes, answer), facts(), counted());

describe('what a scorer says', () => {
  it('is added to the score of the rules, by which thresholds decide', () => {
    const scored = rule(
      { amount: { above: '1.00', currency: 'EUR' } },
      { then: undefined, score: 30 },
    );
    const nodes = [placed([scored], { ...use(), rejectFrom: 90 })];
    expect(decided(nodes, { score: 59 })).toMatchObject({ decision: 'accept', score: 89 });
    expect(decided(nodes, { score: 60 })).toMatchObject({
      ...{ decision: 'reject', score: 90, resultCode: '100.380.100' },
      fired: [{ id: 'a-rule' }, { id: 'scorer', name: 'acme', inputs: { plain: { score: '60' } } }],
    });
  });

  it.each<[ScorerAnswer, string, string | undefined]>([
    [{ score: 1, decision: 'accept' }, 'accept', undefined],
    [{ score: 1, decision: 'review' }, 'review', '000.400.090'],
    [{ score: 1, decision: 'reject' }, 'reject', '100.400.020'],
  ])('may be a decision: %j', (answer, decision, code) => {
    const { decision: made, resultCode } = decided([placed([], use())], answer);
    expect([made, resultCode]).toEqual([decision, code]);
  });

  it('overrules no rule where it accepts, and no rule that accepts above it', () => {
    const all = { amount: { above: '0.01', currency: 'EUR' } };
    const strict = [placed([rule(all)], use())];
    expect(decided(strict, { score: 0, decision: 'accept' }).decision).toBe('reject');
    const friendly = [placed([], use()), placed([rule(all, { then: 'accept' })], {}, MERCHANT)];
    expect(decided(friendly, { score: 9, decision: 'reject' }).decision).toBe('accept');
  });

  it.each<['accept' | 'review' | 'reject', string | undefined]>([
    ['accept', undefined],
    ['review', '000.400.080'],
    ['reject', '100.380.501'],
  ])('is what its node says where it is away: %s', (whenAway, code) => {
    const { decision, resultCode, fired } = decided([placed([], use({ whenAway }))], 'away');
    expect([decision, resultCode]).toEqual([whenAway, code]);
    expect(fired).toMatchObject([{ id: 'scorer', inputs: { plain: { away: whenAway } } }]);
  });

  it('is asked for by the nearest node that has one, alone', () => {
    const nodes = [
      placed([]),
      placed([], use({ name: 'near' }), MERCHANT),
      placed([], use({ name: 'far' }), 'f'.repeat(32) as never),
    ];
    expect(scorerOf(nodes)?.name).toBe('near');
    expect(decided(nodes, 'away').fired).toHaveLength(1);
    expect(scorerOf([placed([])])).toBeUndefined();
  });
});

describe('what a scorer is asked', () => {
  const asked = (parameters: Readonly<Record<string, string>>, changes: object = {}) => {
    const query = question(parameters);
    const { scorer } = readRuleSet(use(changes));
    if (scorer === undefined) throw new Error('There is none.');
    return scorerQuestion(query, facts(parameters), scorer);
  };

  it('is what is known, and what was sent, with the defaults of the interface', () => {
    expect(asked({ 'risk.parameters[tier]': 'new' }, { channelId: 'C', serviceId: 'S' })).toEqual({
      id: '01a200455885ed5bf7da20fccea873d4',
      ...{ entityId: '8ac7a4c8700000000000000000000001', mode: 'INTERNAL', operation: 'debit' },
      ...{ channelId: 'C', serviceId: 'S', amount: '92.00', currency: 'EUR', brand: 'VISA' },
      orderTimestamp: new Date(NOON_MS).toISOString().slice(0, 19).replace('T', ' '),
      card: { bin: '420000', last4: '0000', issuerCountry: 'DE' },
      parameters: { tier: 'new' },
      sent: {
        ...{ 'customer.email': 'Jane@Shop.example', 'customer.ip': '192.0.2.17' },
        'billing.country': 'DE',
      },
    });
  });

  it('is what the request says, where it says it', () => {
    const said = {
      ...{ 'risk.channelId': 'other', 'risk.serviceId': 'X', 'risk.amount': '50.00' },
      ...{ 'risk.orderTimestamp': '2026-11-26 08:00:00', 'risk.brand': 'MASTER' },
      ...{ 'risk.merchantWebsite': 'shop.example', 'risk.accountToken': 'T' },
    };
    expect(asked(said, { channelId: 'C' })).toMatchObject({
      ...{ channelId: 'other', serviceId: 'X', amount: '50.00', brand: 'MASTER' },
      ...{ orderTimestamp: '2026-11-26 08:00:00', merchantWebsite: 'shop.example' },
      accountToken: 'T',
    });
  });
});

describe('the answer of a scorer', () => {
  it.each<[unknown, ScorerAnswer | undefined]>([
    [{ score: 83 }, { score: 83 }],
    [
      { score: 0, decision: 'reject', more: 1 },
      { score: 0, decision: 'reject' },
    ],
    [{ score: 1_001 }, undefined],
    [{ score: -1 }, undefined],
    [{ score: 1.5 }, undefined],
    [{ score: '83' }, undefined],
    [{ score: 1, decision: 'maybe' }, undefined],
    [{}, undefined],
    [null, undefined],
    ['83', undefined],
  ])('is read, or is none: %j', (value, answer) => {
    expect(scorerAnswer(value)).toEqual(answer);
  });
});

describe('a file that uses a scorer', () => {
  it.each<[object, string]>([
    [{ scorer: { name: 'acme' } }, 'scorer needs "whenAway"'],
    [{ scorer: { name: 'acme', whenAway: 'challenge' } }, 'must be one of accept, review, reject'],
    [{ scorer: { name: 'acme', whenAway: 'accept', url: 'x' } }, 'has no member "url"'],
    [
      { ...use(), rules: [rule({ proxy: true }, { id: 'scorer' })] },
      'scorer speaks as a rule called scorer',
    ],
  ])('is refused with a sentence: %j', (file, sentence) => {
    expect(() => readRuleSet(file)).toThrow(sentence);
  });
});
