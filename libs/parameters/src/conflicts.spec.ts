import { describe, expect, it } from '@jest/globals';
import { parseForm } from './form-parser.js';
import { checkForm } from './violations.js';

const card = {
  ...{ 'card.number': '4200000000000000', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};
const payment = {
  ...{ amount: '92.00', currency: 'EUR', paymentType: 'DB', paymentBrand: 'VISA' },
  ...card,
};

function faults(sent: Readonly<Record<string, string>>): readonly object[] {
  const parsed = parseForm(new URLSearchParams({ ...payment, ...sent }).toString());
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  return checkForm(parsed.form, 'payments', 'INTERNAL').violations;
}

describe.each(['billing', 'merchant.billing'])(
  'the two lines of %s (Interface 2.10)',
  (address) => {
    const [street1, street2] = [`${address}.street1`, `${address}.street2`];
    const houseNumber = { [`${address}.houseNumber1`]: '7' };

    it.each([
      { [street1]: '12345' },
      { [street1]: '12 34' },
      { [street1]: '١٢' },
      { [street1]: '１２' },
      { [street1]: '१२', [street2]: '٣' },
      { [street1]: '12', [street2]: '34' },
      { [street1]: '12', [street2]: 'Main Street', ...houseNumber },
    ])('%j are digits only, which the first one is told of', (sent) => {
      const message = `must not be digits only together with ${street2}`;
      expect(faults(sent)).toEqual([{ name: street1, message }]);
    });

    it.each(['17', '١٧'])('are digits only when the second, %s, stands alone', (second) => {
      const message = `must not be digits only without ${street1}`;
      expect(faults({ [street2]: second })).toEqual([{ name: street2, message }]);
    });

    it.each([
      { [street1]: 'Main Street 12' },
      { [street1]: '12', [street2]: 'Main Street' },
      { [street1]: 'Main Street', [street2]: '12' },
      { [street1]: 'Main Street', [street2]: '12', ...houseNumber },
      { [street1]: '12-14' },
      { [street2]: 'Main Street' },
      { [`${address}.city`]: 'Graz' },
      // Interface 2.11 has no such rule.
      { 'shipping.street1': '12345', 'shipping.street2': '١' },
      { 'merchant.shipping.street1': '12345', 'merchant.shipping.street2': '1' },
    ])('%j are taken', (sent) => {
      expect(faults(sent)).toEqual([]);
    });
  },
);

describe('what 3-D Secure knows since version 2.2 (Interface 2.17)', () => {
  const wish = { 'threeDSecure.challengeIndicator': '04' };
  const exemption = { 'threeDSecure.exemptionFlag': '01' };

  it.each(['1.0.2', '2.0.1', '2.1.0'])('does not come with %s', (version) => {
    const message = 'needs a threeDSecure.version of 2.2 or higher';
    expect(faults({ ...wish, ...exemption, 'threeDSecure.version': version })).toEqual([
      { name: 'threeDSecure.challengeIndicator', value: '04', message },
      { name: 'threeDSecure.exemptionFlag', value: '01', message },
    ]);
    expect(faults({ 'threeDSecure.version': version })).toEqual([]);
  });

  it.each(['2.2.0', '2.3.1', '2.10.0'])('comes with %s', (version) => {
    expect(faults({ ...wish, ...exemption, 'threeDSecure.version': version })).toEqual([]);
  });

  it('comes where no version is said', () => {
    expect(faults({ ...wish, ...exemption })).toEqual([]);
  });
});

describe('a currency that was withdrawn', () => {
  const refused = { name: 'currency', message: expect.stringContaining('no longer in use') };
  const form = (currency: string, paymentType: string) => {
    const parsed = parseForm(
      new URLSearchParams({
        ...{ amount: '92.00', currency, paymentType },
        ...{ 'card.number': '4200000000000000', 'card.expiryMonth': '05' },
        'card.expiryYear': '2034',
      }).toString(),
    );
    if (parsed.kind !== 'form') throw new Error('the form cannot be read');
    return parsed.form;
  };

  it.each(['ANG', 'BGN'])('%s takes no new payment, and is given back', (currency) => {
    for (const paymentType of ['DB', 'PA', 'CD']) {
      const { violations: found } = checkForm(form(currency, paymentType), 'payments', 'INTERNAL');
      expect(found).toMatchObject([refused]);
    }
    const { violations: found } = checkForm(form(currency, 'RB'), 'transaction', 'INTERNAL');
    expect(found).toMatchObject([refused]);
    for (const paymentType of ['RF', 'RV', 'CP', 'CB']) {
      expect(checkForm(form(currency, paymentType), 'transaction', 'INTERNAL').violations).toEqual(
        [],
      );
    }
  });
});

describe('an authentication for an amount without a smaller unit (Interface 2.17)', () => {
  const yen = { 'threeDSecure.currency': 'JPY' };

  it('has no fraction', () => {
    const [error] = faults({ ...yen, 'threeDSecure.amount': '1.50' });
    expect(error).toMatchObject({ name: 'threeDSecure.amount', value: '1.50' });
    expect(error).toHaveProperty('message', expect.stringContaining('must not have a fraction'));
    expect(faults({ ...yen, 'threeDSecure.amount': '1.00' })).toEqual([]);
    expect(faults({ 'threeDSecure.currency': 'EUR', 'threeDSecure.amount': '1.50' })).toEqual([]);
  });
});

describe('an amount that only informs (Interface 2.3)', () => {
  it.each([
    ...['taxAmount', 'discountAmount', 'risk.amount', 'forex.amount', 'forex.tax', 'shipping.cost'],
    ...['cart.items[0].price', 'cart.items[0].taxAmount', 'marketPlace.sellers[0].amount'],
  ])('%s may have a fraction of a yen', (name) => {
    const sent = { amount: '100', currency: 'JPY', 'forex.currency': 'JPY', [name]: '8.18' };
    expect(faults(sent)).toEqual([]);
  });
});
