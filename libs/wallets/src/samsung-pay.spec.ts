import { describe, expect, it } from '@jest/globals';
import { Buffer } from 'node:buffer';
import { openSamsungPayToken, samsungPayRecipient } from './samsung-pay.js';
import { google, plain, refusedRows, samsung, samsungRecipient } from './vectors-fixtures.js';

const now = new Date(samsung.now);
const token = samsung.opened['RSA1_5 and A128GCM']!;

describe('a token of Samsung Pay', () => {
  it.each(Object.entries(samsung.opened))('is opened: %s', (_, sent) => {
    expect(plain(openSamsungPayToken(sent, samsungRecipient, now))).toEqual({
      number: '4111111111111111',
      numberType: 'DPAN',
      expiryMonth: '12',
      expiryYear: '2028',
      cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
      eci: '05',
      amount: '1999 EUR',
      tokenId: expect.stringMatching(/^[0-9a-f]{64}$/),
      goodUntil: new Date(now.getTime() + 20 * 60_000),
    });
  });

  it('is the same one in whatever JSON it was given', () => {
    const opened = plain(openSamsungPayToken(token, samsungRecipient, now));
    for (const sent of [
      { method: '3DS', data: token },
      { method: '3DS', '3DS': { type: 'S', version: '100', data: token } },
    ]) {
      expect(plain(openSamsungPayToken(JSON.stringify(sent), samsungRecipient, now))).toEqual(
        opened,
      );
    }
    expect(plain(openSamsungPayToken('{"method":"3DS"}', samsungRecipient, now))).toBe(
      'unreadable',
    );
  });

  it('has an id of its own', () => {
    const ids = Object.values(samsung.opened).map((sent) => {
      const opening = openSamsungPayToken(sent, samsungRecipient, now);
      return opening.kind === 'opened' ? opening.card.tokenId : '';
    });
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(refusedRows(samsung))('is refused as %s: %s', (reason, _, sent) => {
    expect(plain(openSamsungPayToken(sent, samsungRecipient, now))).toBe(reason);
  });

  it.each([
    ['a part too many', `${token}.`, 'unreadable'],
    ['no parts', 'token', 'unreadable'],
    ['a header that is a list', token.replace(/^[^.]+/, 'W10'), 'unreadable'],
    ['compression', withHeader({ zip: 'DEF' }), 'unsupported'],
    ['an extension that must be understood', withHeader({ crit: ['exp'] }), 'unsupported'],
    ['another header', withHeader({ more: 1 }), 'altered'],
    ['a key that is too short', token.replace(/^([^.]+)\.[^.]+/, '$1.AAAA'), 'altered'],
  ])('is refused with %s', (_, sent, reason) => {
    expect(plain(openSamsungPayToken(sent, samsungRecipient, now))).toBe(reason);
  });
});

describe("a recipient's settings", () => {
  it('need keys of RSA', () => {
    const keys = [{ keyId: 'curve', privateKey: google.privateKeys[0]! }];
    expect(() => samsungPayRecipient({ keys })).toThrow('of RSA');
  });
});

function withHeader(more: object): string {
  const [header, ...rest] = token.split('.');
  const fields = JSON.parse(Buffer.from(header!, 'base64url').toString()) as object;
  const changed = Buffer.from(JSON.stringify({ ...fields, ...more })).toString('base64url');
  return [changed, ...rest].join('.');
}
