import { describe, expect, it } from '@jest/globals';
import type { LookupAddress } from 'node:dns';
import { OutboundHosts, privateTargetsOf } from './outbound-hosts.js';

type SystemLookup = NonNullable<ConstructorParameters<typeof OutboundHosts>[1]>;

/** A system that knows one name. */
function hostsWhere(addresses: readonly string[], privateTargets: readonly string[] = []) {
  const lookup = (
    _: string,
    __: object,
    callback: (error: null, addresses: LookupAddress[]) => void,
  ): void => {
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return new OutboundHosts(privateTargets, lookup as unknown as SystemLookup);
}

const nobody = hostsWhere([]);
const refusalOf = (url: string) => nobody.refusal(OutboundHosts.targetOf(new URL(url)));

/** What connecting by name comes to. */
function lookedUp(hosts: OutboundHosts, url = 'https://acquirer.example', all = false) {
  const lookup = hosts.lookupFor(OutboundHosts.targetOf(new URL(url)));
  return new Promise((resolve) => {
    lookup?.('acquirer.example', { all }, (error, address) => {
      resolve(error === null ? address : (error as { code?: string }).code);
    });
  });
}

/** S-SSRF-02: inside of an installation, or written so that it does not look like it. */
const INSIDE = [
  ...['0.0.0.0', '10.0.0.1', '10.255.255.255', '100.64.0.1', '127.0.0.1', '127.1.2.3'],
  ...['169.254.169.254', '169.254.0.1', '172.16.0.1', '172.31.255.254', '192.0.0.1', '192.0.2.1'],
  ...['192.88.99.1', '192.168.0.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1'],
  ...['239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:0:10.0.0.1'],
  ...['64:ff9b::a00:1', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:a00:1::1'],
  ...['fc00::1', 'fd12:3456::1', 'fe80::1', 'fec0::1', 'ff02::1', 'ff0e::1', '4000::1'],
];
const OUTSIDE = ['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::1'];

describe('an address that is no name', () => {
  it.each(INSIDE)('is not called: %s', (address) => {
    const host = address.includes(':') ? `[${address}]` : address;
    expect(refusalOf(`https://${host}`)).toBe('notPublic');
  });

  it.each([
    ...['2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '127.1', '10.1', '0'],
    ...['%31%32%37.0.0.1', '①②⑦.⓪.⓪.①', '169.254.169.254.'],
  ])('is not called, however it is written: %s', (host) => {
    expect(refusalOf(`https://${host}`)).toBe('notPublic');
  });

  it.each(OUTSIDE)('is called on the public internet: %s', (address) => {
    const host = address.includes(':') ? `[${address}]` : address;
    expect(refusalOf(`https://${host}`)).toBeUndefined();
  });
});

describe('a name', () => {
  it.each(INSIDE)('is not called if it leads to %s', async (address) => {
    expect(await lookedUp(hostsWhere([address]))).toBe('ENOTPUBLIC');
    expect(await lookedUp(hostsWhere(['8.8.8.8', address]), undefined, true)).toBe('ENOTPUBLIC');
  });

  it('is called at exactly the addresses that were looked at', async () => {
    expect(await lookedUp(hostsWhere(['8.8.8.8', '1.1.1.1']))).toBe('8.8.8.8');
    expect(await lookedUp(hostsWhere(OUTSIDE), undefined, true)).toEqual(
      OUTSIDE.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  });

  it('that leads nowhere is not called', async () => {
    expect(await lookedUp(hostsWhere([]))).toBe('ENOTPUBLIC');
  });

  it('is looked at in whatever way a socket spells addresses: 0x7f000001 behind tls', async () => {
    expect(await lookedUp(hostsWhere(['127.0.0.1']), 'tls://0x7f000001:5000')).toBe('ENOTPUBLIC');
  });
});

describe('a port', () => {
  it.each([
    ['https://a.example', undefined],
    ['https://a.example:8443', undefined],
    ['http://a.example', undefined],
    ['tls://a.example:5000', undefined],
    ['https://a.example:22', 'portNotAllowed'],
    ['https://a.example:9200', 'portNotAllowed'],
    ['http://a.example:8080', 'portNotAllowed'],
    ['tls://a.example', 'noPort'],
    ['tcp://a.example:5000', 'notEncrypted'],
  ])('of %s: %s', (url, refusal) => {
    expect(refusalOf(url)).toBe(refusal);
  });
});

describe('a private target', () => {
  const listed = hostsWhere(['10.1.2.3'], ['10.1.2.3:5000', 'stand-in:8081', '[fd00::1]:443']);
  const refusal = (url: string) => listed.refusal(OutboundHosts.targetOf(new URL(url)));

  it.each(['tcp://10.1.2.3:5000', 'http://stand-in:8081', 'https://[fd00::1]'])(
    'that is listed is called: %s',
    (url) => {
      expect(refusal(url)).toBeUndefined();
      expect(listed.lookupFor(OutboundHosts.targetOf(new URL(url)))).toBeUndefined();
    },
  );

  it('is listed with its port', () => {
    expect(refusal('tcp://10.1.2.3:5001')).toBe('notEncrypted');
    expect(refusal('https://10.1.2.3')).toBe('notPublic');
  });

  it.each([
    ['10.1.2.3:5000', true],
    ['stand-in.example:8081', true],
    ['[fd00::1]:443', true],
    ['10.1.2.3', false],
    ['http://10.1.2.3:5000', false],
    ['a b:1', false],
  ])('is named by host and port: %s %s', (text, isOne) => {
    const read = (): readonly string[] => privateTargetsOf(`${text},stand-in.example:1`);
    if (isOne) expect(read()).toEqual([text, 'stand-in.example:1']);
    else expect(read).toThrow('must be host:port with commas between');
  });

  it('is every host where all are listed, for shops on the machine of whoever develops them', () => {
    const all = new OutboundHosts('all');
    const target = OutboundHosts.targetOf(new URL('http://localhost:3000'));
    expect(all.refusal(target)).toBeUndefined();
    expect(all.lookupFor(target)).toBeUndefined();
    expect(all.isPrivateTarget(target)).toBe(true);
    expect(listed.isPrivateTarget(target)).toBe(false);
  });
});
