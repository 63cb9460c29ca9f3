import { describe, expect, it } from '@jest/globals';
import { readNewRuleSet, refuseEnded } from './new-rules.js';
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
    ['email', 'jane@shop example', 'must be an e-mail address such as'],
    ['ip', '192.0.2.1, 192.0.2.2', 'must be an address such as 192.0.2.1'],
    ['customer', '  ', 'must be more than blanks'],
  ])('have no value that finds nobody: by %s %j', (by, value, reason) => {
    expect(listed(by, value)).toContain(`rules[0].when.list.values[0] ${reason}`);
  });

  it.each<[string, unknown]>([
    // Digits of it would pass for a card number.
    ['card', '4111111111111111'.repeat(4)],
    ['ip', '2001:0DB8::1'],
    ['ip', '192.0.2.1/32'],
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
    'customer\\.givenName',
    'risk\\.parameters[tier]',
    'cart\\.items[3]\\.name',
    'customParameters[a]',
  ])('may read %s', (name) => {
    expect(expressed({ '==': [{ var: `parameters.${name}` }, 'x'] })).toBe('taken');
  });

  it.each([
    ['customer\\.email', 'email', 'jane@post.example'],
    ['customer\\.ip', 'ip', '192.0.2.1'],
    ['customer\\.merchantCustomerId', 'customer', '4711'],
    ['billing\\.country', 'billingCountry', 'DE'],
    ['shipping\\.country', 'shippingCountry', 'DE'],
  ])('read %s by the name that has it in one spelling', (name, fact, value) => {
    const read = { var: `parameters.${name}` };
    const first = { and: [{ '!!': [{ var: 'card' }] }, { '==': [read, value] }] };
    for (const expression of [first, { missing: [read.var] }]) {
      expect(expressed(expression)).toContain(
        `rules[0].when.expression reads "${name.replace('\\', '')}" as it was sent`,
      );
      expect(expressed(expression)).toContain(`write {"var": "${fact}"}`);
    }
    expect(expressed({ '==': [{ var: fact }, value] })).toBe('taken');
  });

  it('have no points that add nothing where nothing is decided', () => {
    const scored = (changes: object) => refusal({ rules: [rule({ proxy: true }, changes)] });
    expect(scored({ then: undefined, score: 0 })).toContain(
      'rules[0].score adds nothing, and its rule decides nothing: it needs "then" or other points',
    );
    expect(scored({ then: undefined, score: -1 })).toBe('taken');
    expect(scored({ then: 'accept', score: 0 })).toBe('taken');
  });

  it('have no score of a review that is rejected already', () => {
    for (const reviewFrom of [5, 10]) {
      expect(refusal({ reviewFrom, rejectFrom: 5 })).toContain(
        'reviewFrom must be less than "rejectFrom": from there on all are rejected',
      );
    }
    expect(refusal({ reviewFrom: 4, rejectFrom: 5 })).toBe('taken');
    expect([refusal({ reviewFrom: 10 }), refusal({ rejectFrom: 5 })]).toEqual(['taken', 'taken']);
  });

  it('stay readable where a release before has taken them', () => {
    const idle = rule({ proxy: true }, { then: undefined, score: 0 });
    expect(readRuleSet({ rules: [idle], reviewFrom: 10, rejectFrom: 5 })).toMatchObject({
      ...{ rules: [{ score: 0 }], reviewFrom: 10, rejectFrom: 5 },
    });
  });

  it('have no time of the day that is all of it', () => {
    const from = (time: string) => ({ from: time, until: '10:00', timeZone: 'Europe/Berlin' });
    expect(refusal({ rules: [rule({ timeOfDay: from('10:00') })] })).toContain(
      'rules[0].when.timeOfDay holds at any time of the day',
    );
    expect(refusal({ rules: [rule({ timeOfDay: from('10:01') })] })).toBe('taken');
  });

  it.each<[object]>([
    [{ '<': [{ var: 'amountMinor' }, 0] }],
    [{ '<=': [{ var: 'amountMinor' }, -1] }],
    [{ '>=': [{ var: 'amountMinor' }, '0'] }],
    [{ '>': [{ var: 'amountMinor' }, -5] }],
    [{ '>': [0, { var: 'amountMinor' }] }],
    [{ '<=': [0, { var: 'amountMinor' }] }],
  ])('have no limit that every amount is above: %j', (expression) => {
    expect(expressed(expression)).toContain('says the same of every amountMinor');
  });

  it.each<[object]>([
    [{ '>': [{ var: 'amountMinor' }, 0] }],
    [{ '<=': [{ var: 'amountMinor' }, 0] }],
    [{ '<': [0, { var: 'amountMinor' }] }],
    [{ '<': [-1, { var: 'amountMinor' }, 100] }],
    [{ '<': [{ '-': [{ var: 'amountMinor' }, 100] }, 0] }],
  ])('have others: %j', (expression) => {
    expect(expressed(expression)).toBe('taken');
  });

  it('compare nothing with null, as that would never hold', () => {
    expect(expressed({ '==': [{ var: 'email' }, null] })).toContain('compares with null');
  });

  // An object without operators is true to JSON Logic: its rule would refuse every payment.
  it.each<[string, object]>([
    ['rules[0].when.expression', {}],
    ['rules[0].when.expression.and', { and: [] }],
    ['rules[0].when.expression.or[1]', { or: [{ '==': [{ var: 'bin' }, '420000'] }, {}] }],
    ['rules[0].when.expression.in[1]', { in: [{ var: 'bin' }, []] }],
  ])('have no expression with an empty place: %s', (place, expression) => {
    expect(expressed(expression)).toContain(`${place} is empty`);
  });

  it.each([Infinity, -Infinity])('have no number that JSON cannot write: %d', (limit) => {
    // It would be kept as null, which counts as nothing, so that every amount is above it.
    expect(expressed({ '>': [{ var: 'amountMinor' }, limit] })).toContain(
      'rules[0].when.expression.>[1] is too large a number',
    );
  });

  it.each([
    ['a character that no database keeps', 'a\u0000b'],
    ['half a character', 'a\ud800b'],
    ['what moves on a screen', 'a\u202eb'],
    ['more than any parameter has', 'a'.repeat(2_049)],
  ])('have no text in an expression with %s', (_, text) => {
    expect(expressed({ '==': [{ var: 'email' }, text] })).toContain(
      'rules[0].when.expression.==[1] must be a text of at most 2048 printable characters',
    );
  });

  it('may compare with a text of nothing, and a long one', () => {
    expect(expressed({ '!=': [{ cat: [{ var: 'email' }, ''] }, 'a'.repeat(2_048)] })).toBe('taken');
  });

  it('name no currency of a window without a sum, as payments of all currencies would count', () => {
    const velocity = { by: 'card', within: '1h', atMost: 3, currency: 'EUR' };
    expect(refusal({ rules: [rule({ velocity })] })).toContain(
      'rules[0].when.velocity.currency is of "atMostSum"',
    );
    expect(refusal({ rules: [rule({ velocity: { ...velocity, atMostSum: '9.00' } })] })).toBe(
      'taken',
    );
  });

  it.each([
    ['5.00', '2.00'],
    ['5.00', '5.00'],
    ['5.00', '5.01'],
  ])('have no amount above %s and below %s, which nothing is', (above, below) => {
    const amount = { above, below, currency: 'EUR' };
    expect(refusal({ rules: [rule({ amount })] })).toContain(
      'rules[0].when.amount holds for no amount',
    );
    expect(refusal({ rules: [rule({ amount: { ...amount, below: '5.02' } })] })).toBe('taken');
  });

  it.each<[string, object, string]>([
    [
      'a number that is a text',
      { '===': [{ var: 'customer' }, 4711] },
      'it is a text: write "4711"',
    ],
    ['a number in a list of texts', { in: [{ var: 'bin' }, [420000]] }, 'it is a text such as'],
    ['a text that is greater', { '>': [{ var: 'currency' }, 5] }, 'it is a text such as "EUR"'],
    [
      'a parameter that is true',
      { '==': [{ var: 'parameters.risk\\.parameters[tier]' }, true] },
      'write "true"',
    ],
    ['an amount in words', { '>': [{ var: 'amountMinor' }, '300,00'] }, 'it is a number'],
    ['a fraction of a cent', { '==': [{ var: 'amountMinor' }, 0.5] }, 'it is a whole number'],
    ['small letters', { '==': [{ var: 'currency' }, 'eur'] }, 'write "EUR"'],
    ['a brand in small letters', { in: [{ var: 'brand' }, ['MASTER', 'Visa']] }, 'write "VISA"'],
    ['no brand', { '==': [{ var: 'brand' }, 'VISA card'] }, 'it is such as "VISA"'],
    [
      'what the parameter never is',
      { '==': [{ var: 'parameters.merchant\\.country' }, 'de'] },
      'must be an ISO 3166-1 alpha-2 country code in upper case',
    ],
    [
      'nothing of what has at least a letter',
      { '!=': ['', { var: 'parameters.customer\\.mobile' }] },
      'compares parameters.customer\\.mobile with ""',
    ],
    ['an unknown country', { in: [{ var: 'issuerCountry' }, ['DE', 'XX']] }, 'it is such as "DE"'],
    ['an unknown word', { '!=': [{ var: 'operation' }, 'sale'] }, 'it is such as "authorization"'],
    ['what no issuer says', { '==': [{ var: 'avsResponse' }, 'Q'] }, 'it is such as "A"'],
    [
      'another spelling',
      { '==': [{ var: 'email' }, 'Jane@Shop.example'] },
      'write "jane@shop.example"',
    ],
    ['another spelling of a domain', { '==': [{ var: 'emailDomain' }, 'bücher.example'] }, 'xn--'],
    ['no address', { in: [{ var: 'ip' }, ['192.0.2.0/24']] }, 'it is such as "192.0.2.1"'],
    ['a word for true', { '==': [{ var: 'isProxy' }, 'yes'] }, 'it is true or false'],
    [
      'deep within',
      { or: [{ var: 'isProxy' }, { '!': { '==': ['eur', { var: 'currency' }] } }] },
      'EUR',
    ],
  ])('compare a fact with nothing that it never is: %s', (_, expression, reason) => {
    const told = expressed(expression);
    expect(told).toContain('rules[0].when.expression compares ');
    expect(told).toContain(reason);
  });

  it.each<[string, object]>([
    ['false', { '==': [1, 2] }],
    ['true', { '!': [false] }],
    ['a part that is never so', { and: [{ var: 'isProxy' }, false] }],
    ['a part that is always so', { or: [{ var: 'isProxy' }, { '>': [2, 1] }] }],
    ['a choice that is made', { if: [true, { var: 'isProxy' }, false] }],
  ])('say something of a payment wherever they decide: not %s', (_, expression) => {
    expect(expressed(expression)).toContain('says the same of every payment');
  });

  it.each<[string, object]>([
    ['the digits of a text', { '==': [{ var: 'bin' }, 420000] }],
    ['a range of them', { '<': [400000, { var: 'bin' }, 420000] }],
    ['the number in a parameter', { '<': [{ var: 'parameters.risk\\.parameters[tier]' }, 5] }],
    ['an amount', { '>': [{ var: 'amountMinor' }, { '*': [300, 100] }] }],
    ['an amount in a text', { '>': [{ var: 'amountMinor' }, '30000'] }],
    ['what counts in its place', { '==': [{ var: ['currency', 'none'] }, 'none'] }],
    ['any brand', { in: [{ var: 'brand' }, ['APPLEPAY', 'DIRECTDEBIT_SEPA', 'Another_1']] }],
    ['one word of a parameter', { '==': [{ var: 'parameters.merchant\\.country' }, 'DE'] }],
    ['two facts', { '!=': [{ var: 'issuerCountry' }, { var: 'billingCountry' }] }],
    ['a part of a text', { in: ['.example', { var: 'emailDomain' }] }],
    ['one of some currencies', { in: [{ var: 'currency' }, 'EUR,USD'] }],
    ['a choice', { if: [{ var: 'isProxy' }, true, { '==': [{ var: 'mode' }, 'LIVE'] }] }],
    ['what is not there', { and: [{ missing: ['email'] }, { '!!': [{ var: 'ip' }] }] }],
  ])('may compare with %s', (_, expression) => {
    expect(expressed(expression)).toBe('taken');
  });

  it('have no entry that has ended, but for those that are there already', () => {
    const setOf = (...values: readonly object[]) =>
      readNewRuleSet({ rules: [rule({ list: { by: 'bin', values } })] });
    const [ended, open] = [
      { value: '420000', until: '2031-05-04' },
      { value: '411111', until: '2031-05-06' },
    ];
    const nowMs = Date.parse('2031-05-05');
    const none = readNewRuleSet({});
    expect(() => refuseEnded(setOf(open, ended), none, nowMs)).toThrow(
      'rules[0].when.list.values[1].until is over',
    );
    expect(() => refuseEnded(setOf(open), none, nowMs)).not.toThrow();
    expect(() => refuseEnded(setOf(open, ended), setOf(ended), nowMs)).not.toThrow();
    const later = { value: '420000', until: '2031-05-03' };
    expect(() => refuseEnded(setOf(later), setOf(ended), nowMs)).toThrow('is over');
  });

  it.each(['2031-02-31', '2031-04-31T12:00Z', '2031-05-04T24:00Z'])(
    'have no day that no calendar has: %s',
    (until) => {
      expect(listed('bin', { value: '420000', until })).toContain(
        'rules[0].when.list.values[0].until must be a day or an instant',
      );
    },
  );

  it('are not what is kept, which stays readable', () => {
    const kept = [
      rule({ list: { by: 'country', values: ['XX'] } }),
      rule(
        { list: { by: 'bin', values: [{ value: '420000', until: '2031-02-31' }] } },
        { id: 'b' },
      ),
      rule({ velocity: { by: 'card', within: '1h', atMost: 3, currency: 'EUR' } }, { id: 'c' }),
      rule({ expression: { and: [] } }, { id: 'd' }),
    ];
    expect(readRuleSet({ rules: kept }).rules).toHaveLength(4);
  });
});
