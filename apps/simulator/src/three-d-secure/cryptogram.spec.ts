import { describe, expect, it } from '@jest/globals';
import { fitOf, madeHere, newProof } from './cryptogram.js';

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

  it('of an attempt is none of an authentication, whatever is paid', () => {
    const attempt = newProof({ ...proven, isAttempt: true });
    for (const eci of ['05', '02']) {
      expect(fitOf(attempt, { ...proven, eci })).toBe('otherOutcome');
      expect(fitOf(cryptogram, { ...proven, eci })).toBe('fits');
    }
    expect(fitOf(attempt, { ...proven, eci: '06' })).toBe('fits');
    expect(fitOf(attempt, { ...proven, eci: '01', amount: '1.00' })).toBe('otherAmount');
    expect(fitOf(attempt, { ...proven, number: '4200000000000026', eci: '05' })).toBe('otherCard');
    expect(fitOf(attempt, proven)).toBe('fits');
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

  it('is the same one however its bytes are spelt, so that none is used twice', () => {
    // Bytes with both of the characters that base64 has two alphabets for.
    const proofs = Array.from({ length: 5_000 }, () => newProof(proven));
    const spelt = proofs.find((each) => each.includes('+') && each.includes('/')) ?? cryptogram;
    const spellings = [spelt.replaceAll('+', '-').replaceAll('/', '_'), spareBitIn(spelt)];
    const { mark } = madeHere(spelt, proven) ?? {};
    expect(mark).toBeDefined();
    for (const other of spellings) {
      expect(other).not.toBe(spelt);
      expect(madeHere(other, proven)).toEqual({ fit: 'fits', mark });
    }
  });
});

/** The same bytes, with another of the two bits that follow them. */
function spareBitIn(base64: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const last = alphabet.indexOf(base64.at(-2) ?? '');
  return `${base64.slice(0, -2)}${alphabet.charAt(last + 1)}=`;
}
