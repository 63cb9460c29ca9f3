import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import {
  APPROVED,
  type Body,
  codeOf,
  type Fields,
  MONEY,
  send as sendTo,
} from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const CREATED = '000.200.100';
const UPDATED = '000.200.101';
const PENDING = '000.200.000';
const REFUSED = '200.300.404';
const DECLINED = '800.100.152';
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', 'card.cvv': '123' },
} as const;
const SHOP = 'https://shop.example/result';

const folder = newFolder();
let sandbox: SandboxProcess;
beforeAll(async () => {
  sandbox = await started();
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

// One checkout is read more often than clients are promised.
const started = () => start(folder, ['--throttle', '0']);
const send = (method: string, path: string, fields: Fields = {}): Promise<Body> =>
  sendTo(sandbox, [method, path], fields);
const create = (fields: Fields = MONEY): Promise<Body> => send('POST', '/v1/checkouts', fields);
const read = (id: string, resource = 'payment'): Promise<Body> =>
  send('GET', `/v1/checkouts/${id}/${resource}`);

/** What a shopper's browser sends, which has no access. */
async function submit(id: string, fields: Fields = CARD, resource = 'payment'): Promise<Body> {
  const target = `${sandbox.url}/v1/checkouts/${id}/${resource}`;
  const response = await fetch(target, { method: 'POST', body: new URLSearchParams(fields) });
  return (await response.json()) as Body;
}

describe('a checkout', () => {
  it('is created, and pending until somebody completes it', async () => {
    const shopper = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' };
    const { id, ndc, result } = await create({ ...MONEY, ...shopper });
    expect([ndc, result.code]).toEqual([id, CREATED]);
    const status = await read(id);
    expect(status).toMatchObject({ ndc: id, result: { code: PENDING } });
    expect(status).not.toHaveProperty('id');
    expect(await codeOf(send('GET', `/checkouts/${id}/payment`))).toBe(PENDING);
  });

  it('is paid by its shopper, told once, and then as if it never was', async () => {
    const merchantTransactionId = 'paid by a shopper';
    const { id } = await create({ ...MONEY, merchantTransactionId, shopperResultUrl: SHOP });
    const paid = await submit(id);
    expect(paid).toMatchObject({ ndc: id, result: { code: APPROVED } });
    const path = encodeURIComponent(`/v1/checkouts/${id}/payment`);
    const url = `${SHOP}?id=${id}&resourcePath=${path}`;
    expect(paid['redirect']).toEqual({ url, method: 'GET', parameters: [] });
    expect(await read(id)).toMatchObject({
      ...{ id: paid.id, ndc: id, ...MONEY, paymentBrand: 'VISA', merchantTransactionId },
      ...{ result: { code: APPROVED }, card: { bin: '420000', last4Digits: '0000' } },
    });
    for (const again of [read(id), submit(id)]) expect(await codeOf(again)).toBe(REFUSED);
    expect(await codeOf(send('GET', `/v1/payments/${paid.id}`))).toBe(APPROVED);
    expect(await codeOf(send('GET', '/v1/query', { merchantTransactionId }))).toBe('000.000.100');
  });

  it('may be declined, and paid by another attempt', async () => {
    const forced = { 'customParameters[forceResultCode]': DECLINED };
    const merchantTransactionId = 'declined, then paid';
    const { id } = await create({ ...MONEY, ...forced, merchantTransactionId });
    const declined = await submit(id);
    expect(declined.result.code).toBe(DECLINED);
    for (const _read of [1, 2]) {
      expect(await read(id)).toMatchObject({ id: declined.id, result: { code: DECLINED } });
    }
    const other = { 'customParameters[forceResultCode]': APPROVED };
    expect(await codeOf(send('POST', `/v1/checkouts/${id}`, other))).toBe(UPDATED);
    const paid = await submit(id);
    expect(paid.result.code).toBe(APPROVED);
    expect(paid.id).not.toBe(declined.id);
    expect(await read(id)).toMatchObject({ id: paid.id, result: { code: APPROVED } });
    const { payments } = await send('GET', '/v1/query', { merchantTransactionId });
    const found = (payments as readonly Body[]).map((one) => [one.id, one.result.code]);
    expect(found.toSorted()).toEqual(
      [
        [declined.id, DECLINED],
        [paid.id, APPROVED],
      ].toSorted(),
    );
  });

  it('is paid once by a double click', async () => {
    const merchantTransactionId = 'clicked twice';
    const { id } = await create({ ...MONEY, merchantTransactionId });
    const answers = await Promise.all([submit(id), submit(id), submit(id)]);
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
    for (const { result } of answers) expect([APPROVED, PENDING]).toContain(result.code);
    expect(await codeOf(read(id))).toBe(APPROVED);
    const { payments } = await send('GET', '/v1/query', { merchantTransactionId });
    expect(payments).toHaveLength(1);
  });

  it('is of the amount that it was changed to, until it is paid', async () => {
    const { id } = await create();
    const change = (amount: string) => send('POST', `/v1/checkouts/${id}`, { amount });
    expect(await change('82.00')).toMatchObject({ id, ndc: id, result: { code: UPDATED } });
    await submit(id);
    expect(await codeOf(change('1.00'))).toBe(REFUSED);
    expect(await read(id)).toMatchObject({ amount: '82.00' });
  });

  it('left open at a provider is paid by card, and the shopper comes back to it', async () => {
    const { id } = await create({ ...MONEY, shopperResultUrl: SHOP });
    const away = await submit(id, { paymentBrand: 'PAYPAL' });
    expect(away).toMatchObject({ result: { code: PENDING } });
    expect(away['redirect']).toMatchObject({ url: `${sandbox.url}/redirects/${away.id}` });
    expect(await codeOf(read(id))).toBe(PENDING);
    const paid = await submit(id);
    expect(paid.result.code).toBe(APPROVED);
    expect(await read(id)).toMatchObject({ id: paid.id, paymentBrand: 'VISA' });
  });

  it('that stores something is read as one', async () => {
    const { id } = await create({ createRegistration: 'true' });
    expect(await codeOf(read(id, 'registration'))).toBe(PENDING);
    expect(await codeOf(read(id))).toBe(REFUSED);
    const { 'card.cvv': _, ...card } = CARD;
    const stored = await submit(id, card, 'registration');
    expect(stored.result.code).toBe(APPROVED);
    expect(await read(id, 'registration')).toMatchObject({
      ...{ id: stored.id, ndc: id, card: { last4Digits: '0000' }, result: { code: APPROVED } },
    });
    const path = `/v1/registrations/${stored.id}/payments`;
    expect(await codeOf(send('POST', path, MONEY))).toBe(APPROVED);
  });

  it('paid with a stored card says so, and none is held to a plan that nobody speaks of', async () => {
    const oneClick = { type: 'UNSCHEDULED', mode: 'REPEATED', source: 'CIT' };
    const first = {
      ...{ 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' },
      'standingInstruction.type': 'RECURRING',
    };
    const paidAgain = async (terms: Fields) => {
      const stored = { ...MONEY, ...CARD, ...first, ...terms, createRegistration: 'true' };
      const registrationId = String((await send('POST', '/v1/payments', stored))['registrationId']);
      const { id } = await create({ ...MONEY, 'registrations[0].id': registrationId });
      await submit(id, { registrationId });
      const { result, standingInstruction } = await read(id);
      return [result.code, standingInstruction];
    };
    expect(await paidAgain({})).toEqual([APPROVED, oneClick]);
    const monthly = { 'standingInstruction.frequency': '0030' };
    expect(await paidAgain(monthly)).toEqual([APPROVED, undefined]);
  });

  it('is still there after a restart, and paid', async () => {
    const { id } = await create();
    await sandbox.kill();
    sandbox = await started();
    expect(await codeOf(read(id))).toBe(PENDING);
    expect(await codeOf(submit(id))).toBe(APPROVED);
    expect(await codeOf(read(id))).toBe(APPROVED);
  });

  it('that is not there is refused', async () => {
    const unknown = `${'0'.repeat(32)}.sluice`;
    expect(await codeOf(read(unknown))).toBe(REFUSED);
    expect(await codeOf(submit(unknown))).toBe(REFUSED);
    expect(await codeOf(send('POST', `/v1/checkouts/${unknown}`, MONEY))).toBe(REFUSED);
  });
});
