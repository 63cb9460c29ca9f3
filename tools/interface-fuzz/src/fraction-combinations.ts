import type { Combination } from './combination.js';

/**
 * The amount of an authentication is told in the smallest unit, and yen have none below one (2.17). Every
 * other amount beside the one that is paid informs, so a fraction of a yen in it is nobody's error (2.3).
 */
export function fractions(): Combination[] {
  return [
    ['threeDSecure.amount', 'threeDSecure.currency'],
    ...['taxAmount', 'discountAmount', 'risk.amount', 'shipping.cost', 'forex.tax'].map((each) => [
      each,
      'currency',
    ]),
    ['forex.amount', 'forex.currency'],
    ['cart.items[0].price', 'cart.items[0].currency'],
  ].flatMap(([amount = '', currency = '']) =>
    ['JPY', 'EUR'].flatMap((code) =>
      ['1.50', '1.00'].map<Combination>((value) => ({
        rule: `no fraction that the currency does not have: ${amount}`,
        kind: 'payment',
        more: [
          [currency, code],
          [amount, value],
        ],
        refused:
          amount === 'threeDSecure.amount' && code === 'JPY' && value === '1.50' ? [amount] : [],
      })),
    ),
  );
}
