import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApplePaySessionQuery, Mode } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import type { HttpClient, HttpClientOptions, HttpRequest, HttpResult } from '@sluice/service';
import { startTestAuthority, type TestAuthority } from '@sluice/testing';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WalletsInUse } from './offered-wallets.js';
import { PageWallets } from './page-wallets.js';
import { WalletMerchants } from './wallet-merchants.js';

const [channel, merchant] = ['a', 'b'].map((digit) => digit.repeat(32)) as [EntityId, EntityId];
const publicUrl = 'https://pay.example';
const APPLE = 'https://apple-pay-gateway.apple.com/paymentservices/startSession';
const query = (changes: Partial<ApplePaySessionQuery> = {}): ApplePaySessionQuery => ({
  ...{ entityIds: [channel, merchant], mode: 'LIVE', publicUrl, validationUrl: APPLE },
  ...{ domain: 'shop.example', ...changes },
});

let authority: TestAuthority;
let live: WalletsInUse;
let certificate: string;
beforeAll(async () => {
  authority = await startTestAuthority();
  const files = await authority.certificateOf('merchant');
  certificate = await readFile(files.certificateFile, 'utf8');
  const privateKey = await readFile(files.keyFile, 'utf8');
  const names = { displayName: 'Shop', countryCode: 'DE' };
  const entry = { merchantIdentifier: 'merchant.example', certificate, privateKey, ...names };
  const google = { gateway: 'sluice', merchantId: 'BCR2', ...names };
  const src = {
    ...{ script: 'https://src.example/sdk.js', global: 'SRCSDK_ONE' },
    ...{ srcInitiatorId: 'gateway', srcDpaId: 'dpa' },
  };
  const clickToPay = [{ displayName: 'Shop', systems: [src], entityIds: [channel] }];
  const file = JSON.stringify({ applePay: [entry], googlePay: [google], clickToPay });
  live = { merchants: WalletMerchants.of(file, 'the file') };
});
afterAll(() => authority.remove());

/** Apple as it answers, and what it was asked. */
function apple(answer: HttpResult | (() => Promise<HttpResult>)) {
  const asked: [HttpClientOptions, HttpRequest][] = [];
  let closed = 0;
  const newClient = (options: HttpClientOptions) =>
    ({
      send: (request: HttpRequest) => {
        asked.push([options, request]);
        return typeof answer === 'function' ? answer() : Promise.resolve(answer);
      },
      close: () => Promise.resolve(void (closed += 1)),
    }) as unknown as HttpClient;
  return { wallets: new PageWallets(live, newClient), asked, closed: () => closed };
}
const answered = (statusCode: number, body = '{}'): HttpResult => ({
  kind: 'answered',
  statusCode,
  body,
});

describe('wallets that merchants have set up', () => {
  const offered = (mode: Mode) =>
    new PageWallets(live).offered({ entityIds: [channel, merchant], mode, publicUrl });

  it("are at the providers' own addresses", () => {
    const shown = { displayName: 'Shop', countryCode: 'DE' };
    expect(offered('LIVE')).toEqual({
      applePay: {
        script: 'https://applepay.cdn-apple.com/jsapi/1.latest/apple-pay-sdk.js',
        ...{ isSimulated: false, ...shown },
      },
      googlePay: {
        ...{ script: 'https://pay.google.com/gp/p/js/pay.js', isSimulated: false },
        environment: 'PRODUCTION',
        ...{ gateway: 'sluice', gatewayMerchantId: channel, merchantId: 'BCR2', ...shown },
      },
      clickToPay: {
        ...{ isSimulated: false, displayName: 'Shop' },
        systems: [
          {
            ...{ script: 'https://src.example/sdk.js', global: 'SRCSDK_ONE' },
            ...{ srcInitiatorId: 'gateway', srciDpaId: 'dpa' },
          },
        ],
      },
    });
    expect(offered('INTERNAL').googlePay?.environment).toBe('TEST');
  });

  it('are none where nobody has', () => {
    const wallets = new PageWallets({ merchants: WalletMerchants.none });
    expect(wallets.offered(query())).toEqual({});
  });
});

