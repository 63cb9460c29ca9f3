import { describe, expect, it } from '@jest/globals';
import { isAddress, resultAddress } from './result-address.js';

const id = `${'A'.repeat(32)}.sluice`;
const told = `id=${id}&resourcePath=%2Fv1%2Fcheckouts%2F${id}%2Fpayment`;

describe('where the shopper goes afterwards', () => {
  it.each([
    ['https://shop.example/result', `https://shop.example/result?${told}`],
    ['https://shop.example/?order=7', `https://shop.example/?order=7&${told}`],
    ['https://shop.example/?', `https://shop.example/?${told}`],
    ['https://shop.example/r#end', `https://shop.example/r?${told}#end`],
    ['com.shop.app://result', `com.shop.app://result?${told}`],
  ])('from %s is %s', (address, expected) => {
    expect(resultAddress(address, { id, purpose: 'payment' })).toBe(expected);
  });

  it('says what was stored', () => {
    const address = resultAddress('https://shop.example/', { id, purpose: 'registration' });
    expect(address).toContain(`%2F${id}%2Fregistration`);
  });

  it.each([
    ['https://shop.example/', true],
    ['com.shop.app://result', true],
    ['javascript:alert(1)', false],
    ['\tjavascript:alert(1)', false],
    ['JaVaScRiPt:alert(1)', false],
    ['data:text/html,x', false],
    ['/result', false],
    ['', false],
  ])('%j is an address: %s', (text, is) => {
    expect(isAddress(text)).toBe(is);
  });
});
