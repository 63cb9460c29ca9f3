import { describe, expect, it } from '@jest/globals';
import { paymentMethodOf } from '@sluice/contracts';
import { knownBrands } from './known-brands.js';

describe('the known brands', () => {
  it.each([
    ['VISA', 'card', 'CC'],
    ['DIRECTDEBIT*', 'bankAccount', 'DD'],
    ['IDEAL', 'bankAccount', 'OT'],
    ['PAYPAL', 'virtualAccount', 'VA'],
    ['APPLEPAY', 'wallet', 'WA'],
  ])('say what %s is paid with: a %s, by %s', (name, kind, method) => {
    const known = knownBrands.find(({ brand }) => brand === name);
    expect(known?.instrument).toMatchObject({ kind, brand: name.replace('*', '') });
    expect(known && paymentMethodOf(known.instrument)).toBe(method);
  });

  it('are there once each', () => {
    const names = knownBrands.map(({ brand }) => brand);
    expect(new Set(names).size).toBe(names.length);
  });
});
