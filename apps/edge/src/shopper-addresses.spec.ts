import { describe, expect, it } from '@jest/globals';
import type { TransactionId } from '@sluice/identifiers';
import { isReachable, resultUrl } from './shopper-addresses.js';

const ID = '01a20b50e02a829899c0bc7076013f60' as TransactionId;
const TOLD = `id=${ID}&resourcePath=%2Fv1%2Fpayments%2F${ID}`;

describe('the address at which a shopper comes back to the shop (wire contract 5)', () => {
  it.each([
    ['https://shop.example/result', `https://shop.example/result?${TOLD}`],
    ['https://shop.example', `https://shop.example/?${TOLD}`],
    ['https://shop.example/?order=7', `https://shop.example/?order=7&${TOLD}`],
    ['https://shop.example/?', `https://shop.example/?${TOLD}`],
    ['https://shop.example/?a=1&', `https://shop.example/?a=1&${TOLD}`],
    ['https://shop.example/r?a=1#paid', `https://shop.example/r?a=1&${TOLD}#paid`],
    ['shop.example://result', `shop.example://result?${TOLD}`],
    [
      'https://größe.example/zurück?für=✓',
      `https://xn--gre-6ka8i.example/zur%C3%BCck?f%C3%BCr=%E2%9C%93&${TOLD}`,
    ],
    ['app://zurück', `app://zur%C3%BCck?${TOLD}`],
  ])('%s becomes %s', (sent, expected) => {
    expect(resultUrl(sent, ID)).toBe(expected);
  });
});

describe('where a gateway says that it is', () => {
  it.each([
    ...['https://pay.example', 'http://127.0.0.1:8080', 'http://[::1]:80', 'https://x.example/a'],
    ...['https://Pay.Example:443', 'http://localhost', 'http://my_edge:8080'],
  ])('%s can be reached', (url) => {
    expect(isReachable(url)).toBe(true);
  });

  it.each([
    ...['http://', 'https:///', 'http://a"b<c', 'http://a b', 'http://a@b', '', 'http://a:99999'],
    ...['javascript://x', 'http://a?b', 'http://a#b', 'http://[::1', 'http://a\\b'],
  ])('%j cannot', (url) => {
    expect(isReachable(url)).toBe(false);
  });
});
