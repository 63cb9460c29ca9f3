import { describe, expect, it } from '@jest/globals';
import { challengeSize, isToBank } from './challenge-window.js';

describe('the size of a window for a challenge', () => {
  it('is one of five, as a number or as 3-D Secure writes it', () => {
    expect([1, 5, '3', '04'].map(challengeSize)).toEqual([1, 5, 3, 4]);
  });

  it.each([0, 6, 1.5, '', '005', '6', true, null, {}])('is not %j', (said) => {
    expect(challengeSize(said)).toBeUndefined();
  });
});

describe('a redirect', () => {
  it('leads to a bank by the address of the gateway', () => {
    const id = '01a20b50e02a829899c0bc7076013f60';
    expect(isToBank({ url: `https://gateway.example/redirects/${id}` })).toBe(true);
    expect(isToBank({ url: `https://gateway.example/sluice/redirects/${id}` })).toBe(true);
  });

  it('leads back to the shop by any other', () => {
    expect(isToBank({ url: 'https://shop.example/result?id=1&resourcePath=%2F' })).toBe(false);
    expect(isToBank({ url: 'https://shop.example/redirects/done' })).toBe(false);
  });
});
