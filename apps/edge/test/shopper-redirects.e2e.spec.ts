import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Redirect } from '@sluice/contracts';
import { post } from './http-client.js';
import { entityId, replying, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const way = { url: 'https://bank.example/', method: 'POST', parameters: { a: 'b' } } as const;

/** The answer to a payment that the acquirer sends a shopper for. */
async function answeredTo(redirect: Redirect) {
  edge.script.reply = replying({ status: 'pending', resultCode: '000.200.000', redirect });
  const { body } = await post(`${edge.url}/v1/payments`, {
    ...{ entityId, amount: '92.00', currency: 'EUR', paymentType: 'DB' },
    ...{ paymentBrand: 'PAYPAL', shopperResultUrl: 'https://shop.example/result' },
  });
  return body;
}

describe('a payment whose shopper has to go somewhere', () => {
  it('says so, which is to this gateway as merchants reach it', async () => {
    const { id, redirect } = await answeredTo(way);
    expect(redirect).toEqual({
      ...{ url: `${edge.url}/redirects/${id}`, method: 'GET', parameters: [] },
    });
  });

  it('says what the page of the shop loads before, at the acquirer itself', async () => {
    const frame = { origin: 'iframe#hidden', waitUntil: 'iframe#load', description: 'x' };
    const first = { ...frame, ...way, parameters: { b: '2', a: '1' } };
    const { redirect } = await answeredTo({ ...way, preconditions: [first, way] });
    const parameters = [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ];
    expect(redirect).toHaveProperty('preconditions', [
      { ...frame, ...way, parameters },
      { ...way, parameters: [{ name: 'a', value: 'b' }] },
    ]);
  });
});
