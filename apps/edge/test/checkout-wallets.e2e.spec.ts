import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  ApplePaySessionAnswer,
  ApplePaySessionQuery,
  CheckoutToComplete,
  InitiatePayment,
  OfferedWalletsQuery,
} from '@sluice/contracts';
import { type CheckoutId, newCheckoutId } from '@sluice/identifiers';
import { call, formText, type Parameters, type Received } from './http-client.js';
import { buildNumber, entityId, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start({ refusalsPerSecond: 0 });
});
afterAll(() => edge.close());

let id: CheckoutId;
beforeEach(() => {
  edge.reset();
  id = newCheckoutId('sluice');
  open();
});

const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
const APPLE = 'https://apple-pay-gateway.apple.com/paymentservices/startSession';

/** What the merchant has made. */
function open(changes: Partial<CheckoutToComplete> = {}): void {
  const checkout: CheckoutToComplete = {
    ...{ purpose: 'payment', entityId, actor: entityId, mode: 'INTERNAL', personal: {} },
    ...{ parameters: money, ...changes },
  };
  const made = id;
  edge.script.toComplete = ({ checkoutId }) => (checkoutId === made ? checkout : undefined);
}

const wallets = (): Promise<Received> => call(`${edge.url}/v1/checkouts/${id}/wallets`);
const session = (fields: Parameters, origin = 'https://shop.example'): Promise<Received> =>
  call(`${edge.url}/v1/checkouts/${id}/wallets/applePay`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(origin !== '' && { origin }),
    },
    body: formText(fields),
  });
const namesOf = ({ body }: Received) => body.result.parameterErrors?.map(({ name }) => name);

/** What is asked, each time. */
function answering(answer: ApplePaySessionAnswer): ApplePaySessionQuery[] {
  const asked: ApplePaySessionQuery[] = [];
  edge.script.applePaySession = (query) => {
    asked.push(query);
    return answer;
  };
  return asked;
}

