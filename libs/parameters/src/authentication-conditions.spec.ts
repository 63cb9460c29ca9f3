import { describe, expect, it } from '@jest/globals';
import { address, card, faults, faultsOf, paid } from './conditions-fixture.js';

const browser = {
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'en-GB',
  'customer.browser.screenHeight': '1080',
  'customer.browser.screenWidth': '1920',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
};

const ID = 'c75f23af-9454-43f6-ba17-130ed529507e';
const proof = { 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' };

describe('an authentication by 3-D Secure version 2 (Interface 2.9, 2.10, 2.17)', () => {
  const asked = { 'threeDSecure.authenticationInd': 'PAYMENT' };

  it.each<[string, Readonly<Record<string, string>>]>([
    ['threeDSecure.eci', { 'threeDSecure.eci': '07' }],
    ['threeDSecure.verificationId', proof],
    ['threeDSecure.dsTransactionId', { ...proof, 'threeDSecure.dsTransactionId': ID }],
  ])('is not asked for where %s of an external server came', (_, sent) => {
    expect(faults({ ...asked, 'threeDSecure.npa': 'true', ...sent })).toEqual([]);
  });

  it('is not asked for where the proof of an external server is not all there', () => {
    const faulty = (sent: Readonly<Record<string, string>>) =>
      faults({ ...asked, 'threeDSecure.npa': 'true', ...sent });
    const [id, eci] = ['threeDSecure.dsTransactionId', 'threeDSecure.eci'];
    expect(faulty({ [id]: ID })).toEqual([id]);
    expect(faulty({ [eci]: '05' })).toEqual(['threeDSecure.verificationId']);
    expect(faulty({ [eci]: '02', ...proof })).toEqual([eci]);
  });

  it.each([
    asked,
    { 'threeDSecure.npa': 'true' },
    { 'threeDSecure.decoupled': 'true' },
    { 'threeDSecure.npa': 'false', 'threeDSecure.decoupled': 'true' },
  ])('%j needs address and browser', (sent) => {
    expect(faults(sent)).toEqual([...Object.keys(browser), ...Object.keys(address)]);
    expect(faults({ ...sent, ...address })).toEqual(Object.keys(browser));
    expect(faults({ ...sent, ...browser })).toEqual(Object.keys(address));
    expect(faults({ ...sent, ...browser, ...address })).toEqual([]);
  });

  it.each([
    { 'threeDSecure.deviceInfo': 'device' },
    { 'threeDSecure.channel': '3' },
    { 'threeDSecure.threeRIInd': 'RECURRING' },
  ])('%j needs the address, and has no browser', (sent) => {
    expect(faults(sent)).toEqual(Object.keys(address));
    expect(faults({ ...sent, ...address })).toEqual([]);
  });

  it.each([
    { ...proof, 'threeDSecure.eci': '05', 'threeDSecure.dsTransactionId': 'd'.repeat(36) },
    { 'threeDSecure.challengeIndicator': '04' },
    { 'threeDSecure.version': '2.2.0' },
    { 'threeDSecure.npa': 'false' },
    { 'threeDSecure.decoupled': 'false' },
    { 'threeDSecure.v2.visa.requestorId': 'r', 'threeDSecure.merchant.name': 'Shop' },
    { ...asked, 'threeDSecure.disable': 'true' },
    {},
  ])('%j asks for none', (sent) => {
    expect(faults(sent)).toEqual([]);
  });

  it('is asked for all the same when it is not disabled', () => {
    expect(faults({ ...asked, 'threeDSecure.disable': 'false' })).toHaveLength(11);
  });

  it('of a checkout learns the browser from the widget', () => {
    expect(faultsOf('checkout', { ...paid, ...asked })).toEqual(Object.keys(address));
  });

  it('says how many installments there may be', () => {
    const complete = { ...asked, ...browser, ...address };
    const installments = { 'standingInstruction.type': 'INSTALLMENT' };
    const number = { 'standingInstruction.numberOfInstallments': '12' };
    const missing = ['standingInstruction.numberOfInstallments'];
    expect(faults({ ...complete, ...installments })).toEqual(missing);
    expect(faults({ ...complete, ...installments, ...number })).toEqual([]);
    expect(faults({ ...complete, 'standingInstruction.type': 'RECURRING' })).toEqual([]);
    expect(faults(installments)).toEqual([]);
  });

  it('tells the national scheme the use case', () => {
    const complete = { ...asked, ...browser, ...address };
    const useCase = 'threeDSecure.schemeData[CB-USECASE]';
    const score = { 'threeDSecure.schemeData[CB-SCORE_MERCHANT]': '7' };
    const requestor = { 'threeDSecure.v2.cartebancaire.requestorId': 'r' };
    for (const national of [score, requestor]) {
      expect(faults({ ...complete, ...national })).toEqual([useCase]);
      expect(faults({ ...complete, ...national, [useCase]: '01' })).toEqual([]);
      const npa = { ...complete, ...national, 'threeDSecure.npa': 'true' };
      expect(faults(npa)).toEqual([]);
      for (const indicator of ['RECURRING', 'INSTALLMENT']) {
        expect(faults({ ...npa, 'threeDSecure.authenticationInd': indicator })).toEqual([useCase]);
      }
    }
    expect(faults(score)).toEqual([]);
    expect(faults({ ...complete, 'threeDSecure.v2.visa.requestorId': 'r' })).toEqual([]);
  });
});

describe('a request for an authentication alone (wire contract 6)', () => {
  const { paymentType: _, ...money } = paid;
  const asked = { ...money, ...card };

  it('needs the browser, and no address, as clients have always sent it', () => {
    const listed = { ...asked, shopperResultUrl: 'https://shop.example/result' };
    expect(faultsOf('threeDSecure', listed)).toEqual(Object.keys(browser));
    expect(faultsOf('threeDSecure', { ...listed, ...browser })).toEqual([]);
  });

  it.each([
    { 'threeDSecure.authenticationInd': 'PAYMENT' },
    { 'threeDSecure.npa': 'true' },
    { 'threeDSecure.decoupled': 'true' },
  ])('that says %j asks for version 2, and needs the address', (wish) => {
    const sent = { ...asked, ...browser, ...wish };
    expect(faultsOf('threeDSecure', sent)).toEqual(Object.keys(address));
    expect(faultsOf('threeDSecure', { ...sent, ...address })).toEqual([]);
  });

  it('from an app has no browser', () => {
    const fromApp = { ...asked, 'threeDSecure.deviceInfo': 'device' };
    expect(faultsOf('threeDSecure', fromApp)).toEqual(Object.keys(address));
    expect(faultsOf('threeDSecure', { ...fromApp, ...address })).toEqual([]);
  });

  it.each([
    ['merchantTransactionId', 'short'],
    ['transactionCategory', 'E-C'],
    ['merchant.country', 'de'],
    ['threeDSecure.challengeIndicator', '10'],
    ['threeDSecure.exemptionFlag', '05'],
    ['threeDSecure.schemeData[CB-ITEMSNB]', 'two'],
    ['standingInstruction.expiry', 'tomorrow'],
  ])('looks at %s', (name, value) => {
    const useCase = { 'threeDSecure.schemeData[CB-USECASE]': '01' };
    const sent = { ...asked, ...browser, ...address, ...useCase, [name]: value };
    expect(faultsOf('threeDSecure', sent)).toEqual([name]);
  });

  it('says how many installments there may be', () => {
    const sent = { ...asked, ...browser, ...address, 'standingInstruction.type': 'INSTALLMENT' };
    const number = 'standingInstruction.numberOfInstallments';
    expect(faultsOf('threeDSecure', sent)).toEqual([number]);
    expect(faultsOf('threeDSecure', { ...sent, [number]: '12' })).toEqual([]);
  });
});

describe("the time zone of the shopper's browser (Interface 2.9)", () => {
  const timezone = 'customer.browser.timezone';

  it.each(['0', '-60', '+840', '-9999', '99999'])('may be %s', (value) => {
    expect(faults({ [timezone]: value })).toEqual([]);
    expect(faults({ [`shipping.${timezone}`]: value })).toEqual([]);
  });

  it.each(['100000', '-12345', 'CET', '1.5', '-', '+05:30', '٣'])('is not %s', (value) => {
    expect(faults({ [timezone]: value })).toEqual([timezone]);
  });
});
