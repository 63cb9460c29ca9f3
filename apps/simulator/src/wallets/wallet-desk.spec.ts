import { afterEach, describe, expect, it } from '@jest/globals';
import { fixedClock } from '@sluice/testing';
import Fastify, { type FastifyInstance } from 'fastify';
import {
  constants,
  createDecipheriv,
  generateKeyPairSync,
  privateDecrypt,
  verify,
} from 'node:crypto';
import { walletDesk } from './wallet-desk.js';
import type { WalletKeys } from './wallet-keys.js';

const samsung = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const src = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const google = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const keys = {
  googlePay: {
    recipientId: 'gateway:test',
    recipientKey: google.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    ...{ signedKey: '{}', keySignature: 'AAAA' },
    signingKey: google.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  },
  clickToPay: {
    ...{ issuer: 'https://src.test', signingKeyId: 'src', srcDpaId: 'dpa', keyId: 'test' },
    signingKey: src.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    recipientKey: samsung.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  },
  samsungPay: {
    keyId: 'test',
    recipientKey: samsung.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  },
} as WalletKeys;
const order = { amount: '92.00', currency: 'EUR' };
const nowMs = Date.parse('2026-11-24T12:00:00Z');

let server: FastifyInstance;
afterEach(() => server.close());

async function ask(
  wallet: string,
  fields: Readonly<Record<string, string>>,
  has: WalletKeys | undefined = keys,
) {
  server = Fastify();
  // As the acquirer does, for whom the forms of pages have no fields.
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, _body, parsed) => parsed(null),
  );
  void server.register(walletDesk(has, fixedClock(nowMs)));
  const response = await server.inject({
    method: 'POST',
    url: `/wallets/${wallet}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
}

/** What was encrypted for the recipient, opened by this test's own hands. */
function contentOf(body: Record<string, unknown>): unknown {
  const { data } = body['3DS'] as { data: string };
  const [header = '', ...parts] = data.split('.');
  const [key, vector, sealed, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  const padding = constants.RSA_NO_PADDING;
  const block = privateDecrypt({ key: samsung.privateKey, padding }, key!);
  const decipher = createDecipheriv('aes-128-gcm', block.subarray(-16), vector!);
  decipher.setAAD(Buffer.from(header)).setAuthTag(tag!);
  return JSON.parse(Buffer.concat([decipher.update(sealed!), decipher.final()]).toString());
}

/** A JWE of Click to Pay, opened likewise. */
function openedHere(sealed: string): unknown {
  const [header = '', ...parts] = sealed.split('.');
  const [encrypted, vector, text, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const key = privateDecrypt({ key: samsung.privateKey, padding, oaepHash: 'sha256' }, encrypted!);
  const decipher = createDecipheriv('aes-256-gcm', key, vector!);
  decipher.setAAD(Buffer.from(header)).setAuthTag(tag!);
  return JSON.parse(Buffer.concat([decipher.update(text!), decipher.final()]).toString());
}

describe('the wallets of the simulator', () => {
  it('give a new token for an amount and a card', async () => {
    const { status, body } = await ask('samsungPay', { ...order, 'card.expiryMonth': '07' });
    expect(status).toBe(200);
    expect(contentOf(body)).toEqual({
      ...{ amount: '9200', currency_code: 'EUR', utc: String(nowMs), eci_indicator: '5' },
      ...{ tokenPAN: '4200000000000000', tokenPanExpiration: '0734' },
      cryptogram: expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/),
    });
  });

  it.each([
    ['92', 'EUR', '9200'],
    ['92.10', 'EUR', '9210'],
    ['92.00', 'JPY', '92'],
    ['1.25', 'KWD', '1250'],
  ])('know the decimals of currencies by themselves: %s %s', async (amount, currency, minor) => {
    const { body } = await ask('samsungPay', { amount, currency });
    expect(contentOf(body)).toMatchObject({ amount: minor, currency_code: currency });
  });

  it.each([
    ['no amount', { amount: '' }, 'amount must be'],
    ['an amount that is none', { amount: '1,50' }, 'amount must be'],
    ['a fraction of a yen', { currency: 'JPY', amount: '1.50' }, 'no fraction'],
    ['a currency that they do not know', { currency: 'XXX' }, 'currency must be one of'],
    ['the name of a property', { currency: 'toString' }, 'currency must be one of'],
    ['a number that is none', { 'card.number': '12ab' }, 'card.number must have'],
    ['a month that is none', { 'card.expiryMonth': '13' }, 'card.expiryMonth'],
    ['a year that is none', { 'card.expiryYear': '1999' }, 'card.expiryYear'],
    ['another kind of number', { 'card.numberType': 'MPAN' }, 'card.numberType'],
    ['a long holder', { 'card.holder': 'x'.repeat(129) }, 'card.holder'],
    ['an entity that is none', { entityId: 'shop' }, 'entityId must have'],
    ['a card that nobody has enrolled', { srcDigitalCardId: '7' }, 'srcDigitalCardId must'],
    ['a name that is none', { srcDpaId: '<a>' }, 'srciTransactionId and srcDpaId'],
    ['what they do not know', { 'card.cvv': '918' }, 'Only card.number'],
  ])('refuse %s, and do not repeat it', async (_, fields, sentence) => {
    const { status, body } = await ask('samsungPay', { ...order, ...fields });
    expect(status).toBe(400);
    expect(body['error']).toContain(sentence);
    expect(JSON.stringify(body)).not.toMatch(/12ab|918|1,50/);
  });

  it('sign a checkout response of Click to Pay, with the card sealed in it', async () => {
    const named = { srciTransactionId: 'one', srcDigitalCardId: 'mastercard' };
    server = Fastify();
    void server.register(walletDesk(keys, fixedClock(nowMs)));
    const asked = async (fields: Readonly<Record<string, string>>) => {
      const payload = new URLSearchParams({ ...order, ...fields }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return server.inject({ method: 'POST', url: '/wallets/clickToPay', headers, payload });
    };
    const { body, headers } = await asked(named);
    expect(headers['content-type']).toBe('application/jose');
    const [header, claims, signature] = body.split('.');
    const data = Buffer.from(`${header}.${claims}`);
    const by = Buffer.from(signature!, 'base64url');
    expect(verify('sha256', data, src.publicKey, by)).toBe(true);
    const said = JSON.parse(Buffer.from(claims!, 'base64url').toString()) as Record<string, string>;
    expect(said).toMatchObject({
      ...{ iss: 'https://src.test', srcDpaId: 'dpa', srciTransactionId: 'one' },
      ...{ iat: nowMs / 1_000, exp: nowMs / 1_000 + 600, assuranceData: { eci: '05' } },
      transactionAmount: { transactionAmount: '92.00', transactionCurrencyCode: 'EUR' },
      maskedCard: { panBin: '545454', panLastFour: '5454' },
    });
    expect(openedHere(said['encryptedPayload']!)).toMatchObject({
      token: { paymentToken: '5454545454545454', tokenExpirationYear: '2034' },
    });
    const other = JSON.parse(
      Buffer.from((await asked({ srcDpaId: 'x' })).body.split('.')[1]!, 'base64url').toString(),
    ) as object;
    expect(other).toMatchObject({ srcDpaId: 'x' });
  });

  it('are four, and Google’s says whose payment it is', async () => {
    expect((await ask('payPal', order)).status).toBe(404);
    await server.close();
    expect((await ask('googlePay', order)).body['error']).toContain('entityId');
    await server.close();
    const { body } = await ask('googlePay', { ...order, entityId: 'a'.repeat(32) });
    expect(body).toMatchObject({ protocolVersion: 'ECv2', signature: expect.any(String) });
  });

  it('are none without keys', async () => {
    server = Fastify();
    void server.register(walletDesk(undefined, fixedClock(nowMs)));
    const { statusCode, body } = await server.inject({ method: 'POST', url: '/wallets/applePay' });
    expect(statusCode).toBe(404);
    expect(body).toContain('SIMULATOR_WALLETS_FILE');
  });
});

describe('what pages of shops have of the wallets', () => {
  const inject = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    server = Fastify();
    void server.register(walletDesk(keys, fixedClock(nowMs)));
    return server.inject({ method, url, ...(payload && { payload }) });
  };

  it.each(['apple-pay.js', 'google-pay.js', 'click-to-pay.js'])(
    'is a script that any of them loads: %s',
    async (name) => {
      const { statusCode, headers, body } = await inject('GET', `/wallets/${name}`);
      expect([statusCode, headers['content-type'], headers['access-control-allow-origin']]).toEqual(
        [...[200, 'text/javascript; charset=utf-8', '*']],
      );
      expect(body).toContain('openSheet');
    },
  );

  it('is a session, for whoever says which page it is', async () => {
    const asked = {
      ...{ merchantIdentifier: 'merchant.example', displayName: 'Shop' },
      ...{ initiative: 'web', initiativeContext: 'shop.example' },
    };
    const given = await inject('POST', '/wallets/applePay/session', asked);
    expect([given.statusCode, given.json()]).toMatchObject([200, { domainName: 'shop.example' }]);
    await server.close();
    expect((await inject('POST', '/wallets/applePay/session', {})).statusCode).toBe(400);
  });
});
