import { describe, expect, it } from '@jest/globals';
import type { LookupAddress } from 'node:dns';
import { isPublicAddress, publicLookup } from './public-addresses.js';

const publicOnes = [
  ...['8.8.8.8', '1.1.1.1', '9.255.255.255', '11.0.0.1', '100.63.255.255', '100.128.0.1'],
  ...['172.15.255.255', '172.32.0.1', '192.167.1.1', '198.17.0.1', '223.255.255.255'],
  ...['2606:4700:4700::1111', '2a00:1450:4001:81b::200e'],
];

const others = [
  // This machine, in whatever spelling a resolver may pass on.
  ...['127.0.0.1', '127.1', '127.255.255.254', '0x7f.0.0.1', '0177.0.0.1', '2130706433', '::1'],
  ...['0.0.0.0', '0.1.2.3', '::'],
  // Private networks, those of carriers, and links, with the metadata of clouds.
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '0xa000001'],
  ...[
    '100.64.0.1',
    '100.127.255.255',
    '169.254.0.1',
    '169.254.169.254',
    '169.254.170.2',
    '168.63.129.16',
  ],
  ...['fc00::1', 'fd00:ec2::254', 'fdff::1', 'fe80::1', 'febf::1', 'fec0::1'],
  // Groups, documentation, measurements, and what is reserved.
  ...['224.0.0.1', '239.255.255.255', '255.255.255.255', '240.0.0.1', '254.1.1.1'],
  ...['192.0.0.1', '192.0.0.170', '192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1'],
  ...['198.19.255.255', '192.88.99.1', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  ...['ff02::1', 'ff0e::1', '2001:db8::1', '3fff::1', '2001:2::1', '2001:10::1', '2001:20::1'],
  ...['100::1', '4000::1', '5f00::1', '8000::1', 'a000::1'],
  // IPv4 within IPv6, by whatever way.
  ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:8.8.8.8'],
  ...['::ffff:7f00:1', '::127.0.0.1', '::10.0.0.1', '::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1'],
  ...['64:ff9b::a00:1', '64:ff9b:1::1', '2002:7f00:1::', '2002:a00:1::1', '2001::1', '2001:0:1::'],
  ...['', 'localhost', '8.8.8.8.8', '1.2.3.4/8', 'fe80::1%eth0', '8.8.8.8 ', '::g'],
];

function lookedUp(host: string, all: boolean): Promise<string | LookupAddress[] | Error> {
  return new Promise((resolve) => {
    publicLookup()(host, { all }, (error, address) => {
      resolve(error ?? address);
    });
  });
}

describe('an address', () => {
  it.each(publicOnes)('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(others)('"%s" is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('is refused for a name that leads to none that is public', async () => {
    for (const all of [true, false]) {
      expect(await lookedUp('localhost', all)).toMatchObject({ name: 'AddressNotPublic' });
    }
  });

  it('is passed on where it is public', async () => {
    expect(await lookedUp('8.8.8.8', true)).toEqual([{ address: '8.8.8.8', family: 4 }]);
    expect(await lookedUp('8.8.8.8', false)).toBe('8.8.8.8');
  });
});
