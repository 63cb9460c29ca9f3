import { describe, expect, it } from '@jest/globals';
import { detectedBrands, followedBrand, listedBrands } from './brand-detection.js';

const all = ['VISA', 'MASTER', 'AMEX', 'MAESTRO', 'DISCOVER', 'JCB', 'DINERS', 'MADA'];
const of = (digits: string, brands: readonly string[] = all, priority: readonly string[] = []) =>
  detectedBrands(digits, { brands, priority });

describe('the brand of a number', () => {
  it.each([
    ['', []],
    ['4', ['VISA']],
    ['5', []],
    ['51', ['MASTER']],
    ['2221', ['MASTER']],
    ['50', ['MAESTRO']],
    ['3', []],
    ['34', ['AMEX']],
    ['3528', ['JCB']],
    ['36', ['DINERS']],
    ['60', ['MAESTRO']],
    ['6011', ['DISCOVER']],
    ['9', []],
  ])('%j is %j', (digits, brands) => {
    expect(of(digits, ['VISA', 'MASTER', 'AMEX', 'MAESTRO', 'DISCOVER', 'JCB', 'DINERS'])).toEqual(
      brands,
    );
  });

  it('is one that the shop offers', () => {
    expect(of('4', ['MASTER', 'AMEX'])).toEqual([]);
    expect(of('5', ['VISA', 'MASTER'])).toEqual(['MASTER']);
  });

  it('is the national one of a card that is of two, and the other may be chosen', () => {
    expect(of('446404')).toEqual(['MADA', 'VISA']);
    expect(of('446404', all, ['VISA'])).toEqual(['VISA', 'MADA']);
    expect(of('4464', ['VISA', 'MADA'])).toEqual(['VISA']);
  });

  it('is not guessed where the ranges of a brand are not public, or nobody knows it', () => {
    expect(of('4', ['TCARD', 'PAYFOOL'])).toEqual([]);
  });
});

describe('the brand that the form goes on with', () => {
  it.each([
    [[], 'VISA', 'VISA'],
    [['MASTER'], 'VISA', 'MASTER'],
    [['MADA', 'VISA'], 'VISA', 'VISA'],
    [['MADA', 'VISA'], 'AMEX', 'MADA'],
    [[], '', ''],
  ])('of %j after %j is %j', (detected, before, brand) => {
    expect(followedBrand(detected, before)).toBe(brand);
  });
});

describe('the brands that a list says', () => {
  const by = (list: readonly string[], priority: readonly string[] = []) =>
    listedBrands('4464040000000007', list, { brands: ['VISA', 'MADA', 'MASTER'], priority });

  it('are in its order, unless the shop has one', () => {
    expect(by(['VISA', 'MADA'])).toEqual(['VISA', 'MADA']);
    expect(by(['VISA', 'MADA'], ['MADA'])).toEqual(['MADA', 'VISA']);
  });

  it('are those that the shop offers', () => {
    expect(by(['VISADEBIT', 'VISA'])).toEqual(['VISA']);
    expect(by(['AMEX'])).toEqual([]);
  });

  it('are none whose numbers are others', () => {
    expect(by(['MASTER', 'VISA'])).toEqual(['VISA']);
  });
});
