import { beforeAll, describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import { APPROVED, type Body, codeOf, type Fields, MONEY } from './demo-merchant-fixture.js';

const SHOP = {
  entityId: '8ac7a4c97ee0000000000000000000d1',
  token: 'the-token-of-a-shop-that-stores-once',
};
const SISTER = { ...SHOP, entityId: '8ac7a4c97ee0000000000000000000d2' };
const sandbox = testSandbox();

beforeAll(async () => {
  const management = /^Management on (\S+):/m.exec(sandbox.output())?.[1] ?? '';
  const channel = { name: 'Shop', merchant: 'Once', accessTokens: [SHOP.token] };
  const channels = [SHOP, SISTER].map(({ entityId }) => ({ ...channel, entityId }));
  const merchants = [{ name: 'Once', registrations: 'existing' }];
  const body = JSON.stringify({ merchants, channels });
  const seeded = await fetch(`${management}/seed`, { method: 'POST', body });
  expect(seeded.status).toBe(200);
});

async function send(
  method: string,
  path: string,
  fields: Fields = {},
  more: { readonly shop?: typeof SHOP; readonly key?: string } = {},
): Promise<Body> {
  const { entityId, token } = more.shop ?? SHOP;
  const form = new URLSearchParams({ entityId, ...fields });
  const isForm = method === 'POST';
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(more.key !== undefined && { 'Idempotency-Key': more.key }),
  };
  const target = `${sandbox.url}${path}${isForm ? '' : `?${form.toString()}`}`;
  const response = await fetch(target, { method, headers, ...(isForm && { body: form }) });
  return (await response.json()) as Body;
}

/** Test numbers with a right check digit; each spec has a card of its own. */
const cardOf = (number: string): Fields => ({
  ...{ paymentBrand: 'VISA', 'card.number': number, 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
});
const store = (card: Fields, more = {}) => send('POST', '/v1/registrations', card, more);
const payAndStore = (card: Fields, more: Fields = {}) =>
  send('POST', '/v1/payments', {
    ...{ ...card, ...MONEY, 'card.cvv': '123', createRegistration: 'true', ...more },
  });
const pay = (id: string) => send('POST', `/v1/registrations/${id}/payments`, MONEY);
const expiryOf = async (id: string) =>
  ((await send('GET', `/v1/registrations/${id}`))['card'] as Fields)['expiryYear'];

describe('a card that is stored again by a channel that wants the existing registration', () => {
  it('has one registration, however it is stored, which pays', async () => {
    const card = cardOf('4200000000000000');
    const { id } = await store(card);
    expect(await store(card)).toMatchObject({ id, result: { code: APPROVED } });
    const paid = await payAndStore(card);
    expect(paid).toMatchObject({ registrationId: id, result: { code: APPROVED } });
    expect(await send('GET', `/v1/payments/${paid.id}`)).toMatchObject({ registrationId: id });
    expect(await codeOf(pay(id))).toBe(APPROVED);
  });

  it('has one registration for many requests at once, and for many payments', async () => {
    const card = cardOf('4012888888881881');
    const stored = await Promise.all(Array.from({ length: 10 }, () => store(card)));
    const paid = await Promise.all(Array.from({ length: 10 }, () => payAndStore(card)));
    const ids = [...stored.map((each) => each.id), ...paid.map((each) => each['registrationId'])];
    expect(new Set(ids).size).toBe(1);
    const fresh = cardOf('4111111111111111');
    const first = await Promise.all(Array.from({ length: 30 }, () => payAndStore(fresh)));
    expect(new Set(first.map((each) => each['registrationId'])).size).toBe(1);
    expect(await codeOf(pay(String(first[0]?.['registrationId'])))).toBe(APPROVED);
  });

  it('has the new expiry at once, and with a payment once that is approved', async () => {
    const card = cardOf('5454545454545454');
    const master = { ...card, paymentBrand: 'MASTER' };
    const { id } = await store(master);
    expect((await store({ ...master, 'card.expiryYear': '2035' })).id).toBe(id);
    expect(await expiryOf(id)).toBe('2035');
    const declined = await payAndStore(
      { ...master, 'card.expiryYear': '2036' },
      { 'customParameters[forceResultCode]': '800.100.157' },
    );
    expect(declined.result.code).toBe('800.100.157');
    expect(declined).not.toHaveProperty('registrationId');
    expect(await expiryOf(id)).toBe('2035');
    expect(await codeOf(pay(id))).toBe(APPROVED);
  });

  it('is answered the same again under its key', async () => {
    const card = cardOf('4000000000000002');
    const { id } = await store(card);
    const first = await store(card, { key: 'store-again' });
    expect(first.id).toBe(id);
    const again = await Promise.all([1, 2, 3].map(() => store(card, { key: 'store-again' })));
    for (const answer of again) expect(answer).toEqual(first);
  });

  it('is stored anew after it was deleted', async () => {
    const card = cardOf('4242424242424242');
    const { id } = await store(card);
    expect(await codeOf(send('DELETE', `/v1/registrations/${id}`))).toBe(APPROVED);
    const next = await store(card);
    expect(next.id).not.toBe(id);
    expect(await codeOf(pay(next.id))).toBe(APPROVED);
    expect(await codeOf(pay(id))).toBe('100.150.203');
  });

  it('has another one for another channel, which could not use it', async () => {
    const card = cardOf('4988438843884305');
    const { id } = await store(card);
    const other = await store(card, { shop: SISTER });
    expect(other.id).not.toBe(id);
    expect(await codeOf(pay(id))).toBe(APPROVED);
  });
});
