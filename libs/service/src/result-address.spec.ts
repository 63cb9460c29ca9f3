import { describe, expect, it } from '@jest/globals';
import { resultAddress } from './result-address.js';

const PATH = '/v1/checkouts/1/payment';
const TOLD = 'id=1&resourcePath=%2Fv1%2Fcheckouts%2F1%2Fpayment';

describe('the address of a page of results', () => {
  it.each([
    ['https://shop.example', `https://shop.example/?${TOLD}`],
    ['https://shop.example/done?order=7', `https://shop.example/done?order=7&${TOLD}`],
    ['https://shop.example/done?', `https://shop.example/done?${TOLD}`],
    ['https://shop.example/done?order=7&', `https://shop.example/done?order=7&${TOLD}`],
    ['https://shop.example/#/done', `https://shop.example/?${TOLD}#/done`],
    ['https://bücher.example/ü', `https://xn--bcher-kva.example/%C3%BC?${TOLD}`],
    ['my.shop:/done', `my.shop:/done?${TOLD}`],
  ])('%s is told of a result at %s', (address, told) => {
    expect(resultAddress(address, '1', PATH)).toBe(told);
  });
});
