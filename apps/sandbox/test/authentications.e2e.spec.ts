import { describe, expect, it } from '@jest/globals';
import { accessibilityFaults } from './chromium.js';
import { APPROVED, type Body, type Fields, MONEY, send } from './demo-merchant-fixture.js';
import { BROWSER_WITHIN_MS, ShopperVisit } from './shopper-fixture.js';

const visit = new ShopperVisit();

const card = (number: string): Fields => ({
  ...{ ...MONEY, paymentBrand: 'VISA', 'card.number': number, 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', 'card.cvv': '123' },
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'en-GB',
  'customer.browser.screenHeight': '1080',
  'customer.browser.screenWidth': '1920',
  'customer.browser.timezone': '-60',
  'customer.browser.javaEnabled': 'false',
  'customer.browser.userAgent': 'Mozilla/5.0',
});

const pay = (fields: Fields): Promise<Body> =>
  send(visit.sandbox, ['POST', '/v1/payments'], fields);
const read = (id: string): Promise<Body> => send(visit.sandbox, ['GET', `/v1/payments/${id}`]);

describe('a payment by a card whose issuer does not ask', () => {
  it(
    'is answered at once, with what the issuer has found out',
    async () => {
      const paid = await pay(card('4200000000000026'));
      expect(paid).toMatchObject({
        result: { code: APPROVED },
        threeDSecure: {
          ...{ eci: '05', authenticationStatus: 'Y', flow: 'frictionless', version: '2.2.0' },
          liabilityShifts: true,
        },
        resultDetails: { '3ds.acsEci': '05' },
      });
      expect(paid).not.toHaveProperty('threeDSecure.verificationId');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'covers no more than the issuer was asked about, and says how much that is',
    async () => {
      const short = { 'threeDSecure.amount': '50.00' };
      const paid = await pay({ ...card('4200000000000026'), ...short });
      expect(paid).toMatchObject({
        ...{ amount: '92.00', result: { code: APPROVED } },
        threeDSecure: {
          ...{ authenticationStatus: 'Y', eci: '05', liabilityShifts: false },
          ...{ amount: '50.00', currency: 'EUR' },
        },
      });
      expect(await read(paid.id)).toMatchObject({ threeDSecure: paid['threeDSecure'] });
      const whole = await pay({ ...card('4200000000000026'), 'risk.amount': '100.00' });
      expect(whole).toMatchObject({ threeDSecure: { liabilityShifts: true } });
      expect(whole).not.toHaveProperty('threeDSecure.amount');
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is told what it is for by the version that has a word for it',
    async () => {
      const parameters = {
        ...{ ...card('4200000000000026'), 'threeDSecure.authenticationInd': 'SPLIT_SHIPMENT' },
        ...{ 'billing.street1': 'Main Street 1', 'billing.city': 'London' },
        ...{ 'billing.country': 'GB', 'billing.postcode': 'SW1A 1AA' },
      };
      expect(await pay(parameters)).toMatchObject({
        ...{ result: { code: APPROVED }, threeDSecure: { version: '2.3.1' } },
      });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'is refused with why, where the issuer says no',
    async () => {
      const paid = await pay(card('4012001037141112'));
      expect(paid).toMatchObject({ threeDSecure: { authenticationStatus: 'N' } });
      expect(paid.result.code).toBe('000.400.102');
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a payment by a stored card', () => {
  it(
    'has its shopper asked as well, who comes back to the shop',
    async () => {
      const { amount: _, currency: __, paymentType: ___, ...stored } = card('4200000000000000');
      const { id } = await send(visit.sandbox, ['POST', '/v1/registrations'], stored);
      const { 'card.number': ____, ...others } = card('');
      const told = Object.entries(others).filter(
        ([name]) => !/^(?:card\.|paymentBrand)/.test(name),
      );
      const pending = await visit.pay({
        ...Object.fromEntries(told),
        ...{ registrationId: id, 'threeDSecure.challengeIndicator': '04' },
        'customParameters[3DS2_enrolled]': 'true',
      });
      await visit.page.goto(pending.redirect.url);
      await visit.page.getByLabel('Code from your text message').fill('123456');
      await visit.choose('Confirm');
      await visit.isBack();
      expect(await read(pending.id)).toMatchObject({
        ...{ result: { code: APPROVED }, registrationId: id },
        threeDSecure: { authenticationStatus: 'Y', flow: 'challenge', challengeIndicator: '04' },
      });
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a payment that the merchant initiates', () => {
  const byMerchant = {
    ...{ 'standingInstruction.source': 'MIT', 'standingInstruction.mode': 'REPEATED' },
    ...{ 'standingInstruction.type': 'UNSCHEDULED' },
    'standingInstruction.initialTransactionId': 'ABC123',
  };

  it(
    'is authenticated without the shopper where that is asked for, and not otherwise',
    async () => {
      const fields = { ...card('4200000000000026'), ...byMerchant };
      expect(await pay(fields)).not.toHaveProperty('threeDSecure');
      const billing = {
        ...{ 'billing.street1': 'Main Street 1', 'billing.city': 'London' },
        ...{ 'billing.country': 'GB', 'billing.postcode': 'SW1A 1AA' },
      };
      expect(await pay({ ...fields, ...billing, 'threeDSecure.channel': '3' })).toMatchObject({
        ...{ result: { code: APPROVED }, threeDSecure: { authenticationStatus: 'Y' } },
      });
    },
    BROWSER_WITHIN_MS,
  );
});

describe('a payment by a card whose issuer asks', () => {
  it(
    'is made once the shopper has given the right code',
    async () => {
      const pending = await visit.pay(card('4200000000000018'));
      expect(pending.result.code).toBe('000.200.000');
      await visit.page.goto(pending.redirect.url);
      await visit.page.getByLabel('Code from your text message').fill('123456');
      await visit.choose('Confirm');
      await visit.isBack();
      expect(await read(pending.id)).toMatchObject({
        result: { code: APPROVED },
        threeDSecure: { eci: '05', authenticationStatus: 'Y', flow: 'challenge' },
      });
    },
    BROWSER_WITHIN_MS,
  );

  it(
    'has the browser looked at on our own page before, where no page of the shop has done so',
    async () => {
      const pending = await visit.pay(card('4200000000000042'));
      expect(pending.redirect.preconditions).toHaveLength(1);
      const done = visit.page.waitForRequest(`**/redirects/${pending.id}/method`);
      await visit.page.goto(pending.redirect.url);
      expect((await done).method()).toBe('POST');
      await visit.page.getByLabel('Code from your text message').waitFor();
      expect(await accessibilityFaults(visit.page)).toEqual([]);
      await visit.choose('Cancel');
      await visit.isBack();
      expect(await read(pending.id)).toMatchObject({
        result: { code: '100.396.101' },
      });
    },
    BROWSER_WITHIN_MS,
  );
});
