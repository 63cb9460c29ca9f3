import { describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Body, type Fields, MONEY, send } from './demo-merchant-fixture.js';

const { paymentType: _, ...AMOUNT } = MONEY;
const CARD: Fields = {
  ...{ ...AMOUNT, paymentBrand: 'VISA', 'card.cvv': '123', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034' },
  ...{ 'customer.browser.acceptHeader': 'text/html', 'customer.browser.language': 'en-GB' },
  ...{ 'customer.browser.screenHeight': '1080', 'customer.browser.screenWidth': '1920' },
  ...{ 'customer.browser.timezone': '-60', 'customer.browser.javaEnabled': 'false' },
  ...{ 'customer.browser.userAgent': 'Mozilla/5.0' },
  shopperResultUrl: 'http://127.0.0.1:9/result',
};
const FRICTIONLESS: Fields = { ...CARD, 'card.number': '4200000000000026' };
const CHALLENGED: Fields = { ...CARD, 'card.number': '4200000000000018' };
const NOT_ENROLLED: Fields = { ...CARD, 'card.number': '4012001037141112' };

interface Authenticated extends Body {
  readonly redirect?: { readonly url: string };
  readonly threeDSecure?: Readonly<Record<string, string>>;
}

const sandbox = testSandbox();

const begin = (fields: Fields, key?: string) =>
  send(sandbox, ['POST', '/v1/threeDSecure'], fields, key) as Promise<Authenticated>;
const read = (path: string) => send(sandbox, ['GET', path], {}) as Promise<Authenticated>;

/** What a merchant sends of it with the payment. */
function proofOf({ threeDSecure = {} }: Authenticated): Fields {
  const names = ['eci', 'verificationId', 'dsTransactionId', 'version', 'authenticationStatus'];
  return Object.fromEntries(
    names.map((name) => [`threeDSecure.${name}`, threeDSecure[name] ?? '']),
  );
}

async function lineOf(transactionId: string): Promise<string | undefined> {
  const book = await readFile(join(sandbox.dataFolder, 'simulator', 'book.jsonl'), 'utf8');
  return book.split('\n').find((line) => line.includes(transactionId));
}

/** A form that a page posts by itself, or that its shopper does. */
function formIn(html: string): { readonly action: string; readonly fields: URLSearchParams } {
  const action = /<form method="post" action="([^"]*)"/.exec(html)?.[1] ?? '';
  const hidden = [...html.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const fields = new URLSearchParams(
    hidden.map(([, name = '', value = '']): [string, string] => [name, value]),
  );
  return { action: action.replaceAll('&amp;', '&'), fields };
}

