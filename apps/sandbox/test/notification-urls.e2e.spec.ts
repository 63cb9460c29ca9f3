import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { APPROVED, type Body, codeOf, MONEY, send } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const PENDING = '000.200.000';
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', 'card.cvv': '123' },
} as const;
const DECLINED = '800.100.152';

let sandbox: SandboxProcess;
/** What it was told, as it reads it: what a merchant does who is called. */
const told: string[] = [];
let onTold: (() => void) | undefined;
const shop = createServer((request, response) => {
  told.push(`${request.method} ${request.url}`);
  response.end();
  onTold?.();
});

beforeAll(async () => {
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  sandbox = await start(newFolder());
}, START_WITHIN_MS);
afterAll(async () => {
  await endSandboxes();
  shop.closeAllConnections();
  shop.close();
}, START_WITHIN_MS);

const urlOfShop = (): string =>
  `http://127.0.0.1:${(shop.address() as AddressInfo).port}/told?of=7`;
const created = (path: string, fields: Readonly<Record<string, string>>): Promise<Body> =>
  send(sandbox, ['POST', path], { ...fields, notificationUrl: urlOfShop() });

/** Where the next call says that the result is. */
async function nextPath(id: string): Promise<string> {
  while (told.length === 0) {
    await new Promise<void>((resolve) => {
      onTold = resolve;
    });
  }
  const [method = '', url = ''] = (told.shift() ?? '').split(' ');
  const { pathname, searchParams } = new URL(url, 'http://shop');
  expect([method, pathname, searchParams.get('of'), searchParams.get('id')]).toEqual([
    ...['GET', '/told', '7', id],
  ]);
  return searchParams.get('resourcePath') ?? '';
}
const read = (path: string): Promise<string> => codeOf(send(sandbox, ['GET', path]));

describe('the address that a request names', () => {
  it('is called for a payment that is approved at once', async () => {
    const { id } = await created('/v1/payments', { ...MONEY, ...CARD });
    const path = await nextPath(id);
    expect(path).toBe(`/v1/payments/${id}`);
    expect(await read(path)).toBe(APPROVED);
  });

  it('is called for one that waits for its shopper once that has paid, and not before', async () => {
    const shopperResultUrl = 'https://shop.example/result';
    const brand = { paymentBrand: 'PAYPAL', shopperResultUrl };
    const pending = await created('/v1/payments', { ...MONEY, ...brand });
    expect(pending.result.code).toBe(PENDING);
    const { id: later } = await created('/v1/payments', { ...MONEY, ...CARD });
    // What came later has ended earlier.
    expect(await nextPath(later)).toBe(`/v1/payments/${later}`);
    const { url } = pending['redirect'] as { readonly url: string };
    const page = await fetch(url);
    const chosen = await fetch(`${page.url}/approve`, { method: 'POST', redirect: 'manual' });
    await fetch(chosen.headers.get('location') ?? '', { redirect: 'manual' });
    const path = await nextPath(pending.id);
    expect(path).toBe(`/v1/payments/${pending.id}`);
    expect(await read(path)).toBe(APPROVED);
  });

  it('is called for a checkout, by its own id', async () => {
    const { id } = await created('/v1/checkouts', MONEY);
    const target = `${sandbox.url}/v1/checkouts/${id}/payment`;
    await fetch(target, { method: 'POST', body: new URLSearchParams(CARD) });
    const path = await nextPath(id);
    expect(path).toBe(`/v1/checkouts/${id}/payment`);
    expect(await read(path)).toBe(APPROVED);
  });

  it('is called for a registration, and for that of a checkout', async () => {
    const { id } = await created('/v1/registrations', CARD);
    expect(await nextPath(id)).toBe(`/v1/registrations/${id}`);
    const checkout = await created('/v1/checkouts', { createRegistration: 'true' });
    const target = `${sandbox.url}/v1/checkouts/${checkout.id}/registration`;
    await fetch(target, { method: 'POST', body: new URLSearchParams(CARD) });
    const path = await nextPath(checkout.id);
    expect(path).toBe(`/v1/checkouts/${checkout.id}/registration`);
    expect(await read(path)).toBe(APPROVED);
  });

  it('is called once for a payment that stores its card', async () => {
    const storing = { ...MONEY, ...CARD, createRegistration: 'true' };
    const { id } = await created('/v1/payments', storing);
    expect(await nextPath(id)).toBe(`/v1/payments/${id}`);
    const declined = { 'customParameters[forceResultCode]': DECLINED };
    const { id: next } = await created('/v1/payments', { ...MONEY, ...CARD, ...declined });
    expect(await nextPath(next)).toBe(`/v1/payments/${next}`);
    expect(await read(`/v1/payments/${next}`)).toBe(DECLINED);
  });

  it.each(['shop.example://told', 'https://user@shop.example/told'])(
    'is refused where it is none that can be called: %s',
    async (notificationUrl) => {
      const payment = { ...MONEY, ...CARD, notificationUrl };
      const { result } = await send(sandbox, ['POST', '/v1/payments'], payment);
      expect(result.parameterErrors).toMatchObject([{ name: 'notificationUrl' }]);
    },
  );
});
