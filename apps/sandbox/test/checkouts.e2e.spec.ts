import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import { type Body, codeOf, type Fields, MONEY, send as sendTo } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const CREATED = '000.200.100';
const PENDING = '000.200.000';
const REFUSED = '200.300.404';

const folder = newFolder();
let sandbox: SandboxProcess;
beforeAll(async () => {
  sandbox = await start(folder);
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

const send = (method: string, path: string, fields: Fields = {}): Promise<Body> =>
  sendTo(sandbox, [method, path], fields);

describe('a checkout', () => {
  it('is created, and pending until somebody completes it', async () => {
    const shopper = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' };
    const { id, ndc, result } = await send('POST', '/v1/checkouts', { ...MONEY, ...shopper });
    expect([ndc, result.code]).toEqual([id, CREATED]);
    const status = await send('GET', `/v1/checkouts/${id}/payment`);
    expect(status).toMatchObject({ ndc: id, result: { code: PENDING } });
    expect(status).not.toHaveProperty('id');
    expect(await codeOf(send('GET', `/checkouts/${id}/payment`))).toBe(PENDING);
  });

  it('that stores something is read as one', async () => {
    const { id } = await send('POST', '/v1/checkouts', { createRegistration: 'true' });
    expect(await codeOf(send('GET', `/v1/checkouts/${id}/registration`))).toBe(PENDING);
    expect(await codeOf(send('GET', `/v1/checkouts/${id}/payment`))).toBe(REFUSED);
  });

  it('is still there after a restart', async () => {
    const { id } = await send('POST', '/v1/checkouts', MONEY);
    await sandbox.kill();
    sandbox = await start(folder);
    expect(await codeOf(send('GET', `/v1/checkouts/${id}/payment`))).toBe(PENDING);
  });

  it('that is not there is refused, and none takes a form yet', async () => {
    const unknown = `/v1/checkouts/${'0'.repeat(32)}.sluice/payment`;
    expect(await codeOf(send('GET', unknown))).toBe(REFUSED);
    expect(await codeOf(send('POST', unknown, MONEY))).toBe('200.300.403');
  });
});
