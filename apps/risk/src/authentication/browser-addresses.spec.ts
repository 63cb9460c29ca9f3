import { describe, expect, it } from '@jest/globals';
import { isBrowserAddress } from './browser-addresses.js';

const HOSTILE = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://issuer.example/1',
  'ftp://issuer.example/',
  'ws://issuer.example/',
  'intent://pay#Intent;end',
  'https://bank@issuer.example/',
  'https://bank:secret@issuer.example/',
  '//issuer.example/',
  '/challenge',
  'issuer.example',
  'https://',
  '',
] as const;

describe('an address that an issuer names', () => {
  it.each(HOSTILE)('is no page for a shopper, live or not: %j', (address) => {
    expect([isBrowserAddress(address, true), isBrowserAddress(address, false)]).toEqual([
      ...[false, false],
    ]);
  });

  it('is a page by https, and by http in a test alone', () => {
    const answers = ['https://issuer.example/a?b#c', 'http://issuer.example/'].map((address) => [
      isBrowserAddress(address, true),
      isBrowserAddress(address, false),
    ]);
    expect(answers).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  it.each([
    ...['localhost', 'localhost.', '127.0.0.1', '0x7f.1', '10.0.0.1', '192.168.1.1', '172.16.0.1'],
    ...['169.254.169.254', '100.64.0.1', '0.0.0.0', '[::1]', '[fd00::1]', '[fe80::1]'],
    ...['[::ffff:10.0.0.1]', 'router', 'nas.local', 'acs.internal', 'x.home.arpa', 'a.localhost.'],
  ])('is in a test alone in a network of the shopper: %s', (host) => {
    const address = `https://${host}/challenge`;
    expect([isBrowserAddress(address, true), isBrowserAddress(address, false)]).toEqual([
      ...[false, true],
    ]);
  });

  it.each(['https://203.0.114.1/', 'https://[2600::1]/', 'https://local.example/'])(
    'is a page on the internet: %s',
    (address) => expect(isBrowserAddress(address, true)).toBe(true),
  );
});
