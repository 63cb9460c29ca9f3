import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { testKafka } from '@sluice/testing';
import { createHash } from 'node:crypto';
import { Services } from './services-fixture.js';

jest.setTimeout(120_000);

/** The demo channel, as the greeting of the sandbox prints it. */
const TOKEN = 'sluice-demo-access-token-for-sandboxes-only';
const ENTITY = '8a8294174b7ecb28014b9699220015ca';
const MONEY = { amount: '92.00', currency: 'EUR', paymentType: 'DB' } as const;
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', 'card.cvv': '123' },
} as const;
const RESULT = 'https://shop.example/result';

type Fields = Readonly<Record<string, string>>;

/** What is read of a body. */
interface Body {
  readonly id: string;
  readonly ndc?: string;
  readonly integrity?: string;
  readonly registrationId?: string;
  readonly redirect?: { readonly url: string };
  readonly result: { readonly code: string };
}

const services = new Services(testKafka());

beforeAll(async () => {
  await services.start();
}, 180_000);

afterAll(async () => {
  await services.remove();
}, 60_000);

/** What the shop's server asks, with its access. */
async function shop(method: 'GET' | 'POST' | 'DELETE', path: string, fields: Fields = {}) {
  const parameters = new URLSearchParams({ entityId: ENTITY, ...fields });
  const target = `${services.url}${path}${method === 'POST' ? '' : `?${parameters.toString()}`}`;
  const response = await fetch(target, {
    ...{ method, headers: { authorization: `Bearer ${TOKEN}` } },
    ...(method === 'POST' && { body: parameters }),
  });
  return (await response.json()) as Body;
}

/** What the form sends, without any. */
async function form(id: string, resource: string, fields: Fields): Promise<Body> {
  const target = `${services.url}/v1/checkouts/${id}/${resource}`;
  const response = await fetch(target, { method: 'POST', body: new URLSearchParams(fields) });
  return (await response.json()) as Body;
}

function status(id: string, resource = 'payment'): Promise<Body> {
  return shop('GET', `/v1/checkouts/${id}/${resource}`);
}

/** Where a browser is sent next. */
async function next(url: string, method: 'GET' | 'POST' = 'GET'): Promise<string> {
  const response = await fetch(url, { method, redirect: 'manual' });
  return new URL(response.headers.get('location') ?? '', url).href;
}

describe('a checkout at services that are processes of their own', () => {
  it('has a script with the hash that it was made with, and the form’s files', async () => {
    const { id, ndc, integrity } = await shop('POST', '/v1/checkouts', {
      ...MONEY,
      integrity: 'true',
    });
    expect(ndc).toBe(id);
    const script = await fetch(`${services.url}/v1/paymentWidgets.js?checkoutId=${id}`);
    const bytes = Buffer.from(await script.arrayBuffer());
    expect(`sha384-${createHash('sha384').update(bytes).digest('base64')}`).toBe(integrity);
    const version = /"version":"([^"]+)"/.exec(bytes.toString())?.[1] ?? '';
    const widget = await fetch(`${services.url}/v1/widget/${version}/widget.js`);
    expect(widget.headers.get('cache-control')).toContain('immutable');
  });

  it('is changed, declined, corrected, and told once', async () => {
    const { id } = await shop('POST', '/v1/checkouts', MONEY);
    const changed = await shop('POST', `/v1/checkouts/${id}`, { amount: '64.00' });
    expect(changed.result.code).toBe('000.200.101');
    // Whose name is a result code is declined with it by the simulator.
    const declined = { ...CARD, 'card.holder': '800.100.153' };
    expect((await form(id, 'payment', declined)).result.code).toBe('800.100.153');
    const paid = await form(id, 'payment', CARD);
    expect(paid.result.code).toBe('000.100.110');
    expect(await status(id)).toMatchObject({ ndc: id, amount: '64.00', paymentBrand: 'VISA' });
    expect((await status(id)).result.code).toBe('200.300.404');
  });

  it('stores a card, which another checkout offers and pays with', async () => {
    const storing = await shop('POST', '/v1/checkouts', { createRegistration: 'true' });
    expect((await form(storing.id, 'registration', CARD)).result.code).toBe('000.100.110');
    const { id: registrationId } = await status(storing.id, 'registration');
    const { id } = await shop('POST', '/v1/checkouts', {
      ...MONEY,
      'registrations[0].id': registrationId,
    });
    const offered = await fetch(`${services.url}/v1/checkouts/${id}/form`);
    expect(await offered.text()).toContain(registrationId);
    expect((await form(id, 'payment', { registrationId })).result.code).toBe('000.100.110');
    expect(await status(id)).toMatchObject({ registrationId, amount: '92.00' });
  });

  it('lets its shopper close the provider’s page, come back to it, and pay there', async () => {
    const { id } = await shop('POST', '/v1/checkouts', MONEY);
    const away = { paymentBrand: 'PAYPAL', shopperResultUrl: RESULT };
    expect((await form(id, 'payment', away)).result.code).toBe('000.200.000');
    // That page is closed: the same is chosen again.
    const { redirect } = await form(id, 'payment', away);
    expect((await status(id)).result.code).toBe('000.200.000');
    const provider = await next(redirect?.url ?? '');
    const back = await next(await next(`${provider}/approve`, 'POST'));
    expect(back).toContain(`${RESULT}?id=${encodeURIComponent(id)}`);
    expect(await status(id)).toMatchObject({ paymentBrand: 'PAYPAL', amount: '92.00' });
  });
});