describe('a page that Apple is asked about', () => {
  it('is named to the gateway that its browser has named, as its merchant', async () => {
    const { wallets, asked, closed } = apple(answered(200, '{"nonce":"1"}'));
    expect(await wallets.applePaySession(query())).toEqual({
      ...{ kind: 'session', session: '{"nonce":"1"}' },
    });
    const [[options, request] = []] = asked;
    expect(options).toMatchObject({
      ...{ origin: 'https://apple-pay-gateway.apple.com', publicAddressesOnly: true },
      ...{ keepsConnections: false, tls: { current: { cert: certificate } } },
    });
    expect([request?.method, request?.path]).toEqual(['POST', '/paymentservices/startSession']);
    expect(JSON.parse(request?.body ?? '')).toEqual({
      ...{ merchantIdentifier: 'merchant.example', displayName: 'Shop' },
      ...{ initiative: 'web', initiativeContext: 'shop.example' },
    });
    expect(closed()).toBe(1);
  });

  it('has the name that it says, as far as Apple shows it', async () => {
    const { wallets, asked } = apple(answered(200));
    await wallets.applePaySession(query({ displayName: 'x'.repeat(100) }));
    expect(JSON.parse(asked[0]?.[1].body ?? '')).toMatchObject({ displayName: 'x'.repeat(64) });
  });

  it.each([
    ['http://169.254.169.254/paymentservices/startSession'],
    ['https://apple-pay-gateway.apple.com.evil.example/paymentservices/startSession'],
    [`${publicUrl}/simulator/wallets/applePay/session`],
  ])('calls nobody else: %s', async (validationUrl) => {
    const { wallets, asked } = apple(answered(200));
    expect(await wallets.applePaySession(query({ validationUrl }))).toEqual({
      kind: 'foreignAddress',
    });
    expect(asked).toEqual([]);
  });

  it('calls nobody for who is not set up', async () => {
    const wallets = new PageWallets({ merchants: WalletMerchants.none });
    expect(await wallets.applePaySession(query())).toEqual({ kind: 'notSetUp' });
  });

  it.each([
    ['notConfirmed', answered(400)],
    ['notConfirmed', answered(302)],
    ['unavailable', answered(503)],
    ['unavailable', answered(200, 'no JSON')],
    ['unavailable', answered(200, '[]')],
    ['unavailable', answered(200, 'null')],
    ['unavailable', { kind: 'lost', reason: 'answerTooLong' }],
    ['unavailable', { kind: 'notSent', reason: 'notReachable' }],
  ] as const)('is %s where Apple says so, or nothing: %j', async (kind, answer) => {
    expect(await apple(answer).wallets.applePaySession(query())).toEqual({ kind });
  });

  it('waits in no line: what is too much at once is asked for again', async () => {
    let free = (): void => undefined;
    const freed = new Promise<void>((resolve) => (free = resolve));
    const { wallets } = apple(() => freed.then(() => answered(200)));
    const first = Array.from({ length: 16 }, () => wallets.applePaySession(query()));
    expect(await wallets.applePaySession(query())).toEqual({ kind: 'unavailable' });
    free();
    expect(new Set((await Promise.all(first)).map(({ kind }) => kind))).toEqual(
      new Set(['session']),
    );
    expect((await wallets.applePaySession(query())).kind).toBe('session');
  });
});

describe('wallets that a simulator plays', () => {
  let server: Server;
  let url: string;
  const asked: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(`${String(request.method)} ${String(request.url)}`);
      response.end('{"nonce":"simulated"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const simulated = (pages: string) =>
    new PageWallets({ merchants: WalletMerchants.none, simulated: { url, pages } });

  it.each([
    ['/simulator', `${publicUrl}/simulator`],
    ['https://sim.example', 'https://sim.example'],
  ])('are where browsers find it: %s', (pages, at) => {
    const { applePay, googlePay } = simulated(pages).offered(query({ mode: 'INTERNAL' }));
    expect(applePay).toMatchObject({ script: `${at}/wallets/apple-pay.js`, isSimulated: true });
    expect(googlePay).toMatchObject({
      ...{ script: `${at}/wallets/google-pay.js`, environment: 'TEST' },
      gatewayMerchantId: channel,
    });
  });

  it('are confirmed by it, at the address that this service has of it', async () => {
    const validationUrl = `${publicUrl}/simulator/wallets/applePay/session`;
    const wallets = simulated('/simulator');
    expect(await wallets.applePaySession(query({ mode: 'INTERNAL', validationUrl }))).toEqual({
      ...{ kind: 'session', session: '{"nonce":"simulated"}' },
    });
    expect(asked).toEqual(['POST /wallets/applePay/session']);
  });

  it('are no way to anywhere else, and not to Apple', async () => {
    const wallets = simulated('/simulator');
    const others = [APPLE, `${url}/wallets/applePay/session`, `${publicUrl}/simulator/other`];
    for (const validationUrl of others) {
      const answer = await wallets.applePaySession(query({ mode: 'INTERNAL', validationUrl }));
      expect(answer).toEqual({ kind: 'foreignAddress' });
    }
    expect(asked).toHaveLength(1);
  });

  it('take no real money', async () => {
    const wallets = simulated('/simulator');
    expect(wallets.offered(query({ mode: 'LIVE' }))).toEqual({});
    expect(await wallets.applePaySession(query({ mode: 'LIVE' }))).toEqual({ kind: 'notSetUp' });
  });
});
