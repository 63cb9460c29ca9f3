import { beforeEach, describe, expect, it } from '@jest/globals';
import { prints } from './prints.js';
import { ShopVisit, willing } from './shop-fixture.js';

const visit = new ShopVisit();
beforeEach(() => {
  visit.script = willing();
});

describe('the shop', () => {
  it('shows every print, with its picture and price', async () => {
    const shown = await (await visit.get('/')).text();
    for (const { id, name } of prints.values()) {
      expect(shown).toContain(`/prints/${id}`);
      expect(await (await visit.get(`/prints/${id}`)).text()).toContain(`<h1>${name}</h1>`);
      const picture = await visit.get(`/prints/${id}.svg`);
      expect(picture.headers.get('content-type')).toContain('image/svg+xml');
    }
  });

  it('knows shoppers by a cookie that no script reads and no form of another site brings', async () => {
    const { headers } = await visit.get('/');
    expect(headers.get('set-cookie')).toMatch(
      /^shopper=[0-9a-f-]{36}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect((await visit.get('/')).headers.get('set-cookie')).toBeNull();
  });

  it('refuses a form of another site', async () => {
    for (const origin of ['https://elsewhere.example', 'null', visit.url.replace(/\d$/, '')]) {
      expect((await visit.post('/basket', { print: 'rain' }, origin)).status).toBe(403);
    }
    expect(await (await visit.get('/basket')).text()).toContain('Your basket is empty');
  });

  it.each([
    [{ print: 'nothing' }, 404],
    [{ print: 'rain', quantity: '1.5' }, 404],
    [{ print: 'rain', quantity: 'many' }, 404],
    [{ print: 'rain', quantity: '-3' }, 303],
    [{ print: 'rain', quantity: '0' }, 303],
  ])('puts nothing into the basket for %j', async (fields, status) => {
    expect((await visit.post('/basket', fields)).status).toBe(status);
    expect(await (await visit.get('/basket')).text()).toContain('Your basket is empty');
  });

  it('takes nine of a print at the most', async () => {
    await visit.post('/basket', { print: 'rain', quantity: '4000' });
    expect(await (await visit.get('/basket')).text()).toContain('€324.00');
  });

  it('leads from the checkout to an empty basket', async () => {
    for (const response of [await visit.get('/checkout'), await visit.post('/checkout')]) {
      expect(response.headers.get('location')).toBe('/basket');
    }
  });

  it('says so where there is nothing', async () => {
    for (const path of ['/nothing', '/prints/nothing', '/orders/nothing', '/prints/..%2f']) {
      expect([path, (await visit.get(path)).status]).toEqual([path, 404]);
    }
  });

  it('looks for the gateway by the name by which the shop was found', async () => {
    const url = visit.url.replace('127.0.0.1', 'localhost');
    const response = await fetch(url).catch(() => undefined);
    if (response === undefined) throw new Error('localhost is not this machine here');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toMatch(/frame-src http:\/\/localhost:\d+;/);
  });
});
