import { describe, expect, it } from '@jest/globals';
import { EXPRESSION_DEPTH_MAX } from './expressions.js';
import { rule } from './risk-fixture.js';
import { readRuleSet, RULES_MAX } from './rule-form.js';

const amount = { amount: { above: '1.00', currency: 'EUR' } };
const refusal = (file: unknown): string => {
  try {
    readRuleSet(file);
    return 'taken';
  } catch (error) {
    return (error as Error).message;
  }
};
const ofRule = (changes: object) => refusal({ rules: [rule(amount, changes)] });
const ofCondition = (when: object) => refusal({ rules: [rule(when)] });
const deep = (depth: number): object =>
  depth === 0 ? { var: 'amountMinor' } : { '!': [deep(depth - 1)] };

describe('a file of rules', () => {
  it('may be empty, which takes all rules away', () => {
    expect(readRuleSet({})).toEqual({ rules: [] });
    expect(readRuleSet({ rules: [] })).toEqual({ rules: [] });
  });

  it('is read with times, amounts and instants as numbers', () => {
    const velocity = { by: 'ip', within: '7d', atMostSum: '10.00', currency: 'JPY' };
    const list = { by: 'bin', values: ['420000', { value: '511111', until: '2027-01-01' }] };
    const rules = [rule({ velocity }), rule({ list }, { id: 'other', then: 'accept' })];
    expect(readRuleSet({ rules, releaseAfter: '90m' })).toMatchObject({
      releaseAfterMinutes: 90,
      rules: [
        { when: { withinMinutes: 10_080, atMostSum: { minor: '10', currency: 'JPY' } } },
        { when: { values: [{ value: '420000' }, { untilMs: Date.UTC(2027, 0, 1) }] } },
      ],
    });
  });

  it.each<[unknown, string]>([
    [[], 'the file must be an object'],
    [{ rule: [] }, 'the file has no member "rule"; it may have rules, scorer, reviewFrom'],
    [{ rules: Array(RULES_MAX + 1).fill(rule(amount)) }, 'rules must be a list of 1 to 200'],
    [{ rules: [rule(amount), rule(amount)] }, 'rules[1].id is given twice'],
    [{ rejectFrom: 0 }, 'rejectFrom must be a whole number from 1 to 1000'],
    [{ releaseAfter: '31d' }, 'releaseAfter must be a time such as 30m, 1h or 7d, of at most 30d'],
  ])('is refused: %j', (file, reason) => {
    expect(refusal(file)).toContain(reason);
  });

  it.each<[object, string]>([
    [{ id: 'A' }, 'rules[0].id must be 1 to 40 small letters'],
    [{ name: '' }, 'rules[0].name must be a text of 1 to 200'],
    [{ name: 'a\nb' }, 'rules[0].name must be a text of 1 to 200'],
    [{ then: 'block' }, 'rules[0].then must be one of accept, challenge, review, reject'],
    [{ then: undefined }, 'rules[0] does nothing: it needs "then" or "score"'],
    [{ score: 1.5 }, 'rules[0].score must be a whole number'],
    [
      { resultCode: '000.100.110' },
      'rules[0].resultCode is no result code with which risk rejects',
    ],
    [{ resultCode: '800.300.999' }, 'rules[0].resultCode is no result code'],
    [{ resultCode: '100.400.500' }, 'rules[0].resultCode is no result code'],
    [{ then: 'challenge', resultCode: '800.300.401' }, 'is of a rule that rejects or reviews'],
    [{ __proto__: { a: 1 }, when: [] }, 'rules[0].when must be an object'],
  ])('has a rule that is refused: %j', (changes, reason) => {
    expect(ofRule(changes)).toContain(reason);
  });

  it.each<[object, string]>([
    [{}, 'when needs exactly one of amount, velocity, history, list'],
    [{ ...amount, expression: {} }, 'when needs exactly one of'],
    [{ amount: { currency: 'EUR' } }, 'when.amount needs "above" or "below"'],
    [{ amount: { above: '1.00' } }, 'when.amount needs "currency"'],
    [{ amount: { above: '1.00', currency: 'XXX' } }, 'currency must be a currency such as EUR'],
    [{ amount: { above: '1,00', currency: 'EUR' } }, 'above must be an amount of EUR'],
    [{ amount: { above: 1, currency: 'EUR' } }, 'above must be a text'],
    [{ velocity: { by: 'card', within: '1h' } }, 'velocity needs "atMost" or "atMostSum"'],
    [{ velocity: { by: 'iban', within: '1h', atMost: 1 } }, 'by must be one of card, email, ip'],
    [{ velocity: { by: 'card', within: '60', atMost: 1 } }, 'within must be a time such as 30m'],
    [{ velocity: { by: 'card', within: '31d', atMost: 1 } }, 'of at most 30d'],
    [
      { velocity: { by: 'card', counts: 'refunded', within: '1h', atMost: 1 } },
      'all, passed, approved, declined',
    ],
    [{ list: { by: 'bin', values: [] } }, 'values must be a list of 1 to 10000 entries'],
    [{ list: { by: 'bin', values: ['42'] } }, 'values[0] must be the first six digits'],
    [{ list: { by: 'country', values: ['de'] } }, 'values[0] must be a country such as DE'],
    [
      { list: { by: 'ipRange', values: ['10.0.0.0/33'] } },
      'values[0] must be an address or a range',
    ],
    [
      { list: { by: 'ipRange', values: ['10.0.0.256'] } },
      'values[0] must be an address or a range',
    ],
    [{ list: { by: 'email', values: ['jane'] } }, 'values[0] must be an e-mail address'],
    [{ list: { by: 'bin', values: [{ value: '420000', until: 'soon' }] } }, 'until must be a day'],
    [{ countriesDiffer: ['issuer', 'issuer'] }, 'countriesDiffer must name two of issuer'],
    [{ timeOfDay: { from: '24:00', until: '06:00', timeZone: 'UTC' } }, 'from must be a time of'],
    [{ timeOfDay: { from: '22:00', until: '06:00', timeZone: 'Mars' } }, 'must be a zone such as'],
    [{ expression: 'x' }, 'expression must be an object'],
    [{ expression: { map: [[1], { var: '' }] } }, 'expression has no operator "map"'],
    [{ expression: { '==': [{ constructor: 1 }, 1] } }, 'expression has no operator "constructor"'],
    [
      { expression: { '!': [{ var: 'parameters.customer.email' }] } },
      'knows nothing of the name "parameters.customer.email"; there are amountMinor',
    ],
    [{ expression: { '!': [{ var: 'amount' }] } }, 'knows nothing of the name "amount"'],
    [{ expression: { '!': [{ var: ['parameters', 1] }] } }, 'of the name "parameters"'],
    [{ expression: { '!': [{ var: { cat: ['b', 'in'] } }] } }, 'of the name {"cat"'],
    [{ expression: { missing: ['bin', 'bank'] } }, 'of the name "bank"'],
    [{ expression: { '+': Array(101).fill(1) } }, 'expression must have at most 100 parts'],
    [
      { history: { by: 'card', had: 'refunds', atMost: 1 } },
      'payments, approved, declined, chargedBack',
    ],
    [{ history: { by: 'card', had: 'approved' } }, 'needs "atLeast" or "atMost"'],
    [{ history: { by: 'card', had: 'approved', atLeast: 0 } }, 'a whole number from 1'],
    [{ history: { by: 'card', had: 'approved', atLeast: 3, atMost: 2 } }, 'a whole number from 3'],
    [{ expression: deep(EXPRESSION_DEPTH_MAX) }, 'expression must have at most 100 parts, 10 deep'],
  ])('has a condition that is refused: %j', (when, reason) => {
    expect(ofCondition(when)).toContain(reason);
  });
});
