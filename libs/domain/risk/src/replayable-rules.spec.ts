import { describe, expect, it } from '@jest/globals';
import { assess } from './assess.js';
import { factsAsKept, keptFacts, type Mark } from './kept-facts.js';
import { replayableRules } from './replayable-rules.js';
import { CHANNEL, counted, facts, placed, rule } from './risk-fixture.js';

const mark: Mark = (of, value) => `${of}-${[...value].reverse().join('')}`;
const asked = facts({
  ...{ 'customer.merchantCustomerId': '4711', 'customer.ip': '192.0.2.17, 198.51.100.7' },
});
const kept = keptFacts(asked, [CHANNEL], mark);

/** Whether a rule still rejects the payment when it sees what is kept. */
function rejects(when: object, key: Mark | undefined = mark): string {
  const { rules, leftOut } = replayableRules(placed([rule(when)]), key);
  const nodes = [{ nodeId: CHANNEL, ...rules }];
  const [reason] = leftOut.map((each) => each.reason);
  return reason ?? assess(nodes, factsAsKept(kept, asked), counted()).decision;
}

describe('what is kept of a payment', () => {
  it('names no person', () => {
    const text = JSON.stringify(kept);
    for (const value of ['jane', 'shop.example', '192.0.2', '198.51', '4711"', '"f1"']) {
      expect(text.toLowerCase()).not.toContain(value);
    }
    expect(kept).toMatchObject({ bin: '420000', issuerCountry: 'DE', payer: { card: 'card-1f' } });
    expect(kept).not.toHaveProperty('parameters');
  });
});

describe('a rule over what is kept', () => {
  it.each<[string, object]>([
    ['a list of cards', { list: { by: 'card', values: ['f1'] } }],
    ['a list of addresses', { list: { by: 'email', values: ['jane@shop.example'] } }],
    ['a list of domains', { list: { by: 'emailDomain', values: ['shop.example'] } }],
    ['a list of customers', { list: { by: 'customer', values: ['4710', '4711'] } }],
    ['a list of addresses of the Internet', { list: { by: 'ip', values: ['192.0.2.17'] } }],
    ['one that names an address behind it', { list: { by: 'ip', values: ['198.51.100.7'] } }],
    ['a list of ranges of cards', { list: { by: 'bin', values: ['420000'] } }],
    ['a list of countries', { list: { by: 'country', values: ['DE'] } }],
    ['an amount', { amount: { above: '91.99', currency: 'EUR' } }],
    ['an expression', { expression: { '>': [{ var: 'amountMinor' }, 1] } }],
    ['what is missing', { expression: { missing: ['device', 'shippingCountry'] } }],
  ])('holds as it did: %s', (_, when) => {
    expect(rejects(when)).toBe('reject');
  });

  it('does not hold for another', () => {
    expect(rejects({ list: { by: 'email', values: ['joe@shop.example'] } })).toBe('accept');
    expect(rejects({ list: { by: 'ip', values: ['198.51.100.8'] } })).toBe('accept');
    expect(rejects({ expression: { '!!': [{ missing: ['email'] }] } })).toBe('accept');
  });

  it.each<[object, string]>([
    [{ list: { by: 'ipRange', values: ['192.0.2.0/24'] } }, 'marks, which are in no range'],
    [{ history: { by: 'card', had: 'payments', atMost: 0 } }, 'what payers had done by then'],
    [{ checks: { avs: ['N'] } }, 'what the issuer found'],
    [{ expression: { '==': [{ var: 'avsResponse' }, 'N'] } }, 'looks at avsResponse, which'],
    [{ expression: { '==': [{ var: 'email' }, 'x'] } }, 'looks at email, which'],
    [{ expression: { '==': [{ var: ['parameters.a', 1] }, 'x'] } }, 'looks at parameters.a'],
    [{ expression: { missing: ['parameters.a'] } }, 'looks at parameters.a'],
  ])('is left out where it sees what is not kept: %j', (when, reason) => {
    expect(rejects(when)).toContain(reason);
  });

  it('is left out where nobody has the key of the marks', () => {
    const { leftOut } = replayableRules(
      placed([rule({ list: { by: 'card', values: ['f1'] } })]),
      undefined,
    );
    expect(leftOut).toEqual([{ id: 'a-rule', reason: 'card is kept as marks, which need a key' }]);
  });
});
