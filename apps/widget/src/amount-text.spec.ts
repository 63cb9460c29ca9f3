import { describe, expect, it } from '@jest/globals';
import { amountText, isSameAmount } from './amount-text.js';
import type { Language } from './languages.js';

/** Spaces of several widths are spaces here. */
const textOf = (amount: string, currency: string, language: Language, locale: string = language) =>
  amountText({ amount, currency }, language, locale).replaceAll(/[\u00a0\u202f]/g, ' ');

describe('the amount of a checkout', () => {
  it('is written as people of the locale write it', () => {
    expect(textOf('1234.50', 'EUR', 'en', 'en-US')).toBe('€1,234.50');
    expect(textOf('1234.50', 'EUR', 'de')).toBe('1.234,50 €');
    expect(textOf('1234.50', 'CHF', 'de', 'de_CH')).toBe("CHF 1'234.50");
    expect(textOf('92.00', 'JPY', 'ja')).toBe('￥92');
    // The interface names this language by its country.
    expect(textOf('92.00', 'DKK', 'da', 'dk')).toBe('92,00 kr.');
  });

  it('is as it came where nobody knows how to write it', () => {
    expect(textOf('92.00', '978', 'en')).toBe('92.00 978');
  });

  it('is the same in whatever way a shop writes it', () => {
    const charged = { amount: '92.00', currency: 'EUR' };
    for (const same of ['92.00 EUR', '92,00', '€ 92', '92']) {
      expect([same, isSameAmount(same, charged)]).toEqual([same, true]);
    }
    expect(isSameAmount('1.234,50 €', { amount: '1234.50', currency: 'EUR' })).toBe(true);
    for (const other of ['93.00', '920', '9.2', '', 'EUR']) {
      expect([other, isSameAmount(other, charged)]).toEqual([other, false]);
    }
  });
});
