import { describe, expect, it } from '@jest/globals';
import { isCheckoutId, newCheckoutId } from './checkout-id.js';

describe("a checkout's id", () => {
  it('is 32 uppercase hex digits, a dot and the label of the installation', () => {
    expect(newCheckoutId('test01')).toMatch(/^[0-9A-F]{32}\.test01$/);
    expect(isCheckoutId(newCheckoutId('a-label-of-15-c'))).toBe(true);
  });

  it('is new each time', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newCheckoutId('a'))).size).toBe(1_000);
  });

  it.each(['', 'Upper', 'a.b', 'sixteen-letters-', 'ü'])('has no label like %j', (label) => {
    expect(() => newCheckoutId(label)).toThrow(RangeError);
  });

  it('is told from what cannot be one', () => {
    expect(isCheckoutId('A'.repeat(32))).toBe(true);
    expect(isCheckoutId('A'.repeat(31))).toBe(false);
    expect(isCheckoutId('A'.repeat(49))).toBe(false);
    expect(isCheckoutId(`${'A'.repeat(40)}/../x`)).toBe(false);
  });
});