describe('an authentication without a payment', () => {
  it('of a card whose issuer does not ask is over at once, and a payment is made with it', async () => {
    const answer = await begin(FRICTIONLESS);
    expect(answer).toMatchObject({
      ...{ paymentType: '3D', amount: '92.00', result: { code: '000.100.110' } },
      threeDSecure: { eci: '05', authenticationStatus: 'Y', flow: 'frictionless' },
    });
    expect(answer.redirect).toBeUndefined();
    expect(answer.threeDSecure?.['verificationId']).toMatch(/^[A-Za-z0-9+/]{27}=$/);
    for (const path of ['threeDSecure', 'payments']) {
      const again = await read(`/v1/${path}/${answer.id}`);
      expect(again).toMatchObject({ paymentType: '3D', threeDSecure: answer.threeDSecure });
    }
    expect(JSON.stringify(await read(`/v1/query/${answer.id}`))).not.toContain('verificationId');
    expect(await lineOf(answer.id)).toBeUndefined();

    const payment = { ...FRICTIONLESS, ...proofOf(answer), paymentType: 'DB' };
    const paid = await send(sandbox, ['POST', '/v1/payments'], payment);
    expect(paid.result.code).toBe('000.100.110');
    expect(JSON.stringify(paid)).not.toContain(answer.threeDSecure?.['verificationId']);
    expect(await lineOf(paid.id)).toContain('"cryptogram":"fits"');
  });

  it('proves one payment: a second one is declined, and the same one asked for again is not', async () => {
    const answer = await begin(FRICTIONLESS);
    const payment = { ...FRICTIONLESS, ...proofOf(answer), paymentType: 'DB' };
    const pay = (key?: string) => send(sandbox, ['POST', '/v1/payments'], payment, key);
    const paid = await pay('its key');
    expect(paid.result.code).toBe('000.100.110');
    expect(await pay('its key')).toEqual(paid);
    const second = await pay();
    expect(second.result.code).toBe('800.100.158');
    expect(await lineOf(second.id)).toContain('"cryptogram":"usedBefore"');
  });

  it('covers so much of a payment as it was about, and what is more shifts no liability', async () => {
    const answer = await begin({ ...FRICTIONLESS, amount: '50.00' });
    const payment = { ...FRICTIONLESS, ...proofOf(answer), paymentType: 'DB' };
    const paid = await send(sandbox, ['POST', '/v1/payments'], payment);
    expect(paid).toMatchObject({
      ...{ amount: '92.00', result: { code: '000.100.110' } },
      threeDSecure: {
        ...{ eci: '05', authenticationStatus: 'Y', version: '2.2.0' },
        ...{ liabilityShifts: false, amount: '50.00', currency: 'EUR' },
      },
    });
    expect((await read(`/v1/payments/${paid.id}`)).threeDSecure).toEqual(paid['threeDSecure']);
  });

  it('is about the amount of risk where one is sent, and covers a payment of that', async () => {
    const answer = await begin({ ...FRICTIONLESS, 'risk.amount': '1000.00' });
    expect(answer.result.code).toBe('000.100.110');
    const payment = { ...FRICTIONLESS, ...proofOf(answer), amount: '1000.00', paymentType: 'DB' };
    const paid = await send(sandbox, ['POST', '/v1/payments'], payment);
    expect(paid).toMatchObject({ amount: '1000.00', result: { code: '000.100.110' } });
    expect(paid).not.toHaveProperty('threeDSecure.liabilityShifts');
    expect((await begin({ ...FRICTIONLESS, 'risk.amount': 'abc' })).result).toMatchObject({
      ...{ code: '200.300.404', parameterErrors: [{ name: 'risk.amount' }] },
    });
  });

  it('proves no payment by another card', async () => {
    const proof = proofOf(await begin(FRICTIONLESS));
    const other = { ...FRICTIONLESS, 'card.number': '4200000000000000', ...proof };
    const paid = await send(sandbox, ['POST', '/v1/payments'], { ...other, paymentType: 'DB' });
    expect(paid.result.code).toBe('800.100.158');
    expect(await lineOf(paid.id)).toContain('"cryptogram":"otherCard"');
  });

  it('of an attempt proves no authentication to the issuer, and is good for what it is', async () => {
    const attempted = await begin({ ...FRICTIONLESS, 'customParameters[3DS2_status]': 'A' });
    const proof = proofOf(attempted);
    expect(proof).toMatchObject({ 'threeDSecure.eci': '06' });
    const pay = (claimed: Fields) =>
      send(sandbox, ['POST', '/v1/payments'], {
        ...{ ...FRICTIONLESS, ...proof, ...claimed, paymentType: 'DB' },
      });
    const claimed = { 'threeDSecure.eci': '05', 'threeDSecure.authenticationStatus': 'Y' };
    const forged = await pay(claimed);
    expect(forged.result.code).toBe('800.100.158');
    expect(await lineOf(forged.id)).toContain('"cryptogram":"otherOutcome"');
    expect((await pay({})).result.code).toBe('000.100.110');
  });

  it('proves no payment by a stored card with what its network does not have', async () => {
    const { amount: _amount, currency: _currency, ...card } = FRICTIONLESS;
    const { id } = await send(sandbox, ['POST', '/v1/registrations'], card);
    const proof = proofOf(await begin(FRICTIONLESS));
    const pay = (more: Fields) =>
      send(sandbox, ['POST', `/v1/registrations/${id}/payments`], {
        ...{ ...MONEY, ...proof, ...more },
      });
    for (const eci of ['01', '02', '06', '07']) {
      expect((await pay({ 'threeDSecure.eci': eci })).result).toMatchObject({
        ...{ code: '200.300.404', parameterErrors: [{ name: 'threeDSecure.eci' }] },
      });
    }
    expect((await pay({})).result.code).toBe('000.100.110');
  });

  it('under a key is made once', async () => {
    const first = await begin(FRICTIONLESS, 'one-key');
    expect(await begin(FRICTIONLESS, 'one-key')).toEqual(first);
  });

  it('of a card whose issuer asks waits for the shopper', async () => {
    const answer = await begin(CHALLENGED);
    expect(answer).toMatchObject({
      ...{ paymentType: '3D', result: { code: '000.200.000' } },
      redirect: { url: `${sandbox.url}/redirects/${answer.id}` },
    });
    expect((await read(`/v1/threeDSecure/${answer.id}`)).redirect).toEqual(answer.redirect);
    await challenged(answer);
    let now = answer;
    for (const endMs = Date.now() + 20_000; Date.now() < endMs; await pause(200)) {
      now = await read(`/v1/payments/${answer.id}`);
      if (now.result.code !== '000.200.000') break;
    }
    expect(now).toMatchObject({
      result: { code: '000.100.110' },
      threeDSecure: { eci: '05', authenticationStatus: 'Y', flow: 'challenge' },
    });
    const payment = { ...CHALLENGED, ...proofOf(now), paymentType: 'PA' };
    const paid = await send(sandbox, ['POST', '/v1/payments'], payment);
    expect(paid.result.code).toBe('000.100.110');
    expect(await lineOf(paid.id)).toContain('"cryptogram":"fits"');
  }, 60_000);

  it('of a card that is not enrolled is refused', async () => {
    const { result, threeDSecure } = await begin(NOT_ENROLLED);
    expect(result.code).toMatch(/^(000\.400\.102|100\.380\.401|100\.390\.10)/);
    expect(threeDSecure).not.toHaveProperty('verificationId');
  });

  it('is about the shopper alone with an amount of zero', async () => {
    const { amount: _amount, ...others } = FRICTIONLESS;
    const about = {
      ...{ 'threeDSecure.npa': 'true', 'billing.street1': 'Main Street 1' },
      ...{ 'billing.city': 'London', 'billing.country': 'GB', 'billing.postcode': 'SW1A 1AA' },
    };
    const answer = await begin({ ...others, ...about, amount: '0.00' });
    expect(answer).toMatchObject({
      ...{ amount: '0.00', result: { code: '000.100.110' } },
      threeDSecure: { authenticationStatus: 'Y', liabilityShifts: false },
    });
  });

  it('moves no money, so nothing refers to it', async () => {
    const { id } = await begin(FRICTIONLESS);
    const refer = (paymentType: string) =>
      send(sandbox, ['POST', `/v1/payments/${id}`], { ...AMOUNT, paymentType });
    expect((await refer('CP')).result.code).toBe('700.400.510');
    expect((await refer('RF')).result.code).toBe('700.400.520');
    expect((await refer('RV')).result.code).toBe('700.400.530');
  });

  it('is none where the id is that of a payment', async () => {
    const fields = { ...CARD, 'card.number': '4200000000000000', paymentType: 'DB' };
    const { id } = await send(sandbox, ['POST', '/v1/payments'], fields);
    expect((await read(`/v1/threeDSecure/${id}`)).result.code).toBe('700.400.580');
  });

  it('says what it cannot do', async () => {
    const { result } = await begin({ ...FRICTIONLESS, 'threeDSecure.disable': 'true' });
    expect(result).toMatchObject({
      ...{ code: '200.300.404', parameterErrors: [{ name: 'threeDSecure.disable' }] },
    });
    const { result: moto } = await begin({ ...FRICTIONLESS, transactionCategory: 'MO' });
    expect([moto.code, moto.description]).toEqual([
      ...['600.200.500', expect.stringContaining('there is no browser')],
    ]);
  });
});

describe('a risk check without a payment', () => {
  it('is refused where the channel has no rules', async () => {
    const check = { ...CARD, 'card.number': '4200000000000000' };
    const { paymentType, result } = await send(sandbox, ['POST', '/v1/risk'], check);
    expect([paymentType, result.code]).toEqual(['RI', '600.200.500']);
    expect(result.description).toContain('no rules of risk hold for this channel');
  });
});

/** Follows the redirect to the issuer with plain HTTP, and gives the right code there. */
async function challenged({ redirect }: Authenticated): Promise<void> {
  const begun = formIn(await (await fetch(redirect?.url ?? '')).text());
  const page = await fetch(begun.action, { method: 'POST', body: begun.fields });
  expect(await page.text()).toContain('92.00 EUR');
  const answered = new URLSearchParams({ answer: '123456', action: 'answer' });
  const ended = await fetch(page.url, { method: 'POST', body: answered });
  const back = formIn(await ended.text());
  expect(back.action).toContain('/return');
  const home = await fetch(back.action, {
    ...{ method: 'POST', body: back.fields, redirect: 'manual' },
  });
  expect(home.headers.get('location')).toContain('http://127.0.0.1:9/result?');
}
