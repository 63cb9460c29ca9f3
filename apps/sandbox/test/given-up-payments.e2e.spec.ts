import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import { APPROVED, type Body, type Fields, send } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const DELETED = '000.200.102';
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.cvv': '123' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
} as const;
const DETAILS = {
  ...{ 'customer.givenName': 'Jane', 'customer.surname': 'Jones' },
  ...{ 'customer.email': 'jane@shop.example', 'billing.street1': '1 Canal Street' },
  ...{ 'billing.postcode': '10115', 'billing.city': 'Berlin', 'billing.country': 'DE' },
} as const;
const REVERSED_WITHIN_MS = 60_000;
const LOOKS_EVERY_MS = 100;
/** So that nobody waits a minute for the reversal. */
const SOON = {
  ...{ SLUICE_CONNECTOR_TIMEOUT_MS: '2500', SLUICE_SEND_WINDOW_MS: '1000' },
  ...{ SLUICE_MAX_IN_FLIGHT_MS: '500', SLUICE_SWEEPER_LEASE_MS: '4000' },
  SLUICE_SWEEP_INTERVAL_MS: '50',
};

const folder = newFolder();
let sandbox: SandboxProcess;
let shop: string;
beforeAll(async () => {
  sandbox = await start(folder, ['--throttle', '0', '--shop-port', '0'], SOON);
  shop = /^Demo shop: (\S+)$/m.exec(sandbox.output())?.[1] ?? '';
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

let cookie = '';
async function visit(path: string, fields?: Fields): Promise<Response> {
  const headers = new Headers({ cookie, origin: shop });
  const post = fields && { method: 'POST', body: new URLSearchParams(fields) };
  const response = await fetch(`${shop}${path}`, { headers, redirect: 'manual', ...post });
  cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
  return response;
}

/** What a shopper's browser sends, which has no access. */
async function submit(id: string, fields: Fields): Promise<Body> {
  const target = `${sandbox.url}/v1/checkouts/${id}/payment`;
  const response = await fetch(target, { method: 'POST', body: new URLSearchParams(fields) });
  return (await response.json()) as Body;
}

/** The shopper pays at the provider after all, and comes back. */
async function approve({ redirect }: Body): Promise<void> {
  const { url } = redirect as { readonly url: string };
  const provider = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';
  await fetch(`${provider}/approve`, { method: 'POST', redirect: 'manual' });
  await fetch(`${url}/return`, { redirect: 'manual' });
}

async function transactionsOf(merchantTransactionId: string): Promise<readonly Body[]> {
  const asked = { merchantTransactionId, includeLinkedTransactions: 'true' };
  const found = await send(sandbox, ['GET', '/v1/query'], asked);
  return (found['payments'] ?? []) as readonly Body[];
}

describe('an order whose shopper leaves a provider, is declined, and then pays there after all', () => {
  it(
    'is not paid for the shop, whenever it looks',
    async () => {
      await visit('/basket', { print: 'rain' });
      const order = (await visit('/checkout', DETAILS)).headers.get('location') ?? '';
      const page = await (await visit(`${order}/pay`)).text();
      const id = /checkoutId=([A-Za-z0-9.-]+)/.exec(page)?.[1] ?? '';
      const away = await submit(id, {
        paymentBrand: 'PAYPAL',
        shopperResultUrl: `${shop}${order}`,
      });
      const declined = await submit(id, { ...CARD, 'card.holder': '800.100.152' });
      expect(declined.result.code).toBe('800.100.152');
      await approve(away);
      const deleted = await send(sandbox, ['DELETE', `/v1/checkouts/${id}`]);
      expect(deleted.result.code).toBe(DELETED);
      const back = `${order}?resourcePath=${encodeURIComponent(`/v1/checkouts/${id}/payment`)}`;
      await visit(back);
      const orderId = order.replace('/orders/', '');
      const giveUpAtMs = performance.now() + REVERSED_WITHIN_MS;
      for (;;) {
        const found = await transactionsOf(orderId);
        expect(found.find(({ id: one }) => one === away.id)?.result.code).toBe(APPROVED);
        expect(await (await visit(order)).text()).not.toContain('Thank you');
        const reversal = found.find(({ paymentType }) => paymentType === 'RV');
        if (reversal?.result.code === APPROVED) break;
        expect(performance.now()).toBeLessThan(giveUpAtMs);
        await pause(LOOKS_EVERY_MS);
      }
      await visit(back);
      expect(await (await visit(order)).text()).toContain('The payment was declined');
    },
    2 * REVERSED_WITHIN_MS,
  );
});
