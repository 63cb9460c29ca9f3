import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bearer, call, debit, type Parameters, post } from './http-client.js';
import { entityId, replying, ScriptedEdge, viewOf } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());

const CRYPTOGRAM = 'AAACAgSRBklmQCFgMpEGAAAAAAA=';
const { paymentType: _, ...money } = debit;
const asked: Parameters = {
  ...money,
  ...{ 'customer.browser.acceptHeader': 'text/html', 'customer.browser.language': 'en-GB' },
  ...{ 'customer.browser.screenHeight': '1080', 'customer.browser.screenWidth': '1920' },
  ...{ 'customer.browser.timezone': '-60', 'customer.browser.javaEnabled': 'false' },
  'customer.browser.userAgent': 'Mozilla/5.0',
};
const authentication = {
  ...({ status: 'Y', flow: 'frictionless', liabilityShifts: true, eci: '05' } as const),
};

/** Of whom the cryptogram was asked. */
let revealed: string[] = [];
beforeEach(() => {
  edge.reset();
  revealed = [];
  edge.script.reply = replying({ authentication });
  edge.script.proof = ({ transactionId }) => {
    revealed.push(transactionId);
    return { cryptogram: CRYPTOGRAM };
  };
});

describe('POST /v1/threeDSecure', () => {
  it('is a command without a payment, and answers the cryptogram', async () => {
    const { status, body } = await post(`${edge.url}/v1/threeDSecure`, asked);
    expect([status, body]).toMatchObject([
      200,
      { paymentType: '3D', threeDSecure: { eci: '05', verificationId: CRYPTOGRAM } },
    ]);
    const { data } = edge.command;
    expect(data).toMatchObject({
      ...{ operation: 'authentication', instrument: { kind: 'card', last4: '0000' } },
      authentication: {
        demandedBy: 'the request',
        redirectUrl: `${edge.url}/redirects/${data.transactionId}`,
      },
    });
    expect(JSON.stringify(edge.command)).not.toContain(CRYPTOGRAM);
    expect(revealed).toEqual([data.transactionId]);
  });

  it.each([
    ['threeDSecure.disable', 'true'],
    ['threeDSecure.eci', '05'],
    ['threeDSecure.dsTransactionId', 'c75f23af-9454-43f6-ba17-130ed529507e'],
    ['paymentType', 'DB'],
    ['bankAccount.iban', 'DE23100000001234567890'],
    ['createRegistration', 'true'],
    ['registrationId', 'a'.repeat(32)],
    ['risk.channelId', 'shop-de'],
  ])('refuses %s, which would do nothing', async (name, value) => {
    const { status, body } = await post(`${edge.url}/v1/threeDSecure`, { ...asked, [name]: value });
    expect([status, body.result]).toMatchObject([
      400,
      { code: '200.300.404', parameterErrors: [{ name }] },
    ]);
    expect(edge.commands).toEqual([]);
  });

  it.each([
    [{ transactionCategory: 'TO' }, 'there is no browser'],
    [{ 'card.numberType': 'DPAN' }, 'the device with that number'],
  ])('sends %j as refused, and no card to the vault', async (changes, reason) => {
    await post(`${edge.url}/v1/threeDSecure`, {
      ...{ ...asked, ...changes, 'billing.street1': 'Hauptstr. 1', 'billing.city': 'Berlin' },
      ...{ 'billing.postcode': '10115', 'billing.country': 'DE' },
    });
    expect(edge.command.data).toMatchObject({
      ...{ rejection: '600.200.500', rejectionDescription: expect.stringContaining(reason) },
    });
    expect(edge.command.data).not.toHaveProperty('authentication');
  });

  it('is about the shopper alone with an amount of zero, and about nothing else', async () => {
    const ofNothing = { ...asked, amount: '0.00' };
    const about = { 'billing.street1': 'Hauptstr. 1', 'billing.city': 'Berlin' };
    const address = { ...about, 'billing.postcode': '10115', 'billing.country': 'DE' };
    const shopper = { ...ofNothing, ...address, 'threeDSecure.npa': 'true' };
    const { body } = await post(`${edge.url}/v1/threeDSecure`, shopper);
    expect(edge.command.data).toMatchObject({ amount: { minor: '0' }, authentication: {} });
    expect(edge.command.data).not.toHaveProperty('rejection');
    expect(body).toMatchObject({ amount: '0.00' });
    await post(`${edge.url}/v1/threeDSecure`, ofNothing);
    expect(edge.command.data).toMatchObject({ rejection: '100.550.300' });
  });

  it('has the amount of risk told, which is that of the authentication', async () => {
    await post(`${edge.url}/v1/threeDSecure`, { ...asked, 'risk.amount': '1000.00' });
    expect(edge.command.data.parameters).toMatchObject({ 'risk.amount': '1000.00' });
    const wrong = { ...asked, 'risk.amount': 'abc' };
    const { status, body } = await post(`${edge.url}/v1/threeDSecure`, wrong);
    expect([status, body.result.parameterErrors]).toMatchObject([400, [{ name: 'risk.amount' }]]);
  });

  it('has a mandated challenge told', async () => {
    const name = 'threeDSecure.challengeMandatedIndicator';
    await post(`${edge.url}/v1/threeDSecure`, { ...asked, [name]: 'Y' });
    expect(edge.command.data.parameters).toMatchObject({ [name]: 'Y' });
  });

  it('asks for one that the merchant begins (3RI)', async () => {
    await post(`${edge.url}/v1/threeDSecure`, {
      ...{ ...asked, 'threeDSecure.channel': '3', 'billing.street1': 'Hauptstr. 1' },
      ...{ 'billing.city': 'Berlin', 'billing.postcode': '10115', 'billing.country': 'DE' },
    });
    expect(edge.command.data).toMatchObject({ authentication: { demandedBy: 'the request' } });
    expect(edge.command.data).not.toHaveProperty('rejection');
  });
});

