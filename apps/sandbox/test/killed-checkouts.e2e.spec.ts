import { afterAll, describe, expect, it } from '@jest/globals';
import { type Body, type Fields, MONEY, send as sendTo } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const PENDING = '000.200.000';
const REFUSED = '200.300.404';
const SAVED = '000.200.101';
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', 'card.cvv': '123' },
} as const;
/** What waits for minutes in life waits here for less (D-28). */
const SOON = {
  ...{ SLUICE_CONNECTOR_TIMEOUT_MS: '2500', SLUICE_SEND_WINDOW_MS: '1000' },
  ...{ SLUICE_MAX_IN_FLIGHT_MS: '500', SLUICE_SWEEPER_LEASE_MS: '4000' },
  ...{ SLUICE_INQUIRE_AFTER_MS: '200,400,800,1600', SLUICE_RESOLVE_BY_MS: '4000' },
  ...{ SLUICE_SWEEP_INTERVAL_MS: '100' },
};

afterAll(endSandboxes, START_WITHIN_MS);

describe('a checkout whose gateway is killed while the acquirer is asked', () => {
  it('has one payment, and says what became of it', async () => {
    const folder = newFolder();
    // One checkout is read more often than clients are promised.
    const started = () => start(folder, ['--throttle', '0'], SOON);
    let sandbox = await started();
    const send = (method: string, path: string, fields: Fields = {}): Promise<Body> =>
      sendTo(sandbox, [method, path], fields);
    const merchantTransactionId = 'killed in between';
    const found = async (): Promise<readonly Body[]> => {
      const { payments } = await send('GET', '/v1/query', { merchantTransactionId });
      return (payments ?? []) as readonly Body[];
    };

    const slow = { 'customParameters[simulator.fault]': 'delay:1500' };
    const { id } = await send('POST', '/v1/checkouts', {
      ...MONEY,
      ...slow,
      merchantTransactionId,
    });
    const resource = `/v1/checkouts/${id}/payment`;
    const submit = () =>
      fetch(sandbox.url + resource, { method: 'POST', body: new URLSearchParams(CARD) });
    const cutOff = submit().catch(() => undefined);
    while ((await found()).length === 0);
    await sandbox.kill();
    await cutOff;

    sandbox = await started();
    // The same shopper sends the form again: it is answered with what is under way, or decided.
    const again = (await (await submit()).json()) as Body;
    let status = await send('GET', resource);
    while (status.result.code === PENDING) status = await send('GET', resource);
    const payments = await found();
    expect(payments).toHaveLength(1);
    expect(again.id).toBe(payments[0]?.id);
    expect(status).toMatchObject({ id: again.id, result: { code: payments[0]?.result.code } });
    expect(status.result.code).not.toBe(REFUSED);
  }, 90_000);
});

describe('a checkout whose gateway is killed after its form was saved', () => {
  it('is not paid with what is left of a card, and says so; typed again, it is paid once', async () => {
    const folder = newFolder();
    const started = () => start(folder, ['--throttle', '0'], SOON);
    let sandbox = await started();
    const send = (method: string, path: string, fields: Fields = {}): Promise<Body> =>
      sendTo(sandbox, [method, path], fields);
    const merchantTransactionId = 'killed after it was saved';
    const { id } = await send('POST', '/v1/checkouts', { ...MONEY, merchantTransactionId });
    const resource = `/v1/checkouts/${id}/payment`;
    const submit = async (fields: Fields = {}): Promise<Body> => {
      const body = new URLSearchParams(fields);
      return (await (await fetch(sandbox.url + resource, { method: 'POST', body })).json()) as Body;
    };
    const save = () => submit({ ...CARD, saveTransactionData: 'true' });
    const found = async (): Promise<readonly Body[]> => {
      const { payments } = await send('GET', '/v1/query', { merchantTransactionId });
      return (payments ?? []) as readonly Body[];
    };

    expect((await save()).result.code).toBe(SAVED);
    await sandbox.kill();
    sandbox = await started();
    // The security code was in memory alone.
    expect((await submit()).result.description).toContain('has to be typed again');
    expect((await send('GET', resource)).result.code).toBe(PENDING);
    expect(await found()).toEqual([]);
    expect((await save()).result.code).toBe(SAVED);
    const answers = await Promise.all([submit(), submit(), submit()]);
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
    expect(await found()).toHaveLength(1);
    expect((await send('GET', resource)).id).toBe(answers[0].id);
  }, 90_000);

  it('has one payment where it is killed while that is asked for', async () => {
    const folder = newFolder();
    const started = () => start(folder, ['--throttle', '0'], SOON);
    let sandbox = await started();
    const send = (method: string, path: string, fields: Fields = {}): Promise<Body> =>
      sendTo(sandbox, [method, path], fields);
    const merchantTransactionId = 'killed while what was saved is paid';
    const found = async (): Promise<readonly Body[]> => {
      const { payments } = await send('GET', '/v1/query', { merchantTransactionId });
      return (payments ?? []) as readonly Body[];
    };
    const slow = { 'customParameters[simulator.fault]': 'delay:1500' };
    const asked = { ...MONEY, ...slow, merchantTransactionId };
    const { id } = await send('POST', '/v1/checkouts', asked);
    const resource = `/v1/checkouts/${id}/payment`;
    const submit = (fields: Fields = {}) =>
      fetch(sandbox.url + resource, { method: 'POST', body: new URLSearchParams(fields) });
    await submit({ ...CARD, saveTransactionData: 'true' });
    const cutOff = submit().catch(() => undefined);
    while ((await found()).length === 0);
    await sandbox.kill();
    await cutOff;
    sandbox = await started();
    const again = (await (await submit()).json()) as Body;
    let status = await send('GET', resource);
    while (status.result.code === PENDING) status = await send('GET', resource);
    const payments = await found();
    expect(payments).toHaveLength(1);
    expect([again.id, status.id]).toEqual([payments[0]?.id, payments[0]?.id]);
    expect(status.result.code).not.toBe(REFUSED);
  }, 90_000);
});
