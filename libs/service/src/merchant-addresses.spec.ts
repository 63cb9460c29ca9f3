import { describe, expect, it } from '@jest/globals';
import { merchantAddress, type MerchantAddressRefusal } from './merchant-addresses.js';
import { OutboundHosts } from './outbound-hosts.js';

const strict = { outbound: new OutboundHosts([]), mayBePlain: false };
const plain = { ...strict, mayBePlain: true };
const sandbox = { outbound: new OutboundHosts('all'), mayBePlain: true };
const listing = { ...strict, outbound: new OutboundHosts(['stand-in:8081', '10.1.2.3:443']) };

const refusalOf = (text: string, rules: Parameters<typeof merchantAddress>[1] = strict) => {
  const found = merchantAddress(text, rules);
  return typeof found === 'string' ? found : undefined;
};

/** S-SSRF-02: addresses and tricks, by why they are refused. */
const REFUSED: readonly (readonly [MerchantAddressRefusal, readonly string[]])[] = [
  // This machine, in every spelling that a parser or a resolver knows.
  [
    'notPublic',
    [
      ...['https://127.0.0.1', 'https://127.1', 'https://127.0.1', 'https://127.255.255.254'],
      ...['https://2130706433', 'https://0x7f000001', 'https://0x7f.1', 'https://0x7F.0.0.0x1'],
      ...['https://0177.0.0.1', 'https://0177.1', 'https://017700000001', 'https://127.0.0.1.'],
      ...['https://0', 'https://0.0.0.0', 'https://0x0', 'https://[::]', 'https://[::1]'],
      ...['https://[0:0:0:0:0:0:0:1]', 'https://%31%32%37.0.0.1', 'https://①②⑦.⓪.⓪.①'],
      ...['https://127。0。0。1', 'https://127．0．0．1', 'https://127｡0｡0｡1'],
    ],
  ],
  // Names of machines and networks.
  [
    'notPublic',
    [
      ...['https://localhost', 'https://LOCALHOST', 'https://localhost.', 'https://a.localhost'],
      ...['https://localhost.localdomain', 'https://ｌｏｃａｌｈｏｓｔ', 'https://loc%61lhost'],
      ...['https://vault', 'https://vault.sluice.svc', 'https://vault.sluice.svc.cluster.local'],
      ...['https://kubernetes.default.svc.', 'https://metadata.google.internal', 'https://nas.lan'],
      ...[
        'https://printer.local',
        'https://router.home.arpa',
        'https://db.corp',
        'https://a.internal.',
      ],
      ...['https://metadata。google。internal', 'https://intranet'],
    ],
  ],
  // Private networks, carriers, links, and the metadata of clouds.
  [
    'notPublic',
    [
      ...['https://10.0.0.1', 'https://10.1', 'https://167772161', 'https://012.0.0.1'],
      ...[
        'https://172.16.0.1',
        'https://172.31.255.255',
        'https://192.168.0.1',
        'https://192.168.1',
      ],
      ...['https://100.64.0.1', 'https://100.100.100.200', 'https://169.254.169.254'],
      ...[
        'https://169.254.43518',
        'https://2852039166',
        'https://0xa9fea9fe',
        'https://169.254.170.2',
      ],
      ...['https://0xa9.0xfe.0xa9.0xfe', 'https://0251.0376.0251.0376', 'https://168.63.129.16'],
      ...[
        'https://[fd00:ec2::254]',
        'https://[fd20:ce::254]',
        'https://[fe80::1]',
        'https://[fc00::1]',
      ],
      ...['https://[fec0::1]', 'https://192.0.0.192', 'https://192.0.2.1', 'https://198.18.0.1'],
      ...['https://224.0.0.1', 'https://255.255.255.255', 'https://240.0.0.1', 'https://[ff02::1]'],
    ],
  ],
  // IPv4 within IPv6.
  [
    'notPublic',
    [
      ...[
        'https://[::ffff:127.0.0.1]',
        'https://[::ffff:7f00:1]',
        'https://[::ffff:169.254.169.254]',
      ],
      ...['https://[::127.0.0.1]', 'https://[::ffff:0:10.0.0.1]', 'https://[64:ff9b::10.0.0.1]'],
      ...['https://[64:ff9b:1::a00:1]', 'https://[2002:7f00:1::]', 'https://[2002:a9fe:a9fe::1]'],
      ...['https://[2001:0:1::1]', 'https://[2001:db8::1]', 'https://[::ffff:8.8.8.8]'],
    ],
  ],
  [
    'credentials',
    [
      ...[
        'https://user:password@shop.example',
        'https://user@shop.example',
        'https://@shop.example',
      ],
      ...[
        'https://:@shop.example',
        'https://shop.example@127.0.0.1',
        'https://shop.example:443@10.0.0.1',
      ],
    ],
  ],
  [
    'malformed',
    [
      ...[
        '',
        'shop.example',
        '//shop.example',
        '/hook',
        'https:shop.example',
        'https:/shop.example',
      ],
      ...['https:///127.0.0.1', 'https:\\\\shop.example', 'https://shop.example\\@127.0.0.1'],
      ...['https://127.0.0.1\\.shop.example', ' https://shop.example', 'https://shop.example '],
      ...[
        'https://shop.example\r\nHost: vault',
        'https://sh\top.example',
        'ht\ntps://shop.example',
      ],
      ...[
        'https://shop.example/\0',
        'https://[::1',
        'https://[fe80::1%25eth0]',
        'https://[::1%eth0]',
      ],
      ...[
        'https://256.0.0.1',
        'https://1.2.3.4.5',
        'https://0x7f.0.0.0.1',
        'https://shop.example:99999',
      ],
      ...[
        'https://a%00b.example',
        'https://a%2fb.example',
        'https://\u200b127.0.0.1',
        'https://?a',
      ],
      `https://shop.example/${'a'.repeat(20_000)}`,
    ],
  ],
  [
    'notWeb',
    [
      ...[
        'file:///etc/passwd',
        'ftp://shop.example',
        'gopher://127.0.0.1:6379/_PING',
        'ws://shop.example',
      ],
      ...[
        'data:text/plain,a',
        'javascript:alert(1)',
        'dict://127.0.0.1:11211',
        'tcp://shop.example:25',
      ],
      ...[
        'shop:/done',
        'unix:/var/run/docker.sock',
        'jar:https://shop.example!/',
        'blob:https://a.example/1',
      ],
    ],
  ],
  [
    'portNotAllowed',
    [
      'https://shop.example:22',
      'https://shop.example:6443',
      'https://shop.example:80',
      'https://8.8.8.8:25',
    ],
  ],
  ['noPort', ['https://shop.example:0']],
  ['notEncrypted', ['http://shop.example', 'http://127.0.0.1', 'HTTP://shop.example:80']],
];