describe('GET /v1/threeDSecure/{id}', () => {
  const read = (path: string, id: string) =>
    call(`${edge.url}/v1/${path}/${id}?entityId=${entityId}`, { headers: bearer });

  it('answers an authentication with its cryptogram, as a read of a payment does, and no query', async () => {
    await post(`${edge.url}/v1/threeDSecure`, asked);
    const view = viewOf(edge.command, { authentication });
    edge.script.find = () => view;
    for (const path of ['threeDSecure', 'payments']) {
      const { body } = await read(path, view.id);
      expect(body).toMatchObject({ threeDSecure: { verificationId: CRYPTOGRAM } });
    }
    expect(JSON.stringify(await read('query', view.id))).not.toContain(CRYPTOGRAM);
  });

  it('knows no payment', async () => {
    await post(`${edge.url}/v1/payments`, debit);
    const view = viewOf(edge.command, { authentication });
    edge.script.find = () => view;
    expect((await read('threeDSecure', view.id)).status).toBe(404);
    await read('payments', view.id);
    expect(revealed).toEqual([]);
  });
});

describe('POST /v1/risk', () => {
  it('says of a gift card that it is none of its accounts', async () => {
    const { amount, currency } = debit;
    const asking = { entityId, amount, currency, paymentBrand: 'GIFTCARD' };
    const { status, body } = await post(`${edge.url}/v1/risk`, asking);
    expect([status, body.result]).toMatchObject([
      400,
      { code: '200.300.404', parameterErrors: [{ name: 'paymentBrand' }] },
    ]);
  });

  it('is a command without a payment, whose shopper nobody authenticates', async () => {
    edge.script.reply = replying({ resultCode: '000.300.100', riskScore: 7 });
    const { status, body } = await post(`${edge.url}/v1/risk`, money);
    expect([status, body]).toMatchObject([
      200,
      { paymentType: 'RI', risk: { score: '7' }, result: { code: '000.300.100' } },
    ]);
    expect(edge.command.data).toMatchObject({ operation: 'riskAssessment' });
    expect(edge.command.data).not.toHaveProperty('authentication');
    expect(revealed).toEqual([]);
  });
});
