import { describe, expect, it } from '@jest/globals';
import { parseForm } from './form-parser.js';
import { checkForm } from './violations.js';

const payment = {
  ...{ amount: '92.00', currency: 'EUR', paymentType: 'DB', paymentBrand: 'VISA' },
  ...{ 'card.number': '4200000000000000', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};

function faults(sent: Readonly<Record<string, string>>): readonly object[] {
  const parsed = parseForm(new URLSearchParams({ ...payment, ...sent }).toString());
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  return checkForm(parsed.form, 'payments', 'INTERNAL').violations;
}

const street1 = 'billing.street1';
const street2 = 'billing.street2';

describe('the two lines of a billing address (Interface 2.10)', () => {
  it.each([
    { [street1]: '12345' },
    { [street1]: '12 34' },
    { [street1]: '١٢' },
    { [street1]: '12', [street2]: '34' },
    { [street1]: '12', [street2]: 'Main Street', 'billing.houseNumber1': '7' },
  ])('%j are digits only, which the first one is told of', (sent) => {
    const message = 'must not be digits only together with billing.street2';
    expect(faults(sent)).toEqual([{ name: street1, message }]);
  });

  it('are digits only when the second stands alone', () => {
    const message = 'must not be digits only without billing.street1';
    expect(faults({ [street2]: '17' })).toEqual([{ name: street2, message }]);
  });

  it.each([
    { [street1]: 'Main Street 12' },
    { [street1]: '12', [street2]: 'Main Street' },
    { [street1]: 'Main Street', [street2]: '12' },
    { [street1]: 'Main Street', [street2]: '12', 'billing.houseNumber1': '7' },
    { [street1]: '12-14' },
    { [street2]: 'Main Street' },
    { 'billing.city': 'Graz' },
    // Interface 2.11 and the merchant's own addresses have no such rule.
    { 'shipping.street1': '12345' },
    { 'merchant.billing.street1': '12345', 'merchant.shipping.street2': '1' },
  ])('%j are taken', (sent) => {
    expect(faults(sent)).toEqual([]);
  });
});

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
      const { violations } = checkForm(form(currency, paymentType), 'payments', 'INTERNAL');
      expect(violations).toMatchObject([refused]);
    }
    const { violations } = checkForm(form(currency, 'RB'), 'transaction', 'INTERNAL');
    expect(violations).toMatchObject([refused]);
    for (const paymentType of ['RF', 'RV', 'CP', 'CB']) {
      expect(checkForm(form(currency, paymentType), 'transaction', 'INTERNAL').violations).toEqual(
        [],
      );
    }
  });
});

describe('an amount in a currency without a fraction (Interface 2.3)', () => {
  const yen = { amount: '100', currency: 'JPY' };

  it.each([
    ['taxAmount', yen],
    ['discountAmount', yen],
    ['risk.amount', yen],
    ['forex.amount', { 'forex.currency': 'JPY' }],
    ['threeDSecure.amount', { 'threeDSecure.currency': 'JPY' }],
  ])('%s has none', (name, sent) => {
    const [error] = faults({ ...sent, [name]: '1.50' });
    expect(error).toMatchObject({ name, value: '1.50' });
    expect(error).toHaveProperty('message', expect.stringContaining('must not have a fraction'));
    for (const value of ['1.00', '1', '0.00'])
      expect(faults({ ...sent, [name]: value })).toEqual([]);
  });

  it('has one where its own currency has', () => {
    expect(faults({ ...yen, 'forex.currency': 'EUR', 'forex.amount': '1.50' })).toEqual([]);
    expect(faults({ taxAmount: '1.50', 'forex.currency': 'JPY' })).toEqual([]);
  });
});