const rows = REFUSED.flatMap(([refusal, texts]) => texts.map((text) => [refusal, text] as const));

describe('an address of a merchant', () => {
  it('is tried in more than a hundred ways', () => {
    expect(new Set(rows.map(([, text]) => text)).size).toBeGreaterThan(100);
  });

  it.each(rows)('%s: %j', (refusal, text) => {
    expect(refusalOf(text)).toBe(refusal);
  });

  it.each([
    ...['https://shop.example', 'https://shop.example/hook?a=b@c#d', 'https://shop.example:8443/'],
    ...['https://8.8.8.8/hook', 'https://[2606:4700::1111]/hook', 'HTTPS://Shop.Example.'],
    ...['https://münchen.example', 'https://local.example', 'https://localhost.example'],
    ...['https://10.0.0.1.shop.example', 'https://internal.shop.example'],
  ])('is called: %s', (text) => {
    expect(refusalOf(text)).toBeUndefined();
    expect(merchantAddress(text, strict)).toEqual(new URL(text));
  });

  it('may be as long as the interface allows, whatever it is written in', () => {
    expect(refusalOf(new URL(`https://shop.example/${'月'.repeat(2_027)}`).href)).toBeUndefined();
  });

  it('is called without TLS in tests, at port 80 of the internet', () => {
    expect(refusalOf('http://shop.example', plain)).toBeUndefined();
    expect(refusalOf('http://shop.example:8080', plain)).toBe('portNotAllowed');
    expect(refusalOf('http://127.0.0.1', plain)).toBe('notPublic');
  });

  it('is a private one where the installation lists its host and port, also without TLS', () => {
    expect(refusalOf('http://stand-in:8081/hook', listing)).toBeUndefined();
    expect(refusalOf('https://10.1.2.3/hook', listing)).toBeUndefined();
    expect(refusalOf('https://167838211/hook', listing)).toBeUndefined();
    expect(refusalOf('https://stand-in/hook', listing)).toBe('notPublic');
    expect(refusalOf('https://10.1.2.4/hook', listing)).toBe('notPublic');
  });

  it('is any of the web in a sandbox, and even there without credentials', () => {
    expect(refusalOf('http://localhost:3000/hook', sandbox)).toBeUndefined();
    expect(refusalOf('http://user@localhost:3000/hook', sandbox)).toBe('credentials');
    expect(refusalOf('file:///etc/passwd', sandbox)).toBe('notWeb');
  });
});
