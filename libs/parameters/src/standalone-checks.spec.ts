import { describe, expect, it } from '@jest/globals';
import { formOfParameters } from './form.js';
import type { StandaloneKind } from './kinds.js';
import { standaloneFaults, standaloneRejection } from './standalone-checks.js';
import { violations } from './violations.js';

const CHECK = {
  ...{ amount: '92.00', currency: 'EUR', paymentBrand: 'VISA', 'card.number': '4200000000000000' },
  ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
};
/** All that is wrong with it. */
const faultsIn = (parameters: Readonly<Record<string, string>>, kind: StandaloneKind) => {
  const form = formOfParameters(parameters);
  return [...standaloneFaults(form, kind), ...violations(form, kind, 'INTERNAL')];
};
const ADDRESS = {
  ...{ 'billing.street1': 'Hauptstr. 1', 'billing.city': 'Berlin' },
  ...{ 'billing.postcode': '10115', 'billing.country': 'DE' },
};
const asked = { mode: 'INTERNAL', nowMs: Date.UTC(2026, 10, 27) } as const;

describe('a risk check alone', () => {
  it.each(['DB', 'PA', 'CD', 'RE', 'ri'])('is of no other type: %s', (paymentType) => {
    const form = formOfParameters({ ...CHECK, paymentType });
    expect(standaloneFaults(form, 'risk')).toEqual([
      { name: 'paymentType', message: expect.stringContaining('is RI') },
    ]);
  });

  it.each([{}, { paymentType: 'RI' }, { paymentType: '' }])('may say so: %j', (type) => {
    expect(standaloneFaults(formOfParameters({ ...CHECK, ...type }), 'risk')).toEqual([]);
  });

  it('says nothing of authentications, of acquirers and of later money', () => {
    const nothing = {
      ...{ 'threeDSecure.eci': '05', 'threeDSecure.amount': '9.00', numberOfCaptures: '2' },
      ...{ 'recurring.numberOfInstallments': '3' },
      'customParameters[forceResultCode]': '800.100.151',
    };
    const faults = faultsIn({ ...CHECK, ...nothing }, 'risk');
    expect(faults.map(({ name }) => name).sort()).toEqual(Object.keys(nothing).sort());
    const silent = {
      ...{ 'threeDSecure.npa': '', numberOfCaptures: '', createRegistration: 'false' },
      'recurring.numberOfInstallments': '1',
    };
    expect(faultsIn({ ...CHECK, ...silent }, 'risk')).toEqual([]);
  });

  it.each([
    ['paymentBrand', { paymentBrand: 'GIFTCARD' }],
    ['paymentBrand', { paymentBrand: 'GIFTCARD', 'giftCard.number': '6006491260550218' }],
    ['giftCard.number', { 'giftCard.number': '6006491260550218' }],
  ])('is of no gift card, and says that of %s: %j', (name, account) => {
    const form = formOfParameters({ amount: '92.00', currency: 'EUR', ...account });
    expect(standaloneFaults(form, 'risk')).toEqual([
      { name, message: expect.stringContaining('gift card') },
    ]);
  });

  it('needs no security code, as no issuer is asked; an authentication does as before', () => {
    const form = formOfParameters(CHECK);
    expect(standaloneRejection(form, { kind: 'risk', ...asked })).toBeUndefined();
    const wrong = formOfParameters({ ...CHECK, 'card.number': '4200000000000001' });
    expect(standaloneRejection(wrong, { kind: 'risk', ...asked })).toEqual({ code: '100.100.101' });
    expect(standaloneRejection(form, { kind: 'threeDSecure', ...asked })).toEqual({
      code: '100.100.600',
    });
  });
});

describe('an authentication alone', () => {
  const browser = {
    ...{ 'customer.browser.acceptHeader': 'text/html', 'customer.browser.language': 'en-GB' },
    ...{ 'customer.browser.screenHeight': '1080', 'customer.browser.screenWidth': '1920' },
    ...{ 'customer.browser.timezone': '-60', 'customer.browser.javaEnabled': 'false' },
    'customer.browser.userAgent': 'Mozilla/5.0',
  };
  const faultsOf = (more: Readonly<Record<string, string>>) =>
    faultsIn({ ...CHECK, ...browser, ...more }, 'threeDSecure');

  it.each([
    ['paymentType', 'DB'],
    ['threeDSecure.dsTransactionId', 'c75f23af-9454-43f6-ba17-130ed529507e'],
    ['threeDSecure.acsTransactionId', 'c75f23af-9454-43f6-ba17-130ed529507e'],
    ['threeDSecure.authType', '01'],
    ['threeDSecure.transactionStatusReason', '01'],
    ['threeDSecure.version', '2.2.0'],
    ['bankAccount.iban', 'DE23100000001234567890'],
    ['giftCard.number', '6006491260550218'],
    ['numberOfCaptures', '2'],
    ['recurring.numberOfInstallments', '3'],
    ['customParameters[forceResultCode]', '800.100.151'],
    ['risk.channelId', 'shop-de'],
    ['risk.serviceId', 'card-checks'],
    ['risk.orderTimestamp', '2026-11-02 14:05:37'],
    ['risk.brand', 'VISA'],
    ['risk.parameters[known]', 'returning'],
    ['risk.merchantWebsite', 'https://shop.example'],
    ['risk.accountToken', 'b2c7e91f4d35'],
  ])('refuses what would do nothing: %s=%s', (name, value) => {
    expect(faultsOf({ [name]: value })).toMatchObject([{ name, message: expect.any(String) }]);
    expect(faultsOf({ [name]: '' })).toEqual([]);
  });

  it('is about an amount of risk, which is one', () => {
    expect(faultsOf({ 'risk.amount': '1000.00' })).toEqual([]);
    expect(faultsOf({ 'risk.amount': 'abc' })).toMatchObject([{ name: 'risk.amount' }]);
  });

  it.each(['1', '01', '2', '02'])('is begun by no channel of a shopper: %s', (channel) => {
    const faults = faultsOf({ ...ADDRESS, 'threeDSecure.channel': channel });
    expect(faults).toEqual([
      { name: 'threeDSecure.channel', message: expect.stringContaining('3RI'), value: channel },
    ]);
    expect(faultsOf({ ...ADDRESS, 'threeDSecure.channel': '03' })).toEqual([]);
  });

  it.each<readonly [purpose: string, reason: string]>([
    ['RECURRING', ''],
    ['MAINTAIN_CARD', ''],
    ['PAYMENT', 'SPLIT_SHIPMENT'],
  ])('is for nothing that no issuer is told where the merchant begins it: %s, %s', (...said) => {
    const [purpose, reason] = said;
    const why = reason === '' ? {} : { 'threeDSecure.threeRIInd': reason };
    const begun = { ...ADDRESS, 'threeDSecure.channel': '03', ...why };
    expect(faultsOf({ ...begun, 'threeDSecure.authenticationInd': purpose })).toEqual([
      {
        name: 'threeDSecure.authenticationInd',
        message: expect.stringContaining('is threeDSecure.threeRIInd'),
        value: purpose,
      },
    ]);
    const same = reason === '' ? 'PAYMENT' : reason;
    expect(faultsOf({ ...begun, 'threeDSecure.authenticationInd': same })).toEqual([]);
  });

  it.each([
    { paymentType: '3D' },
    { 'threeDSecure.challengeMandatedIndicator': 'Y', 'threeDSecure.amount': '50.00' },
    { 'recurring.numberOfInstallments': '1', 'giftCard.message': 'For you' },
  ])('takes what says how it is to be: %j', (more) => {
    expect(faultsOf(more)).toEqual([]);
  });
});
