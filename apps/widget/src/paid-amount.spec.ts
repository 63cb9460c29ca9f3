import { describe, expect, it } from '@jest/globals';
import type { ChargedAmount } from './amount-text.js';
import { PaidAmount } from './paid-amount.js';

const euros = { amount: '92.00', currency: 'EUR' };

function paid(charged: ChargedAmount | undefined, now?: ChargedAmount) {
  const shown: (string | undefined)[] = [];
  const amount: PaidAmount = new PaidAmount({
    ...{ language: 'en', locale: 'en', charged },
    ask: () => Promise.resolve(now),
    changed: () => shown.push(amount.text),
  });
  return { amount, shown };
}

describe('what is paid', () => {
  it('is shown as people write it, and said as the gateway does', () => {
    const { amount } = paid(euros);
    expect(amount.text).toBe('€92.00');
    expect(amount.posted).toEqual([
      ['amount', '92.00'],
      ['currency', 'EUR'],
    ]);
  });

  it('is neither shown nor said where nobody knows', () => {
    const { amount } = paid(undefined);
    expect([amount.text, amount.posted]).toEqual([undefined, []]);
  });

  it('is another one once it was asked for again', async () => {
    const { amount, shown } = paid(euros, { amount: '93.00', currency: 'EUR' });
    await amount.askAgain();
    expect(shown).toEqual(['€93.00']);
    expect(amount.posted).toContainEqual(['amount', '93.00']);
  });

  it('stays where nobody answers', async () => {
    const { amount, shown } = paid(euros);
    await amount.askAgain();
    expect(shown).toEqual(['€92.00']);
  });
});
