import { afterEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Sale, saleInBooks, Shoppers } from './shoppers.js';

const WIDGET = 'the widget';

function hashOf(text: string): string {
  return `sha384-${createHash('sha384').update(text).digest('base64')}`;
}

const LOADER = `load({"version":"v1","integrity":"${hashOf(WIDGET)}"});`;

/** What a gateway answers to each request; undefined: it closes the connection. */
type Gateway = (asked: string) => { readonly status?: number; readonly text: string } | undefined;

function json(fields: object): { readonly text: string } {
  return { text: JSON.stringify(fields) };
}

const healthy: Gateway = (asked) => {
  const created = { code: '000.200.100' };
  const approved = { code: '000.100.110' };
  if (asked === 'POST /v1/checkouts') {
    return json({ id: 'c1', integrity: hashOf(LOADER), result: created });
  }
  if (asked.includes('paymentWidgets.js')) return { text: LOADER };
  if (asked === 'GET /v1/widget/v1/widget.js') return { text: WIDGET };
  if (asked === 'POST /v1/checkouts/c1/payment') return json({ id: 'p1', result: approved });
  return json({ id: 'p1', result: approved });
};

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** What one shopper's first purchase came to. */
async function saleAt(gateway: Gateway): Promise<Sale | undefined> {
  server = createServer((request: IncomingMessage, response) => {
    request.resume();
    const answer = gateway(`${request.method ?? ''} ${request.url ?? ''}`);
    if (answer === undefined) response.destroy();
    else response.writeHead(answer.status ?? 200).end(answer.text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const shoppers = new Shoppers(`http://127.0.0.1:${String(port)}`, 'drill-1');
  shoppers.begin(1);
  await shoppers.stop();
  return shoppers.sales[0];
}

/** The same gateway, but for one request. */
function but(begins: string, answer: ReturnType<Gateway>): Gateway {
  return (asked) => (asked.startsWith(begins) ? answer : healthy(asked));
}

describe('shoppers at checkouts', () => {
  it('pay, and the shop is told', async () => {
    const sale = await saleAt(healthy);
    expect(sale?.failure).toBeUndefined();
    expect(sale?.widgets).toEqual(['v1']);
    const told = { kind: 'answered', status: 200, code: '000.100.110', id: 'p1' };
    expect(sale?.record).toMatchObject({ reference: 'drill-1-s00001', id: 'c1', told: [told] });
    expect(sale === undefined ? undefined : saleInBooks(sale)).toMatchObject({
      ...{ reference: 'drill-1-s00001', operation: 'DB', amountMinor: 1_250n, currency: 'EUR' },
      attempts: [{ code: '000.100.110', id: 'p1' }, told],
    });
  });

  it.each([
    ['the loader’s bytes', 'GET /v1/paymentWidgets.js', { text: `${LOADER} ` }, 'hash'],
    ['the widget’s bytes', 'GET /v1/widget/', { text: 'another one' }, 'hash'],
    ['a widget that is gone', 'GET /v1/widget/', { status: 404, text: '' }, 'HTTP 404'],
    ['a form that nobody answers', 'POST /v1/checkouts/c1', undefined, 'form: socket hang up'],
    ['a broken answer', 'POST /v1/checkouts/c1', { text: 'x' }, 'form: HTTP 200 without JSON'],
    [
      'a decline',
      'GET /v1/checkouts/c1',
      json({ id: 'p1', result: { code: '800.100.152' } }),
      'status: HTTP 200 800.100.152',
    ],
    [
      'a busy gateway',
      'POST /v1/checkouts',
      { status: 503, ...json({ result: { code: '800.600.100' } }) },
      'checkout: HTTP 503 800.600.100',
    ],
  ])('tell of %s', async (_, begins, answer, failure) => {
    expect((await saleAt(but(begins, answer)))?.failure).toContain(failure);
  });
});
