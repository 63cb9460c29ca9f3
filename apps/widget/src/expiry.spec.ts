import { describe, expect, it } from '@jest/globals';
import { expiryFault, expiryOf, expiryText } from './expiry.js';

describe('the text of an expiry date', () => {
  it.each([
    ['', '', ''],
    ['1', '', '1'],
    ['5', '', '05 / '],
    ['1/', '1', '01 / '],
    ['12', '1', '12 / '],
    ['12 / 3', '12 / ', '12 / 3'],
    ['0534', '', '05 / 34'],
    ['05/34', '', '05 / 34'],
    ['5/34', '', '05 / 34'],
    ['05 / 2034', '', '05 / 2034'],
    ['05/2034 ', '', '05 / 2034'],
    ['05 / 345', '05 / 34', '05 / 34'],
    ['\u0660\u0665\u0663\u0664', '', '05 / 34'],
    ['x', '', ''],
  ])('%j is typed after %j: %j', (typed, before, text) => {
    expect(expiryText(typed, before)).toBe(text);
  });

  it('can be deleted to its begin', () => {
    expect(expiryText('12 /', '12 / ')).toBe('12');
    expect(expiryText('12 / 3', '12 / 34')).toBe('12 / 3');
    expect(expiryText('1', '12')).toBe('1');
  });
});

describe('an expiry date', () => {
  const january2026 = Date.UTC(2026, 0, 15);

  it('has its year in two digits or in four', () => {
    expect(expiryOf('05 / 34')).toEqual({ month: '05', year: '2034' });
    expect(expiryOf('05 / 2034')).toEqual({ month: '05', year: '2034' });
  });

  it.each([
    ['05 / 34', undefined],
    ['01 / 26', undefined],
    ['12 / 25', 'year'],
    ['13 / 34', 'month'],
    ['00 / 34', 'month'],
    ['05 / 3', 'month'],
    ['05 / 203', 'month'],
    ['', 'month'],
  ])('%j in January 2026 has the fault %s', (text, fault) => {
    expect(expiryFault(text, january2026)).toBe(fault);
  });

  it('of long ago is taken where the shop says so', () => {
    expect(expiryFault('12 / 25', undefined)).toBeUndefined();
  });
});