describe('the wallets of a checkout', () => {
  it('are those of its channel, with the amount that is charged', async () => {
    const asked: OfferedWalletsQuery[] = [];
    const applePay = { script: 'https://x.example', isSimulated: false, countryCode: 'DE' };
    edge.script.wallets = (query) => {
      asked.push(query);
      return { applePay };
    };
    const { status, body, headers } = await wallets();
    expect([status, body]).toEqual([
      200,
      {
        ...{ amount: '92.00', currency: 'EUR', applePay },
        result: { code: '000.000.100', description: expect.any(String) },
        ...{ ndc: id, buildNumber, timestamp: expect.any(String) },
      },
    ]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(asked).toEqual([
      {
        ...{ mode: 'INTERNAL', publicUrl: edge.url },
        entityIds: [entityId, expect.stringMatching(/^[0-9a-f]{32}$/)],
      },
    ]);
  });

  it('have one transaction of Click to Pay for each checkout, and nothing of its shopper', async () => {
    const system = { global: 'A', srcInitiatorId: 'gateway', srciDpaId: 'dpa' };
    const systems = [{ script: 'https://x.example', ...system }];
    edge.script.wallets = () => ({ clickToPay: { isSimulated: false, systems } });
    const offered = async () => {
      const { clickToPay } = (await wallets()).body as Partial<Record<string, object>>;
      return clickToPay as { readonly srciTransactionId: string };
    };
    const first = await offered();
    expect(first).toEqual({
      ...{ isSimulated: false, systems },
      srciTransactionId: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
    });
    expect(await offered()).toEqual(first);
    id = newCheckoutId('sluice');
    // Whoever has the checkout's id may ask.
    open({ personal: { 'customer.email': 'jane@example.org', 'customer.givenName': 'Jane' } });
    const other = await offered();
    expect(Object.keys(other).sort()).toEqual(['isSimulated', 'srciTransactionId', 'systems']);
    expect(other.srciTransactionId).not.toBe(first.srciTransactionId);
    expect(JSON.stringify((await wallets()).body)).not.toMatch(/jane/i);
  });

  it('have an amount with two decimals, whatever the merchant has written', async () => {
    open({ parameters: { ...money, amount: '92', currency: 'JPY' } });
    expect((await wallets()).body).toMatchObject({ amount: '92.00', currency: 'JPY' });
  });

  it('are none where nothing is paid, and none of a checkout that is not there', async () => {
    edge.script.wallets = () => {
      throw new Error('asked');
    };
    open({ purpose: 'registration', parameters: { createRegistration: 'true' } });
    expect(Object.keys((await wallets()).body).sort()).toEqual([
      ...['buildNumber', 'ndc', 'result', 'timestamp'],
    ]);
    id = newCheckoutId('sluice');
    expect((await wallets()).body.result.code).toBe('200.300.404');
  });
});

describe('a page that has Apple confirm it', () => {
  it('is told by its browser whose it is, and is given what Apple says', async () => {
    const asked = answering({ kind: 'session', session: '{"nonce":"1"}' });
    const fields = { validationUrl: APPLE, displayName: 'Shop', amount: '92.00', currency: 'EUR' };
    const { status, body } = await session(fields, 'https://shop.example:8443');
    expect([status, body['merchantSession']]).toEqual([200, { nonce: '1' }]);
    expect(asked).toMatchObject([
      { validationUrl: APPLE, domain: 'shop.example', displayName: 'Shop', publicUrl: edge.url },
    ]);
  });

  it.each([
    ['of another amount', { validationUrl: APPLE, amount: '9.00' }, ['amount']],
    ['in another currency', { validationUrl: APPLE, currency: 'USD' }, ['currency']],
    ['without an address', {}, ['validationUrl']],
    ['with a long one', { validationUrl: APPLE + 'x'.repeat(200) }, ['validationUrl']],
    ['with a long name', { validationUrl: APPLE, displayName: 'x'.repeat(129) }, ['displayName']],
    ['with anything else', { validationUrl: APPLE, merchantIdentifier: 'x' }, ['body']],
  ])('is refused %s', async (_what, fields, names) => {
    const asked = answering({ kind: 'session', session: '{}' });
    const refused = await session(fields);
    expect([refused.body.result.code, namesOf(refused)]).toEqual(['200.300.404', names]);
    expect(asked).toEqual([]);
  });

  it.each(['', 'null', 'file://', 'https://'])('is refused from no page: "%s"', async (origin) => {
    const asked = answering({ kind: 'session', session: '{}' });
    expect(namesOf(await session({ validationUrl: APPLE }, origin))).toEqual(['Origin']);
    expect(asked).toEqual([]);
  });

  it.each([
    ['notSetUp', 400, '600.200.500'],
    ['foreignAddress', 400, '200.300.404'],
    ['notConfirmed', 400, '600.200.500'],
    ['unavailable', 503, '800.800.800'],
  ] as const)('is told where it is %s', async (kind, status, code) => {
    answering({ kind });
    const refused = await session({ validationUrl: APPLE });
    expect([refused.status, refused.body.result.code]).toEqual([status, code]);
  });

  it('is confirmed ten times a minute, and no checkout takes that from another', async () => {
    const asked = answering({ kind: 'session', session: '{}' });
    for (let times = 0; times < 10; times += 1) await session({ validationUrl: APPLE });
    expect((await session({ validationUrl: APPLE })).body.result.code).toBe('800.120.100');
    id = newCheckoutId('sluice');
    open();
    expect((await session({ validationUrl: APPLE })).status).toBe(200);
    expect(asked).toHaveLength(11);
  });
});

describe('a form that says which amount it has shown', () => {
  const submit = (fields: Parameters): Promise<Received> =>
    call(`${edge.url}/v1/checkouts/${id}/payment`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: formText({
        ...{ 'card.number': '4200000000000000', 'card.cvv': '123', paymentBrand: 'VISA' },
        ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', ...fields },
      }),
    });

  it('is charged that amount where it is the one of the checkout', async () => {
    expect((await submit({ amount: '92', currency: 'EUR' })).status).toBe(200);
    const { data } = edge.command as InitiatePayment;
    expect(data.amount).toEqual({ minor: '9200', currency: 'EUR' });
  });

  it('is refused where the merchant has changed it meanwhile, and nothing begins', async () => {
    open({ parameters: { ...money, amount: '95.00' } });
    expect(namesOf(await submit({ amount: '92.00', currency: 'EUR' }))).toEqual(['amount']);
    expect(namesOf(await submit({ amount: '95.00', currency: 'USD' }))).toEqual(['currency']);
    expect([edge.commands, edge.checkouts]).toEqual([[], []]);
  });
});
