import { afterEach, describe, expect, it } from '@jest/globals';
import type { ShopperAnswer } from '@sluice/contracts';
import { newCheckoutId } from '@sluice/identifiers';
import { codes } from '@sluice/result-codes';
import Fastify, { type FastifyInstance } from 'fastify';
import { Refused } from './answer.js';
import { RefusalLimit } from './refusal-limit.js';
import { shopperRoutes } from './shopper-routes.js';

const ID = '01a20b50e02a829899c0bc7076013f60';
const BACK = `id=${ID}&resourcePath=%2Fv1%2Fpayments%2F${ID}`;
const shopperResultUrl = 'https://shop.example/result';
const atBank = {
  url: 'https://bank.example/pay?lang=de',
  method: 'POST',
  parameters: { '"><b>': '<i>' },
} as const;
const atProvider = { ...atBank, method: 'GET', parameters: { token: 'a b&c' } } as const;

let server: FastifyInstance | undefined;
afterEach(() => server?.close());

/** Payments as it answers everything, and what it was asked. */
function serving(answer: ShopperAnswer | Error): { asked: string[]; server: FastifyInstance } {
  const asked: string[] = [];
  const ask = <Answer>(_service: string, query: string): Promise<Answer> => {
    asked.push(query);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as Answer);
  };
  server = Fastify();
  const guesses = new RefusalLimit(1, { monotonicMs: () => 0 });
  void server.register(shopperRoutes(() => ({ ask }), guesses));
  return { asked, server };
}

const get = (url: string) => ({ method: 'GET', url }) as const;
const post = (url: string) => ({ method: 'POST', url }) as const;

describe('the way of a shopper', () => {
  it('goes on to a provider by GET', async () => {
    const { server, asked } = serving({ redirect: atProvider, shopperResultUrl });
    const { statusCode, headers } = await server.inject(get(`/redirects/${ID}`));
    expect([statusCode, headers.location]).toEqual([
      ...[303, 'https://bank.example/pay?lang=de&token=a+b%26c'],
    ]);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(asked).toEqual(['payments.redirect']);
  });

  it('goes on to a bank by a form, which escapes what the bank wants', async () => {
    const { server } = serving({ redirect: atBank, shopperResultUrl });
    const { statusCode, body } = await server.inject(get(`/redirects/${ID}`));
    expect(statusCode).toBe(200);
    expect(body).toContain('action="https://bank.example/pay?lang=de"');
    expect(body).toContain('name="&quot;&gt;&lt;b&gt;" value="&lt;i&gt;"');
  });

  it('begins the same way for whoever is sent by a form', async () => {
    const { server, asked } = serving({ redirect: atBank });
    const { statusCode, headers } = await server.inject(post(`/redirects/${ID}`));
    expect([statusCode, headers.location, asked]).toEqual([303, ID, []]);
  });

  it.each([
    ['once it is decided', get(`/redirects/${ID}`), { shopperResultUrl }],
    ['coming back', get(`/redirects/${ID}/return`), { shopperResultUrl }],
    ['coming back by a form', post(`/redirects/${ID}/return`), { shopperResultUrl }],
    [
      ...['coming back undecided', get(`/redirects/${ID}/return`)],
      { shopperResultUrl, redirect: atBank },
    ] as const,
  ] as const)('leads to the shop %s', async (_, request, answer) => {
    const { statusCode, headers } = await serving(answer).server.inject(request);
    expect([statusCode, headers.location]).toEqual([303, `${shopperResultUrl}?${BACK}`]);
  });

  it('leads from a checkout back to that, and not to its payment', async () => {
    const checkoutId = newCheckoutId('sluice');
    const { server } = serving({ shopperResultUrl, checkoutId });
    const { headers } = await server.inject(get(`/redirects/${ID}/return`));
    const path = `%2Fv1%2Fcheckouts%2F${checkoutId}%2Fpayment`;
    expect(headers.location).toBe(`${shopperResultUrl}?id=${checkoutId}&resourcePath=${path}`);
  });

  it('leads out of a frame by a page, which tells the widget around it where to', async () => {
    const { server } = serving({ shopperResultUrl });
    const framed = { ...get(`/redirects/${ID}/return`), headers: { 'sec-fetch-dest': 'iframe' } };
    const { statusCode, headers, body } = await server.inject(framed);
    expect([statusCode, headers.location]).toEqual([200, undefined]);
    expect(body).toContain(`href="${shopperResultUrl}?${BACK.replaceAll('&', '&amp;')}"`);
    expect(headers['content-security-policy']).not.toContain('frame-ancestors');
  });

  it('leads to an app from a frame as from anywhere', async () => {
    const { server } = serving({ shopperResultUrl: 'shop-app://result' });
    const framed = { ...get(`/redirects/${ID}/return`), headers: { 'sec-fetch-dest': 'iframe' } };
    const { statusCode, headers } = await server.inject(framed);
    expect([statusCode, headers.location]).toEqual([303, `shop-app://result?${BACK}`]);
  });

  it('ends on a page where nobody knows the shop any more', async () => {
    const { server } = serving({ redirect: atBank });
    const { statusCode, body } = await server.inject(get(`/redirects/${ID}/return`));
    expect([statusCode, body.includes('You are done here')]).toEqual([200, true]);
  });

  it.each(['', '/return'])(
    'ends on that page where the payment is decided and its shop was never told: %s',
    async (path) => {
      const { server } = serving({ isDecided: true });
      const { statusCode, body } = await server.inject(get(`/redirects/${ID}${path}`));
      expect([statusCode, body.includes('You are done here')]).toEqual([200, true]);
    },
  );

  it.each([
    get(`/redirects/${ID}`),
    get(`/redirects/${ID}/return`),
    get('/redirects/none'),
    post('/redirects/%2F%2Fevil.example'),
    get('/redirects/%2F%2Fevil.example/return'),
  ])('is nobody’s for an id that nobody knows: %j', async (request) => {
    const { statusCode, headers } = await serving({}).server.inject(request);
    expect([statusCode, headers.location]).toEqual([404, undefined]);
  });

  it('is not looked up any more for an address that has guessed too often', async () => {
    const { server, asked } = serving({});
    const statuses: number[] = [];
    for (let guess = 0; guess < 8; guess += 1) {
      statuses.push((await server.inject(get(`/redirects/${ID}`))).statusCode);
    }
    expect(statuses).toEqual([404, 404, 404, 404, 404, 503, 503, 503]);
    expect(asked).toHaveLength(5);
  });

  it('says so while payments cannot be asked', async () => {
    const { server } = serving(new Refused({ code: codes.unavailable }));
    const { statusCode, body } = await server.inject(get(`/redirects/${ID}/return`));
    expect([statusCode, body.includes('load this page again')]).toEqual([503, true]);
  });
});
