import type { Combination } from './combination.js';

/** An amount is one of its currency (2.3): yen have no fraction. */
export function fractions(): Combination[] {
  return [
    ['taxAmount', 'currency'],
    ['discountAmount', 'currency'],
    ['risk.amount', 'currency'],
    ['forex.amount', 'forex.currency'],
    ['threeDSecure.amount', 'threeDSecure.currency'],
    ['shipping.cost', 'currency'],
    ['merchant.shipping.cost', 'currency'],
    ['cart.items[0].price', 'currency'],
    ['cart.items[0].price', 'cart.items[0].currency'],
    ['cart.items[1].totalAmount', 'currency'],
    ['cart.items[1].taxAmount', 'currency'],
    ['cart.items[1].totalTaxAmount', 'currency'],
    ['cart.items[1].shipping', 'currency'],
    ['cart.items[1].discount', 'currency'],
    ['cart.items[1].totalDiscountAmount', 'cart.items[1].currency'],
    ['cart.payments[0].amount', 'cart.payments[0].currency'],
    ['marketPlace.sellers[0].amount', 'currency'],
    ['airline.totalFareAmount', 'currency'],
    ['airline.passengers[0].legs[0].feesAmount', 'currency'],
    ['forex.tax', 'currency'],
  ].flatMap(([amount = '', currency = '']) =>
    ['JPY', 'EUR'].flatMap((code) =>
      ['1.50', '1.00'].map<Combination>((value) => ({
        rule: `no fraction that the currency does not have: ${amount}`,
        kind: 'payment',
        more: [
          [currency, code],
          [amount, value],
        ],
        refused: code === 'JPY' && value === '1.50' ? [amount] : [],
      })),
    ),
  );
}
