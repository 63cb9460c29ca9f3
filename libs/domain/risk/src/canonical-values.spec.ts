import { describe, expect, it } from '@jest/globals';
import { assess } from './assess.js';
import { counted, facts, placed, rule } from './risk-fixture.js';
import { keysOf } from './windows.js';

const SPELT: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  ip: [
    'customer.ip',
    [
      ...['2001:db8::1', '2001:0db8::1', '2001:DB8::1', ' 2001:db8:0:0:0:0:0:1'],
      ...['2001:0DB8:0000::0001', '[2001:db8::1]', '[2001:db8::1]:443', '2001:db8::1%eth0'],
    ],
  ],
  email: [
    'customer.email',
    ['a@b.example', 'A@b.example', 'a@B.EXAMPLE', ' a@b.example', 'a@b.example ', 'a@b.example.'],
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
});

it('letters of what a merchant calls a customer tell customers apart', () => {
  const nodes = [placed([rule({ list: { by: 'customer', values: ['c-1'] } })])];
  const other = facts({ 'customer.merchantCustomerId': 'C-1' });
  expect(assess(nodes, other, counted()).decision).toBe('accept');
});
