import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentCommandMessage } from '@sluice/contracts';
import { isTransactionId } from '@sluice/identifiers';
import { request } from 'node:http';
import { bearer, debit, formText, type Parameters, post } from './http-client.js';
import {
  buildNumber,
  entityId,
  merchantEntityId,
  personalOf,
  replying,
  ScriptedEdge,
  startMs,
} from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const pay = (parameters: Parameters = {}) =>
  post(`${edge.url}/v1/payments`, { ...debit, ...parameters });
/** With another `Host` than edge's own. */
const postTo = (host: string, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { host, ...bearer, 'Content-Type': 'application/x-www-form-urlencoded' };
    const sent = request(`${edge.url}/v1/payments`, { method: 'POST', headers }, (answer) => {
      let received = '';
      answer.on('data', (bytes: Buffer) => (received += bytes.toString()));
      answer.on('end', () => resolve(received));
    });
    sent.on('error', reject).end(body);
  });
const text = (pattern: RegExp) => expect.stringMatching(pattern);

describe('POST /v1/payments', () => {
  it.each([
    ['PA', 'authorization'],
    ['DB', 'debit'],
    ['CD', 'credit'],
  ])('%s is the operation %s', async (paymentType, operation) => {
    const { status, body } = await pay({ paymentType });
    expect(status).toBe(200);
    expect(body['paymentType']).toBe(paymentType);
    expect(edge.command).toMatchObject({ type: 'InitiatePayment', data: { operation } });
  });

  it('tells payments of the account and of the country of its issuer, and nobody else', async () => {
    const { text: answer } = await pay();
    const account = `account-of-${merchantEntityId}`;
    expect(edge.command.data).toMatchObject({ accountFingerprint: account, issuerCountry: 'DE' });
    expect([answer, ...edge.logged].join('')).not.toContain(account);
  });

  it('answers an approval with the whole payment response', async () => {
    const { status, body, headers } = await pay({ merchantTransactionId: 'order  #1 ü&=' });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: edge.command.data.transactionId,
      paymentType: 'DB',
      paymentMethod: 'CC',
      paymentBrand: 'VISA',
      amount: '92.00',
      currency: 'EUR',
      shortId: text(/^[0-9]{4}\.[0-9]{4}\.[0-9]{4}$/),
      descriptor: `${String(body['shortId'])} Book Shop`,
      merchantTransactionId: 'order  #1 ü&=',
      result: { code: '000.100.110', description: text(/./) },
      resultDetails: { ConnectorTxID1: 'acquirer-1', ExtendedDescription: text(/./) },
      card: {
        bin: '420000',
        last4Digits: '0000',
        holder: 'Jane Jones',
        expiryMonth: '05',
        expiryYear: '2034',
        binCountry: 'DE',
        country: 'DE',
        type: 'CREDIT',
        level: 'CLASSIC',
        binType: 'PERSONAL',
        maxPanLength: '16',
        regulatedFlag: 'false',
        issuer: {
          bank: 'Sluice Test Bank',
          phone: '+1 202 555 0100',
          website: 'https://bank.example',
        },
      },
      buildNumber,
      timestamp: '2026-01-02 10:20:30+0000',
      ndc: text(new RegExp(`^${entityId}_[0-9a-f]{32}$`)),
    });
    expect(isTransactionId(body.id)).toBe(true);
    expect(headers.get('content-type')).toBe('application/json;charset=UTF-8');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toContain('no-store');
  });

  it('states the name of the merchant in the place of a descriptor (Interface 2.3)', async () => {
    const name = { 'merchant.name': 'Book Seller' };
    expect((await pay(name)).body['descriptor']).toBe('Book Seller');
    const { body } = await pay({ ...name, descriptor: 'Order 17' });
    expect(body['descriptor']).toBe('Book Seller');
    expect((await pay({ descriptor: 'Order 17' })).body['descriptor']).toBe('Order 17');
  });

  it.each([
    ['12345678', { paymentBrand: 'VISA' }, '', undefined],
    ['00000000000', { paymentBrand: 'VISA' }, '', undefined],
    ['500000000009', { paymentBrand: 'MAESTRO' }, '500000', '500000'],
  ])('states no more of the number %s than may be seen', async (number, brand, kept, shown) => {
    const { body } = await pay({ 'card.number': number, ...brand });
    expect(edge.command).toMatchObject({ data: { instrument: { kind: 'card', bin: kept } } });
    expect(edge.command.data).toHaveProperty(kept === '' ? 'rejection' : 'amount');
    const { bin } = body['card'] as { readonly bin?: string };
    expect(bin).toBe(shown);
    expect(body['card']).toMatchObject({ last4Digits: number.slice(-4) });
  });

  const noCard = {
    'card.number': undefined,
    'card.holder': undefined,
    'card.expiryMonth': undefined,
    'card.expiryYear': undefined,
    'card.cvv': undefined,
  };

  const shopperResultUrl = 'https://shop.example/result';

  it.each([
    ['PAYPAL', {}, 'virtualAccount'],
    ['KLARNA_INVOICE', {}, 'virtualAccount'],
    ['SOFORTUEBERWEISUNG', { 'bankAccount.country': 'DE' }, 'bankAccount'],
    ['giropay', { 'bankAccount.country': 'DE' }, 'bankAccount'],
    ['PAYPAL', { 'bankAccount.country': 'DE' }, 'virtualAccount'],
  ])('by %s with %j needs no card (wire contract 7)', async (paymentBrand, more, kind) => {
    const { body } = await pay({ ...noCard, paymentBrand, shopperResultUrl, ...more });
    const { data } = edge.command;
    expect(data).toMatchObject({
      instrument: { kind, brand: paymentBrand.toUpperCase() },
      returnUrl: `${edge.url}/redirects/${body.id}/return`,
    });
    expect(data).not.toHaveProperty('rejection');
    expect(edge.held).toEqual([]);
  });

  it.each(['/', 'a"b<c', 'a@b'])(
    'with the host %j needs to know where the shopper comes back to',
    async (host) => {
      const sent = { ...debit, ...noCard, paymentBrand: 'PAYPAL', shopperResultUrl };
      const answer = await postTo(host, formText(sent));
      expect(answer).toContain('"200.300.404"');
      expect(answer).toContain('"name":"Host"');
    },
  );

  it('by a wallet needs no card either, and a token', async () => {
    const { status, body } = await pay({ ...noCard, paymentBrand: 'APPLEPAY' });
    expect([status, body.result.code]).toEqual([400, '200.100.601']);
  });

  it('asks for a card where the registration is empty', async () => {
    const { body } = await pay({ ...noCard, registrationId: '' });
    expect(body.result.parameterErrors?.map(({ name }) => name)).toEqual([
      ...['card.number', 'card.expiryMonth', 'card.expiryYear'],
    ]);
  });

  it('sends a command that a receiver can order, age and trace', async () => {
    const { body } = await pay();
    const { command } = edge;
    expect(command).toMatchObject({
      type: 'InitiatePayment',
      schemaVersion: 1,
      key: body.id.slice(12, 16),
      correlationId: body.ndc,
      causationId: command.id,
      timeToLiveMs: 25_000,
      data: {
        context: {
          entityId,
          channelName: 'Book Shop',
          ndc: body.ndc,
          mode: 'INTERNAL',
          manualChargebacks: true,
          receivedAtMs: startMs,
          actor: entityId,
        },
        amount: { minor: '9200', currency: 'EUR' },
      },
    });
  });

  it('holds the cryptogram of an external 3-D Secure server with the card, and says it nowhere', async () => {
    const cryptogram = 'AAACAgSRBklmQCFgMpEGAAAAAAA=';
    const answer = await pay({
      'threeDSecure.verificationId': cryptogram,
      'threeDSecure.eci': '05',
    });
    expect(edge.held[0]?.details['threeDSecure.verificationId']?.reveal()).toBe(cryptogram);
    expect(JSON.stringify(edge.command)).not.toContain(cryptogram);
    expect(answer.body).toMatchObject({ threeDSecure: { eci: '05' } });
    expect(JSON.stringify(answer)).not.toContain(cryptogram);
    const malformed = await pay({ 'threeDSecure.verificationId': `${cryptogram}=` });
    expect(malformed.body.result.parameterErrors).toEqual([
      { name: 'threeDSecure.verificationId', message: expect.stringContaining('28') },
    ]);
  });

  it('holds the card in the vault and lets only the reference travel', async () => {
    await pay();
    const [held] = edge.held;
    expect(held?.details['card.number']?.reveal()).toBe(debit['card.number']);
    expect(held?.inMemory?.['card.cvv']?.reveal()).toBe('123');
    expect(edge.command.data).toMatchObject({
      instrument: {
        kind: 'card',
        vaultReference: 'reference-1',
        bin: '420000',
        last4: '0000',
        brand: 'VISA',
        expiryMonth: '05',
        expiryYear: '2034',
      },
    });
    const sent = JSON.stringify(edge.command);
    expect(sent).not.toContain(debit['card.number']);
    expect(sent).not.toContain('"123"');
    expect(edge.forgotten).toEqual([]);
  });

  it('seals what is personal, for that transaction alone, and echoes it all the same', async () => {
    const personal = {
      ...{ 'customer.givenName': 'Jane', 'customer.surname': 'Jones' },
      ...{ 'customer.email': 'jane@shop.example', merchantMemo: 'Dear Jane' },
      descriptor: 'For Jane',
      ...{ 'customParameters[for]': 'Jane', shopperResultUrl: 'https://shop.example/?for=Jane' },
    };
    const { body } = await pay(personal);
    expect(body).toMatchObject({ descriptor: 'For Jane', customParameters: { for: 'Jane' } });
    expect(body).toMatchObject({ customer: { email: 'jane@shop.example' } });
    const first = edge.command;
    expect(JSON.stringify(first)).not.toMatch(/jane/i);
    expect(personalOf(first)).toEqual({ 'card.holder': 'Jane Jones', ...personal });
    await pay(personal);
    const second = edge.command;
    const moved = { ...second, data: { ...second.data, personal: first.data.personal } };
    expect(() => personalOf(moved as PaymentCommandMessage)).toThrow();
  });

  it('seals nothing where nothing is personal', async () => {
    await pay({ 'card.holder': undefined });
    expect(edge.command.data).not.toHaveProperty('personal');
  });

  it('sends nothing personal that cannot be sealed, and holds no card for it', async () => {
    const keyless = new ScriptedEdge();
    const wrap = () => Promise.reject(new Error('the key service is away'));
    keyless.script = { ...keyless.script, keys: { ...keyless.script.keys, wrap } };
    await keyless.start();
    try {
      const refused = await post(`${keyless.url}/v1/payments`, debit);
      expect([refused.status, refused.body.result.code]).toEqual([503, '800.800.800']);
      expect([keyless.commands, keyless.held]).toEqual([[], []]);
      const { 'card.holder': _, ...impersonal } = debit;
      expect((await post(`${keyless.url}/v1/payments`, impersonal)).status).toBe(200);
    } finally {
      await keyless.close();
    }
  });

  it.each([
    ['10', 'EUR', '1000', '10.00'],
    ['100.00', 'JPY', '100', '100.00'],
    ['10.50', 'KWD', '10500', '10.50'],
    ['9999999999.99', 'USD', '999999999999', '9999999999.99'],
  ])('keeps %s %s as %s minor units and answers %s', async (amount, currency, minor, shown) => {
    const { body } = await pay({ amount, currency });
    expect(edge.command.data.amount).toEqual({ minor, currency });
    expect(body).toMatchObject({ amount: shown, currency });
  });

  it('passes on numberOfCaptures and what a test wants of the simulator', async () => {
    await pay({
      paymentType: 'PA',
      numberOfCaptures: '3',
      'customParameters[forceResultCode]': '800.100.151',
      'customParameters[simulator.fault]': 'delay:20',
      'customParameters[simulator.avs]': 'Z',
      'customParameters[simulator.cvv]': 'P',
    });
    expect(edge.command.data).toMatchObject({
      numberOfCaptures: 3,
      testDirectives: {
        forceResultCode: '800.100.151',
        'simulator.fault': 'delay:20',
        'simulator.avs': 'Z',
        'simulator.cvv': 'P',
      },
    });
    await pay();
    expect(edge.command.data).not.toHaveProperty('testDirectives');
  });

  it.each([
    ['customParameters[simulator.fault]', 'bogus', /delay:<ms>.*drop-before.*twice/],
    ['customParameters[simulator.fault]', 'delay:999999999999', /0 to 600000/],
    ['customParameters[forceResultCode]', '800.100.151.1', /11/],
    ['customParameters[simulator.avs]', 'M', /A, Z, N, U, F/],
    ['customParameters[simulator.cvv]', 'A', /M, N, P, S, U/],
  ])('refuses %s=%s by its name', async (name, value, message) => {
    const { status, body } = await pay({ [name]: value });
    expect(status).toBe(400);
    expect(body.result).toMatchObject({
      code: '200.300.404',
      parameterErrors: [{ name, message: expect.stringMatching(message) }],
    });
    expect(edge.commands).toHaveLength(0);
    expect(edge.held).toHaveLength(0);
  });

  it('echoes custom parameters and the standing instruction, and the given descriptor', async () => {
    const { body } = await pay({
      'customParameters[branch_id]': 'Nord 1',
      'customParameters[__proto__]': 'data',
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.type': 'UNSCHEDULED',
      'standingInstruction.source': 'CIT',
      descriptor: 'Books & more',
    });
    expect(body['customParameters']).toEqual(
      Object.fromEntries([
        ['branch_id', 'Nord 1'],
        ['__proto__', 'data'],
      ]),
    );
    expect(body['standingInstruction']).toEqual({
      mode: 'INITIAL',
      type: 'UNSCHEDULED',
      source: 'CIT',
      frequency: '0001',
      initialTransactionId: 'acquirer-1',
      agreementId: body.id,
    });
    expect(body['resultDetails']).toMatchObject({ CardholderInitiatedTransactionID: 'acquirer-1' });
    expect(body['descriptor']).toBe('Books & more');
  });

  it('names no initial transaction on a decline or a repeated payment', async () => {
    const repeated = await pay({ 'standingInstruction.mode': 'REPEATED' });
    expect(repeated.body['standingInstruction']).toEqual({ mode: 'REPEATED' });
    edge.script.reply = replying({ status: 'declined', resultCode: '800.100.152' });
    const declined = await pay({ 'standingInstruction.mode': 'INITIAL' });
    expect(declined.body['standingInstruction']).toEqual({ mode: 'INITIAL', frequency: '0001' });
  });

  it('shows what the acquirer said, with the description that one client demands', async () => {
    edge.script.reply = replying({
      resultDetails: { AcquirerResponse: '00', AuthCode: 'X1' },
    });
    const { body } = await pay();
    expect(body['resultDetails']).toEqual({
      AcquirerResponse: '00',
      AuthCode: 'X1',
      ConnectorTxID1: 'acquirer-1',
      ExtendedDescription: body.result.description,
    });
  });

  it('detects the brand when none is named, and says so', async () => {
    const { body } = await pay({ paymentBrand: undefined, 'card.number': '5454545454545454' });
    expect(body).toMatchObject({ paymentBrand: 'MASTER', brandResult: 'MASTER' });
    expect(edge.command.data).toMatchObject({
      instrument: { brand: 'MASTER', brandDetected: true },
    });
  });

  it('detects no brand that is named', async () => {
    const { body } = await pay({ paymentBrand: 'visa' });
    expect(body['paymentBrand']).toBe('VISA');
    expect(body).not.toHaveProperty('brandResult');
    expect(edge.command.data).not.toHaveProperty('card.brandDetected');
  });

  it('wants a brand that cannot be detected', async () => {
    const { status, body } = await pay({
      paymentBrand: undefined,
      'card.number': '9999999999999995',
    });
    expect(status).toBe(400);
    expect(body.result).toMatchObject({
      code: '200.300.404',
      parameterErrors: [{ name: 'paymentBrand' }],
    });
  });

  it('shows what the issuer found about address and security code', async () => {
    edge.script.reply = replying({ avsResponse: 'A', cvvResponse: 'U' });
    const { body } = await pay();
    expect(body.result).toMatchObject({ avsResponse: 'A', cvvResponse: 'U' });
    edge.script.reply = replying({});
    expect(Object.keys((await pay()).body.result)).toEqual(['code', 'description']);
  });

  it('says nothing of a card that nobody knows', async () => {
    const { body } = await pay({ 'card.number': '4999999999999996' });
    expect(body['card']).toEqual({
      ...{ bin: '499999', last4Digits: '9996', holder: 'Jane Jones' },
      ...{ expiryMonth: '05', expiryYear: '2034', maxPanLength: '19' },
    });
  });
});
