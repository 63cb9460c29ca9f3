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
});
