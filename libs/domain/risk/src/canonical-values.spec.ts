import { describe, expect, it } from '@jest/globals';
import { assess } from './assess.js';
import { factsOf } from './facts.js';
import { keptFacts } from './kept-facts.js';
import { readNewRuleSet } from './new-rules.js';
import { CHANNEL, counted, facts, placed, question, rule } from './risk-fixture.js';
import { keysOf } from './windows.js';

const SPELT: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  ip: [
    'customer.ip',
    [
      ...['2001:db8::1', '2001:0db8::1', '2001:DB8::1', ' 2001:db8:0:0:0:0:0:1'],
      ...['2001:0DB8:0000::0001', '[2001:db8::1]', '[2001:db8::1]:443', '2001:db8::1%eth0'],
      ...['2001:db8::1/128', '"2001:db8::1"', '2001:db8::1.', '"[2001:db8::1]:443"'],
    ],
  ],
  email: [
    'customer.email',
    [
      ...['a@bücher.example', 'A@bücher.example', 'a@BÜCHER.EXAMPLE', ' a@bücher.example'],
      ...[
        'a@bücher.example ',
        'a@bücher.example.',
        'a@xn--bcher-kva.example',
        'a@bu\u0308cher.example',
      ],
      ...[
        'ａ＠bücher.example',
        'Anna <a@bücher.example>',
        'a@bücher.example,',
        '"a"@bücher.example',
      ],
    ],
  ],
  customer: ['customer.merchantCustomerId', ['c-1', ' c-1', 'c-1 ']],
  device: ['customer.browserFingerprint.value', ['d-1', ' d-1', 'd-1 ']],
};

describe.each(Object.entries(SPELT))('a payer by %s', (by, [name, spelt]) => {
  it('is one, however it is spelt', () => {
    const nodes = [placed([rule({ velocity: { by, within: '1h', atMost: 2 } })])];
    const keys = spelt.flatMap((value) => keysOf(nodes, facts({ [name]: value })));
    expect(keys).toHaveLength(spelt.length);
    expect(new Set(keys).size).toBe(1);
  });

  it('is found on a list, however it and the list are spelt', () => {
    for (const value of spelt) {
      const nodes = [placed([rule({ list: { by, values: [value] } })])];
      for (const sent of spelt) {
        expect(assess(nodes, facts({ [name]: sent }), counted()).decision).toBe('reject');
      }
    }
  });

  it('is nobody where only blanks were sent', () => {
    const nodes = [placed([rule({ velocity: { by, within: '1h', atMost: 2 } })])];
    expect(keysOf(nodes, facts({ [name]: '  ' }))).toEqual([]);
  });
});

describe('the domain of an address', () => {
  it('is found without its final dot, and in any letters', () => {
    const nodes = [placed([rule({ list: { by: 'emailDomain', values: ['Shop.Example.'] } })])];
    for (const email of ['jane@shop.example', 'jane@SHOP.example.', ' jane@shop.example ']) {
      expect(assess(nodes, facts({ 'customer.email': email }), counted()).decision).toBe('reject');
    }
  });

  it.each(['bücher.example', 'xn--bcher-kva.example', '@Bücher.example'])(
    'is found in the letters of any script: %s',
    (value) => {
      const { rules } = readNewRuleSet({
        rules: [rule({ list: { by: 'emailDomain', values: [value] } })],
      });
      for (const email of ['jane@bücher.example', 'jane@xn--bcher-kva.example']) {
        const nodes = [{ nodeId: CHANNEL, rules }];
        expect(assess(nodes, facts({ 'customer.email': email }), counted()).decision).toBe(
          'reject',
        );
      }
    },
  );
});

describe('an address that proxies have handed on', () => {
  const CHAIN = '"192.0.2.1:4711", 198.51.100.7, unknown, 10.0.0.1/8';

  it('is the first one, to windows and files of countries', () => {
    const seen: string[] = [];
    const { payer } = factsOf(question({ 'customer.ip': CHAIN }), (ip) => {
      seen.push(ip);
      return {};
    });
    expect([payer.ip, ...seen]).toEqual(['192.0.2.1', '192.0.2.1']);
  });

  it.each([
    ['ip', '192.0.2.1'],
    ['ip', '198.51.100.7'],
    ['ip', '10.0.0.1'],
    ['ipRange', '198.51.100.0/24'],
  ])('is each one to a list, so that another one in front hides nobody: by %s %s', (by, value) => {
    const nodes = [placed([rule({ list: { by, values: [value] } })])];
    expect(assess(nodes, facts({ 'customer.ip': CHAIN }), counted()).decision).toBe('reject');
    expect(assess(nodes, facts({ 'customer.ip': '192.0.3.1' }), counted()).decision).toBe('accept');
  });

  it('is kept as marks, of which the first is the payer', () => {
    const mark = (of: string, value: string) => `${of} ${[...value].reverse().join('')}`;
    const kept = keptFacts(facts({ 'customer.ip': '192.0.2.1, 198.51.100.7' }), [], mark);
    expect(kept.payer.ip).toBe('ip 1.2.0.291');
    expect(kept.behindIp).toEqual(['ip 7.001.15.891']);
  });
});

describe('what cannot be read as an address', () => {
  it.each([
    ['ip', 'customer.ip', ['unknown', ' UNKNOWN', 'Ｕnknown.'], 'isIpReadable'],
    [
      'email',
      'customer.email',
      ['jane at shop', 'Jane at Shop', 'jane at shop.'],
      'isEmailReadable',
    ],
  ])('counts as it stands, and says so: by %s', (by, name, spelt, isReadable) => {
    const window = [placed([rule({ velocity: { by, within: '1h', atMost: 2 } })])];
    expect(new Set(spelt.flatMap((text) => keysOf(window, facts({ [name]: text })))).size).toBe(1);
    const many = counted({ count: 9, minor: 0n });
    const [fired] = assess(window, facts({ [name]: spelt[0] ?? '' }), many).fired;
    expect(fired?.inputs.plain).toMatchObject({ unreadable: by });
    const [other] = assess(window, facts(), many).fired;
    expect(other?.inputs.plain).not.toHaveProperty('unreadable');
    const nodes = [placed([rule({ expression: { '!': [{ var: isReadable }] } })])];
    const decided = (said: Readonly<Record<string, string>>) =>
      assess(nodes, facts(said), counted()).decision;
    expect([decided({ [name]: spelt[0] ?? '' }), decided({})]).toEqual(['reject', 'accept']);
    // Nothing was sent, so nothing is unreadable.
    expect(decided({ [name]: '' })).toBe('accept');
  });

  it('has no domain', () => {
    expect(facts({ 'customer.email': 'jane at shop' })).not.toHaveProperty('emailDomain');
  });
});

it('letters of what a merchant calls a customer tell customers apart', () => {
  const nodes = [placed([rule({ list: { by: 'customer', values: ['c-1'] } })])];
  const other = facts({ 'customer.merchantCustomerId': 'C-1' });
  expect(assess(nodes, other, counted()).decision).toBe('accept');
});
