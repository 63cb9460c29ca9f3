import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuthenticationWish, InitiatePayment, ShownAuthentication } from '@sluice/contracts';
import { newCheckoutId } from '@sluice/identifiers';
import { bearer, call, debit, formText, type Parameters, post } from './http-client.js';
import { QueryUnavailable } from '@sluice/messaging';
import {
  entityId,
  personalOf,
  registered,
  replying,
  ScriptedEdge,
  viewOf,
} from './scripted-edge.js';
import { ID, money } from './stored-card.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const pay = (parameters: Parameters = {}) =>
  post(`${edge.url}/v1/payments`, { ...debit, ...parameters });
const FORM = 'application/x-www-form-urlencoded';
const challenge = { 'threeDSecure.challengeIndicator': '04' };

/** What payments is told. */
function wished(): AuthenticationWish | undefined {
  const { data } = edge.command as InitiatePayment;
  return data.authentication;
}

describe('a payment by card', () => {
  it('says where its shopper would begin, should the channel want to know him', async () => {
    const { body } = await pay();
    expect(wished()).toEqual({ redirectUrl: `${edge.url}/redirects/${body.id}` });
  });

  it.each([
    ['customParameters[3DS2_enrolled]', { 'customParameters[3DS2_enrolled]': 'true' }],
    ['this test card', { 'card.number': '4012001037141112' }],
    ['threeDSecure.challengeIndicator 04', challenge],
  ])('says that %s demands it', async (demandedBy, parameters) => {
    const { status } = await pay(parameters);
    expect(status).toBe(200);
    expect(wished()).toMatchObject({ demandedBy });
    expect(edge.command.data).not.toHaveProperty('rejection');
  });

  it('tells the issuers of a test what to do, and refuses what they do not know', async () => {
    const flow = 'customParameters[3DS2_flow]';
    await pay({ [flow]: 'challenge', 'customParameters[3DS2_enrolled]': 'true' });
    expect(edge.command.data).toMatchObject({
      testDirectives: { '3DS2_flow': 'challenge', '3DS2_enrolled': 'true' },
    });
    const { status, body } = await pay({ [flow]: 'challenged' });
    expect([status, body.result.code]).toEqual([400, '200.300.404']);
    expect(body.result.parameterErrors).toMatchObject([{ name: flow }]);
  });

  it('hands on what it was asked with', async () => {
    await pay({ ...challenge, 'threeDSecure.v2.visa.requestorId': 'shop-1' });
    expect(edge.command.data.parameters).toMatchObject({
      ...challenge,
      'threeDSecure.v2.visa.requestorId': 'shop-1',
    });
  });

  it.each([
    { 'threeDSecure.disable': 'true' },
    { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' },
    { paymentType: 'CD' },
    { transactionCategory: 'MOTO' },
  ])('with %j has nobody authenticated', async (parameters) => {
    expect((await pay(parameters)).status).toBe(200);
    expect(edge.command.data).not.toHaveProperty('authentication');
  });

  it('that is refused asks for nothing', async () => {
    await pay({ ...challenge, 'card.expiryYear': '2020' });
    expect(edge.command.data).toMatchObject({ rejection: '100.100.303' });
    expect(wished()).toBeUndefined();
  });

  it('with a stored one is authenticated the same, unless the merchant initiates it', async () => {
    edge.script.registered = registered;
    const url = `${edge.url}/v1/registrations/${ID}/payments`;
    const { body } = await post(url, { ...money, ...challenge });
    expect(wished()).toEqual({
      demandedBy: 'threeDSecure.challengeIndicator 04',
      redirectUrl: `${edge.url}/redirects/${body.id}`,
    });
    await post(url, { ...money, recurringType: 'REPEATED' });
    expect(wished()).toBeUndefined();
  });
});

describe('a payment by another method', () => {
  const atProvider = {
    ...{ paymentBrand: 'PAYPAL', shopperResultUrl: 'https://shop.example/result' },
    ...{ 'card.number': undefined, 'card.holder': undefined, 'card.cvv': undefined },
    ...{ 'card.expiryMonth': undefined, 'card.expiryYear': undefined },
  };

  it('has nobody authenticated, and is refused where that is demanded', async () => {
    expect((await pay(atProvider)).status).toBe(200);
    expect(wished()).toBeUndefined();
    const { status, body } = await pay({ ...atProvider, ...challenge });
    expect([status, body.result.code]).toEqual([400, '600.200.500']);
    expect(body.result.description).toContain('only a card is authenticated so');
  });
});

describe('a payment whose shopper was authenticated', () => {
  const authentication: ShownAuthentication = {
    ...{ status: 'Y', flow: 'challenge', liabilityShifts: true, eci: '05', version: '2.2.0' },
    ...{ dsTransactionId: 'c75f23af-9454-43f6-ba17-130ed529507e', statusReason: '01' },
    ...{ acsTransactionId: '2c42c553-176f-4f08-af6c-f9364ecbd0e8', challengeCancel: '01' },
    ...{
      serverTransactionId: '3ac7caa7-aa42-2663-791b-2ac05a542c4a',
      cardholderInfo: 'sealed Call us.',
    },
  } as const;
  const shown = {
    ...{ eci: '05', version: '2.2.0', flow: 'challenge', authenticationStatus: 'Y' },
    ...{ dsTransactionId: authentication.dsTransactionId, transactionStatusReason: '01' },
    ...{ acsTransactionId: authentication.acsTransactionId, cardHolderInfo: 'Call us.' },
    ...{ challengeCancel: '01', challengeIndicator: '04', liabilityShifts: true },
  };

  it('says how, when it is answered and when it is read', async () => {
    edge.script.reply = replying({ status: 'approved', authentication });
    const { body } = await pay(challenge);
    expect(body['threeDSecure']).toEqual(shown);
    expect(body['resultDetails']).toMatchObject({ '3ds.acsEci': '05' });
    const { data } = edge.command;
    edge.script.find = () => viewOf(edge.command, { status: 'approved', authentication });
    const read = await call(`${edge.url}/v1/payments/${data.transactionId}`, { headers: bearer });
    expect(read.body['threeDSecure']).toEqual(shown);
  });

  it('says for how much alone, where that does not cover what is paid', async () => {
    const authenticated = { minor: '5000', currency: 'EUR' };
    const short = { ...authentication, liabilityShifts: false, authenticated };
    edge.script.reply = replying({ status: 'approved', authentication: short });
    const { body } = await pay(challenge);
    expect(body['threeDSecure']).toEqual({
      ...{ ...shown, liabilityShifts: false, amount: '50.00', currency: 'EUR' },
    });
  });

  it('says so of each in a list, and leaves out what an issuer said of somebody who is forgotten', async () => {
    await pay(challenge);
    const { cardHolderInfo: _, ...without } = shown;
    const forgotten = { ...authentication, cardholderInfo: 'erased' };
    const transactions = [authentication, forgotten].map((each) =>
      viewOf(edge.command, { status: 'approved', authentication: each }),
    );
    edge.script.search = () => ({ transactions, total: 2 });
    const query = `${edge.url}/v1/query?entityId=${entityId}&merchantTransactionId=order-1`;
    const { body } = await call(query, { headers: bearer });
    const found = (body['payments'] ?? []) as readonly { readonly threeDSecure?: object }[];
    expect(found.map(({ threeDSecure }) => threeDSecure)).toEqual([shown, without]);
    edge.script.words = () => {
      throw new QueryUnavailable('risk.issuerWords', 'noService');
    };
    edge.script.find = () => transactions[0];
    const { data } = edge.command;
    const read = await call(`${edge.url}/v1/payments/${data.transactionId}`, { headers: bearer });
    expect(read.body['threeDSecure']).toEqual(without);
  });

  it('says what its app goes on with, while the issuer waits for that', async () => {
    const ids = { dsTransactionId: 'd', acsTransactionId: 'a', acsReferenceNumber: 'ACS' };
    const acsRenderingType = { acsInterface: '01', acsUiTemplate: '01' };
    const challenged = { version: '2.2.0', acsSignedContent: 'a.b.c', acsRenderingType } as const;
    const appChallenge = { ...ids, ...challenged, serverTransactionId: 's', sdkTransactionId: 'k' };
    edge.script.reply = replying({ status: 'pending', resultCode: '000.200.000', appChallenge });
    const { body } = await pay(challenge);
    expect(body['threeDSecure']).toEqual({
      ...{ ...ids, ...challenged, authenticationStatus: 'C', challengeIndicator: '04' },
      ...{ threeDSServerTransID: 's', sdkTransID: 'k' },
    });
  });

  it('says nothing of what nobody was asked', async () => {
    const nobody = { flow: 'none', liabilityShifts: false } as const;
    edge.script.reply = replying({ status: 'declined', authentication: nobody });
    const { body } = await pay();
    expect(body['threeDSecure']).toEqual({ liabilityShifts: false });
  });
});

describe("a shopper's form", () => {
  const id = newCheckoutId('sluice');
  const CARD = {
    ...{ 'card.number': '4200000000000042', 'card.holder': 'Jane Jones', 'card.cvv': '123' },
    ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', paymentBrand: 'VISA' },
  };
  const accept = 'text/html,*/*;q=0.8';

  async function submit(fields: Parameters, personal = {}): Promise<Record<string, string>> {
    edge.script.toComplete = () => ({
      ...{ purpose: 'payment', entityId: debit.entityId, actor: debit.entityId, mode: 'INTERNAL' },
      ...{ parameters: { amount: '92.00', currency: 'EUR', paymentType: 'DB' }, personal },
    });
    const headers = { accept, 'user-agent': 'Browser/1', 'content-type': FORM };
    const url = `${edge.url}/v1/checkouts/${id}/payment`;
    const { status } = await call(url, { method: 'POST', headers, body: formText(fields) });
    expect(status).toBe(200);
    return personalOf(edge.command);
  }

  it('is authenticated as any payment, with what its browser says of itself', async () => {
    expect(await submit({ ...CARD, 'customer.browser.screenWidth': '1920' })).toMatchObject({
      'customer.browser.acceptHeader': accept,
      'customer.browser.userAgent': 'Browser/1',
      'customer.browser.screenWidth': '1920',
    });
    const { transactionId } = edge.command.data;
    expect(wished()).toEqual({
      demandedBy: 'this test card',
      redirectUrl: `${edge.url}/redirects/${transactionId}`,
    });
  });

  it('has what the merchant has said of the browser', async () => {
    const userAgent = { 'customer.browser.userAgent': 'Shop/2' };
    expect(await submit(CARD, userAgent)).toMatchObject({
      ...userAgent,
      'customer.browser.acceptHeader': accept,
    });
  });

  it('tells nothing of the browser where no card is paid with', async () => {
    const shopperResultUrl = 'https://shop.example/result';
    const told = await submit({ paymentBrand: 'PAYPAL', shopperResultUrl });
    expect(Object.keys(told)).toEqual(['shopperResultUrl']);
  });
});
