import { describe, expect, it } from '@jest/globals';
import { catalogue, completedForm, deviceNames, formOfParameters } from '@sluice/parameters';
import { facts } from './risk-fixture.js';

/** Whatever a shopper's browser may tell in a checkout, each with a value of his own. */
const OF_SHOPPER = Object.fromEntries(
  Object.entries(catalogue)
    .filter(
      ([name, { kinds }]) =>
        !name.includes('[') && (kinds as readonly string[]).includes('widgetPayment'),
    )
    .map(([name]) => [name, name.endsWith('country') ? 'FR' : `other of ${name}`]),
);

/** What rules know of a payment that a checkout has become. */
function factsOfCheckout(
  ofMerchant: Readonly<Record<string, string>>,
  ofShopper: Readonly<Record<string, string>>,
) {
  const { form } = completedForm(ofMerchant, formOfParameters(ofShopper));
  return facts(Object.fromEntries(form.entries()));
}

const KNOWN = {
  ...{ 'customer.email': 'jane@shop.example', 'customer.ip': '192.0.2.1' },
  ...{ 'customer.merchantCustomerId': 'c-1', 'billing.country': 'DE', 'shipping.country': 'AT' },
};

describe('what a merchant has said in a checkout', () => {
  it.each(deviceNames)('is what rules go by, whatever its shopper tells: %s', (device) => {
    const ofMerchant = { ...KNOWN, [device]: 'd-1' };
    const { payer, ...told } = factsOfCheckout(ofMerchant, OF_SHOPPER);
    const { payer: known, ...said } = facts(ofMerchant);
    expect(payer).toEqual(known);
    expect(known).toEqual({
      ...{ card: 'f1', email: 'jane@shop.example', ip: '192.0.2.1', device: 'd-1' },
      customer: 'c-1',
    });
    const { parameters: _, ...toldFacts } = told;
    const { parameters: __, ...saidFacts } = said;
    expect(toldFacts).toEqual(saidFacts);
  });

  it.each(Object.keys(KNOWN))('is what expressions read: %s', (name) => {
    const { parameters } = factsOfCheckout(KNOWN, OF_SHOPPER);
    expect(parameters[name]).toBe(KNOWN[name as keyof typeof KNOWN]);
  });

  it('may be added to, where the merchant has said nothing', () => {
    const { payer } = factsOfCheckout({}, { 'customer.app.deviceId': 'd-2' });
    expect(payer.device).toBe('d-2');
  });
});
