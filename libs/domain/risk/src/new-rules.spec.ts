import { describe, expect, it } from '@jest/globals';
import { readNewRuleSet } from './new-rules.js';
import { rule } from './risk-fixture.js';
import { readRuleSet } from './rule-form.js';

const refusal = (file: unknown): string => {
  try {
    readNewRuleSet(file);
    return 'taken';
  } catch (error) {
    return (error as Error).message;
  }
};
const listed = (by: string, value: unknown) =>
  refusal({ rules: [rule({ list: { by, values: [value] } })] });
const expressed = (expression: object) => refusal({ rules: [rule({ expression })] });
const CARD = '4111111111111111';

describe('rules that somebody wants to set', () => {
  it.each<[string, string, object]>([
    ['rules[0].when.list.values[0]', 'a list', rule({ list: { by: 'card', values: [CARD] } })],
    [
      'rules[0].when.list.values[0].value',
      'a list with ends',
      rule({ list: { by: 'customer', values: [{ value: CARD, until: '2031-05-04' }] } }),
    ],
    ['rules[0].name', 'a name', rule({ proxy: true }, { name: 'Card 4111 1111 1111 1111' })],
    [
      'rules[0].when.expression.==[1]',
      'an expression',
      rule({ expression: { '==': [{ var: 'customer' }, CARD] } }),
    ],
    [
      'rules[0].when.expression.==[1]',
      'a number',
      rule({ expression: { '==': [{ var: 'customer' }, Number(CARD)] } }),
    ],
    ['rules[0]', "a member's name", rule({ proxy: true }, { [CARD]: 1 })],
    ['rules[0].name', 'an IBAN', rule({ proxy: true }, { name: 'Of DE89370400440532013000' })],
  ])('have no number of an account: %s, %s', (place, _, made) => {
    const told = refusal({ rules: [made] });
    expect(told).toContain(`${place} has the number of a card or an account`);
    expect(told).toContain('accountFingerprint');
    expect(told).not.toContain(CARD);
  });

  it.each<[string, unknown, string]>([
    ['card', 'f1', 'must be the accountFingerprint of a card'],
    ['ip', 'not an ip', 'must be an address such as 192.0.2.1'],
    ['ip', '999.1.1.1', 'must be an address such as 192.0.2.1'],
    ['ip', '192.0.2.0/24', 'must be an address such as 192.0.2.1'],
    ['country', 'XX', 'must be a country of ISO 3166-1 such as DE'],
    ['ipCountry', 'ZZ', 'must be a country of ISO 3166-1 such as DE'],
    ['bin', '41111x', 'must be the first six digits'],
    ['emailDomain', 'a..b', 'must be a domain such as example.org'],
    ['emailDomain', '-a.example', 'must be a domain such as example.org'],
    ['email', 'jane', 'must be an e-mail address'],
    ['customer', '  ', 'must be more than blanks'],
  ])('have no value that finds nobody: by %s %j', (by, value, reason) => {
    expect(listed(by, value)).toContain(`rules[0].when.list.values[0] ${reason}`);
  });

  it.each<[string, unknown]>([
    // Digits of it would pass for a card number.
    ['card', '4111111111111111'.repeat(4)],
    ['ip', '2001:0DB8::1'],
    ['ipRange', '2001:db8::/32'],
    ['country', 'DE'],
    ['emailDomain', 'Mail.Example.'],
    ['email', ' Jane@Shop.example '],
    ['customer', { value: '4711', until: '2031-05-04T12:30:00Z' }],
    ['device', 'a-b-c'],
  ])('may list by %s %j', (by, value) => {
    expect(listed(by, value)).toBe('taken');
  });

  it.each(['typo\\.nothing', 'card\\.number', 'card\\.cvv', 'authentication\\.password'])(
    'read no parameter that no payment has: %s',
    (name) => {
      expect(expressed({ '==': [{ var: `parameters.${name}` }, 'x'] })).toContain(
        `reads the parameter "${name.replaceAll('\\', '')}", which no payment has`,
      );
    },
  );

  it.each([
    'customer\\.email',
    'risk\\.parameters[tier]',
    'cart\\.items[3]\\.name',
    'customParameters[a]',
  ])('may read %s', (name) => {
    expect(expressed({ '==': [{ var: `parameters.${name}` }, 'x'] })).toBe('taken');
  });

  it('compare nothing with null, as that would never hold', () => {
    expect(expressed({ '==': [{ var: 'email' }, null] })).toContain('compares with null');
  });

  it('are not what is kept, which stays readable', () => {
    const kept = { rules: [rule({ list: { by: 'country', values: ['XX'] } })] };
    expect(readRuleSet(kept).rules).toHaveLength(1);
  });
});
