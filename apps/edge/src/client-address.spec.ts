import { describe, expect, it } from '@jest/globals';
import { countedAddress, trustedProxies } from './client-address.js';

describe('the address that a limit counts', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('of %s is %s', (address, counted) => {
    expect(countedAddress(address)).toBe(counted);
  });
});

describe('trusted proxies', () => {
  it.each([
    ['10.0.0.0/8', '10.200.1.1', true],
    ['10.0.0.0/8', '::ffff:10.200.1.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['192.168.1.7, fd00::/8', 'fd12::1', true],
    ['192.168.1.7, fd00::/8', '192.168.1.8', false],
  ])('%s: %s is one: %s', (text, address, isOne) => {
    expect(trustedProxies(text).has(address)).toBe(isOne);
  });

  it.each(['ingress', '10.0.0.0/33', '10.0.0/8', '10.0.0.0/8/8', '', '10.0.0.0/'])(
    '%j is refused',
    (text) => {
      expect(() => trustedProxies(text)).toThrow(/must be addresses or networks/);
    },
  );
});
