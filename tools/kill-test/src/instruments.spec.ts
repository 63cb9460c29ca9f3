import { describe, expect, it } from '@jest/globals';
import { fieldsOf, storedOnceNumber } from './instruments.js';

const declinedNumber = (reference: string): string | undefined =>
  fieldsOf('declinedCard', { reference, isProven: true })['card.number'];

describe('the cards of payments', () => {
  it('end with their check digit, as another program has computed it', () => {
    expect(storedOnceNumber('kill-0a1b2c3d-00000')).toBe('4200000000010009');
    expect(declinedNumber('kill-0a1b2c3d-00000')).toBe('5454540000000005');
  });

  it('are others for each payment that is declined first', () => {
    const numbers = Array.from({ length: 1_000 }, (_, index) => declinedNumber(`kill-ff-${index}`));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.every((number) => /^545454[0-9]{10}$/u.test(number ?? ''))).toBe(true);
  });

  it('are the same for a while where there is one registration for each', () => {
    expect(storedOnceNumber('kill-ff-00149')).toBe(storedOnceNumber('kill-ff-00000'));
    expect(storedOnceNumber('kill-ff-00150')).not.toBe(storedOnceNumber('kill-ff-00149'));
  });
});
