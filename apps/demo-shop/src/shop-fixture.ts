import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach } from '@jest/globals';
import { type DemoShop, startDemoShop } from './demo-shop.js';
import type { Answer } from './gateway.js';

/** A request that the gateway was sent. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** What the gateway answers; undefined cuts the connection. */
export type Script = (asked: Asked) => Partial<Answer> | undefined;

export const ACCESS_TOKEN = 'token of the shop alone';
export const APPROVED = '000.100.110';
export const ADDRESS = {
  ...{ 'customer.givenName': 'Jane', 'customer.surname': 'Jones' },
  ...{ 'customer.email': 'jane@shop.example', 'billing.street1': '1 Canal Street' },
  ...{ 'billing.postcode': '10115', 'billing.city': 'Berlin', 'billing.country': 'DE' },
} as const;

/** A shop for each test, whose gateway answers by a script, and a shopper with a cookie. */
export class ShopVisit {
  readonly asked: Asked[] = [];
  nowMs = 0;
  script: Script = () => ({});
  cookie: string | undefined;
  private shop!: DemoShop;
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, search } = new URL(request.url ?? '', 'http://gateway');
      const fields = new URLSearchParams(search + Buffer.concat(chunks).toString());
      const { method = '', headers } = request;
      this.answer(
        { method, path: pathname, fields: Object.fromEntries(fields), headers },
        response,
      );
    });
  });

  constructor() {
    beforeEach(async () => {
      this.asked.length = 0;
      this.cookie = undefined;
      this.nowMs = 0;
      this.server.listen(0, '127.0.0.1');
      await once(this.server, 'listening');
      const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
      this.shop = await startDemoShop({
        ...{ host: '127.0.0.1', port: 0, nowMs: () => this.nowMs },
        account: { url, entityId: 'channel', accessToken: ACCESS_TOKEN },
      });
    });
    afterEach(async () => {
      await this.shop.close();
      this.server.closeAllConnections();
      this.server.close();
    });
  }

  get url(): string {
    return this.shop.url;
  }

  /** Where a browser is sent, or what it is shown. */
  async get(path: string): Promise<Response> {
    return this.fetch(path, {});
  }

  async post(
    path: string,
    fields: Readonly<Record<string, string>> = {},
    origin = this.url,
  ): Promise<Response> {
    return this.fetch(path, {
      ...{ method: 'POST', body: new URLSearchParams(fields), headers: { origin } },
    });
  }

  /** Puts prints into the basket. */
  async fill(...prints: readonly string[]): Promise<void> {
    for (const print of prints) await this.post('/basket', { print });
  }

  /** From the basket to the order, by its address. */
  async order(fields: Readonly<Record<string, string>> = {}): Promise<string> {
    const response = await this.post('/checkout', { ...ADDRESS, ...fields });
    return response.headers.get('location') ?? '';
  }

  /** The requests of one kind that the gateway was sent. */
  sent(method: string, path: RegExp): Asked[] {
    return this.asked.filter((asked) => asked.method === method && path.test(asked.path));
  }

  private async fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookie !== undefined) headers.set('cookie', this.cookie);
    const response = await fetch(`${this.url}${path}`, { ...init, headers, redirect: 'manual' });
    const [cookie] = (response.headers.get('set-cookie') ?? '').split(';');
    if (cookie !== undefined && cookie !== '') this.cookie = cookie;
    return response;
  }

  private answer(asked: Asked, response: ServerResponse): void {
    this.asked.push(asked);
    const answer = this.script(asked);
    if (answer === undefined) response.destroy();
    else response.end(JSON.stringify({ result: { code: APPROVED }, ...answer }));
  }
}

/** A gateway where everything is approved, and a card is kept where that is asked for. */
export function willing(): Script {
  const orders = new Map<string, Readonly<Record<string, string>>>();
  let made = 0;
  return ({ method, path, fields }) => {
    const { amount = '', currency = '', merchantTransactionId = '' } = fields;
    const money = { amount, currency, merchantTransactionId };
    if (method === 'POST' && path === '/v1/checkouts') {
      const id = `checkout-${made}`;
      const kept = { registrationId: `card-${made}` };
      made += 1;
      orders.set(id, { ...money, ...(fields['createRegistration'] === 'true' && kept) });
      return { id, integrity: `sha384-${id}` };
    }
    const [, checkout = ''] = /^\/v1\/checkouts\/([^/]+)\/payment$/.exec(path) ?? [];
    if (checkout !== '') {
      const order = orders.get(checkout);
      // Told once.
      orders.delete(checkout);
      return order === undefined
        ? { result: { code: '200.300.404' } }
        : { id: 'payment', shortId: '1111.2222.3333', ...order };
    }
    if (method === 'GET' && path.startsWith('/v1/registrations/')) {
      const card = { last4Digits: '0000', expiryMonth: '05', expiryYear: '2034' };
      return { paymentBrand: 'VISA', card };
    }
    return {};
  };
}
