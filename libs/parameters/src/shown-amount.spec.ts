import { describe, expect, it } from '@jest/globals';
import { formOfParameters } from './form.js';
import { shownAmount } from './shown-amount.js';

const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
const shown = (
  told: Readonly<Record<string, string>>,
  ofMerchant: Readonly<Record<string, string>> = money,
) => {
  const { form, faults } = shownAmount(ofMerchant, formOfParameters({ a: '1', ...told }));
  return {
    names: [...form.entries()].map(([name]) => name),
    faults: faults.map(({ name }) => name),
  };
};

describe('the amount that a shopper was shown', () => {
  it.each([
    [{}],
    [{ amount: '92.00' }],
    [{ currency: 'EUR' }],
    [{ amount: '92.00', currency: 'EUR' }],
    [{ amount: '92', currency: 'EUR' }],
    [{ amount: '092.00' }],
  ])('is that of the checkout: %j', (told) => {
    expect(shown(told)).toEqual({ names: ['a'], faults: [] });
  });

  it.each([
    [{ amount: '92.01' }, ['amount']],
    [{ amount: '9.20', currency: 'EUR' }, ['amount']],
    [{ amount: '' }, ['amount']],
    [{ amount: 'x' }, ['amount']],
    [{ amount: '0.00' }, ['amount']],
    [{ amount: '92.00', currency: 'USD' }, ['currency']],
    [{ amount: '92.00', currency: 'eur' }, ['currency']],
    [{ currency: '' }, ['currency']],
    [{ amount: '1.00', currency: 'USD' }, ['amount', 'currency']],
  ])('is another one: %j', (told, faults) => {
    expect(shown(told)).toEqual({ names: ['a'], faults });
  });

  it('is told by a merchant in its own spelling', () => {
    const yen = { amount: '92', currency: 'JPY' };
    expect(shown({ amount: '92.00', currency: 'JPY' }, yen).faults).toEqual([]);
    expect(shown({ amount: '92.50', currency: 'JPY' }, yen).faults).toEqual(['amount']);
  });

  it('is compared with nothing where nothing is paid', () => {
    expect(shown({ amount: '92.00' }, { createRegistration: 'true' })).toEqual({
      names: ['a', 'amount'],
      faults: [],
    });
  });
});
