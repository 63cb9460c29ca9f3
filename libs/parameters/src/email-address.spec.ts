import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalDomain, canonicalEmail } from './email-address.js';

const SPELT = [
  ...['jane@bücher.example', 'JANE@BÜCHER.EXAMPLE', 'jane@xn--bcher-kva.example'],
  ...['jane@XN--BCHER-KVA.example', 'jane@bu\u0308cher.example', ' jane@bücher.example '],
  ...['ｊａｎｅ＠bücher.example', 'jane@bücher。example', 'jane@bü\u00adcher.example'],
  ...['Jane Jones <jane@bücher.example>', '"Jones, Jane" <jane@bücher.example>,'],
  ...[
    '<jane@bücher.example>',
    'jane@bücher.example,',
    'jane@bücher.example.',
    ';jane@bücher.example',
  ],
  ...['"jane"@bücher.example', '"ja\\ne"@bücher.example', '"jane@bücher.example"'],
  ...['jane(at home)@bücher.example', 'jane@bücher.example (Jane)', 'mailto:jane@bücher.example'],
  ...['\u200bjane@bücher.example', "'jane@bücher.example'"],
];

describe('an e-mail address', () => {
  it.each(SPELT)('is one, however it is spelt: %j', (text) => {
    expect(canonicalEmail(text)).toBe('jane@xn--bcher-kva.example');
  });

  it.each([
    ...['', 'jane', '@', 'jane@', '@shop.example', 'jane@shop example', 'jane@a/b', 'jane@a:80'],
    ...['jane@xn--zzzzzz.example', 'jane doe@shop.example', 'jane@john@shop.example', 'jane@?'],
  ])('is none: %j', (text) => {
    expect(canonicalEmail(text)).toBeUndefined();
  });

  it('is told from others', () => {
    const others = [
      ...['jane@shop.example', 'jane+1@shop.example', 'ja.ne@shop.example', 'june@shop.example'],
      ...['jane@mail.shop.example', 'jane@shop.example.org', '"jane john"@shop.example'],
    ];
    expect(new Set(others.map(canonicalEmail)).size).toBe(others.length);
  });
});

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const address = fc.tuple(label, label, label).map(([local, host, top]) => ({
  ...{ local, domain: `${host}.${top}` },
}));
/** What mail does not look at. */
const disguise = fc.constantFrom<(local: string, domain: string) => string>(
  (local, domain) => `${local.toUpperCase()}@${domain}`,
  (local, domain) => `${local}@${domain.toUpperCase()}`,
  (local, domain) => `"${local}"@${domain}`,
  (local, domain) => `Somebody <${local}@${domain}>`,
  (local, domain) => `${local}@${domain}.`,
  (local, domain) => ` ${local}@${domain}, `,
  (local, domain) => `${local}＠${domain}`,
);

describe('whatever address it is', () => {
  it('is one in every disguise, and stays as it is once it is found', () => {
    fc.assert(
      fc.property(address, disguise, ({ local, domain }, disguised) => {
        const plain = `${local}@${domain}`;
        expect(canonicalEmail(disguised(local, domain))).toBe(plain);
        expect(canonicalEmail(plain)).toBe(plain);
      }),
    );
  });

  it('is found again by what was made of it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const found = canonicalDomain(text);
        if (found !== undefined) expect(canonicalDomain(found)).toBe(found);
      }),
    );
  });
});

describe('a domain', () => {
  it.each([
    ['Bücher.Example.', 'xn--bcher-kva.example'],
    ['SHOP.example', 'shop.example'],
    ['shop_x.example', 'shop_x.example'],
  ])('%j is %s', (text, domain) => {
    expect(canonicalDomain(text)).toBe(domain);
  });

  it.each(['', '.', 'a b', 'shop.example/path', '%73hop.example', 'shop.example:80', '[::1]'])(
    '%j is none',
    (text) => {
      expect(canonicalDomain(text)).toBeUndefined();
    },
  );
});
