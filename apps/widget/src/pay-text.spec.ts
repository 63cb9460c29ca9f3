import { describe, expect, it } from '@jest/globals';
import { english } from './english.js';
import { textsWith } from './languages.js';
import { readOptions } from './options.js';
import { payText } from './pay-text.js';

/** What of a page's options says what the button does. */
interface Given {
  readonly total?: unknown;
  readonly labels?: object;
  readonly useSummaryPage?: boolean;
  readonly onSaveTransactionData?: () => void;
}

function textBy(given: Given, amount?: string) {
  const { options } = readOptions(given);
  return payText({ options, amount, texts: textsWith(english, options.labels) });
}

describe('the button that pays', () => {
  it('says the amount where the shop wants it and it is known', () => {
    expect(textBy({ total: true }, '€92.00')).toBe('Pay €92.00');
    expect(textBy({ total: '92.00 EUR' }, '€92.00')).toBe('Pay €92.00');
    expect(textBy({}, '€92.00')).toBe('Pay now');
    expect(textBy({ total: false }, '€92.00')).toBe('Pay now');
    expect(textBy({ total: true })).toBe('Pay now');
  });

  it('says what it does where the page shows a summary of its own', () => {
    const callback = { onSaveTransactionData: () => undefined };
    expect(textBy({ useSummaryPage: true, total: true, ...callback }, '€92.00')).toBe(
      english.review,
    );
    expect(textBy(callback)).toBe('Pay now');
    expect(textBy({ useSummaryPage: true })).toBe('Pay now');
  });

  it('says it in the words of the shop', () => {
    expect(textBy({ total: true, labels: { submit: 'Buy tickets' } }, '$5')).toBe('Buy tickets $5');
    const labels = { submit: 'Buy', payAmount: '{amount}, please' };
    expect(textBy({ total: true, labels }, '$&')).toBe('$&, please');
  });
});
