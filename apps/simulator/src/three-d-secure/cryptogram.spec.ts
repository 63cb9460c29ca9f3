import { describe, expect, it } from '@jest/globals';
import { fitOf, newProof } from './cryptogram.js';

const proven = { number: '4200000000000091', amount: '92.00', currency: 'EUR' };

describe('a cryptogram of this simulator', () => {
  const cryptogram = newProof(proven);

  it('has 28 characters, and is another one each time', () => {
    expect(cryptogram).toMatch(/^[0-9A-Za-z+/]{27}=$/);
    expect(newProof(proven)).not.toBe(cryptogram);
  });

  it.each([
    ['its card and amount', proven, 'fits'],
    ['the same amount with fewer zeros', { ...proven, amount: '92' }, 'fits'],
    ['the same amount with more zeros', { ...proven, amount: '092.000' }, 'fits'],
    ['another amount', { ...proven, amount: '92.01' }, 'otherAmount'],
    ['ten times the amount', { ...proven, amount: '920' }, 'otherAmount'],
    ['another currency', { ...proven, currency: 'USD' }, 'otherAmount'],
    ['another card', { ...proven, number: '4200000000000026' }, 'otherCard'],
  ])('is compared with %s', (_name, paid, fit) => {
    expect(fitOf(cryptogram, paid)).toBe(fit);
  });

  it('that was made for no payment fits every amount of its card', () => {
    expect(fitOf(newProof({ number: proven.number }), proven)).toBe('fits');
  });

  it.each([
    'AAACAgSRBklmQCFgMpEGAAAAAAA=',
    Buffer.alloc(20, 0x53).toString('base64'),
    'x',
    '',
    `${cryptogram.slice(0, 3)}AAAA${cryptogram.slice(7)}`,
  ])('is nobody else’s: %j', (other) => {
    expect(fitOf(other, proven)).toBeUndefined();
  });
});
