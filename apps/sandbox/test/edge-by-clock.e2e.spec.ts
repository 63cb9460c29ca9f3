import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ClockedChannel } from './clock-fixture.js';
import { APPROVED, type Body, type Fields, MONEY } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const YEAR = new Date().getUTCFullYear() + 2;
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': String(YEAR), 'card.cvv': '123' },
};
const EXPIRED = '100.100.303';
const NOT_FOUND = '700.400.580';
const POLL_INTERVAL_MS = 20;

const folder = newFolder();
let sandbox: SandboxProcess;
const channelOf = (digit: string): ClockedChannel =>
  new ClockedChannel(`8ac7a4c97ee0000000000000000000e${digit}`, () => sandbox);
const [later, beside] = [channelOf('1'), channelOf('2')];

beforeAll(async () => {
  const seed = join(folder, 'seed.json');
  writeFileSync(seed, JSON.stringify({ channels: [later.seed, beside.seed] }));
  sandbox = await start(join(folder, 'data'), ['--seed', seed]);
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

const pay = (channel: ClockedChannel, fields: Fields = {}): Promise<Body> =>
  channel.send(['POST', '/v1/payments'], { ...CARD, ...MONEY, ...fields });
const dayOf = (body: Body): string => String(body['timestamp']).slice(0, 10);

describe('what is answered to a channel whose clock is ahead', () => {
  it('has its time, approved or refused, and so have what it reads and finds', async () => {
    await later.moveTo(Date.UTC(YEAR, 3, 10, 12));
    const day = `${YEAR}-04-10`;
    const merchantTransactionId = `order-${YEAR}`;
    const paid = await pay(later, { merchantTransactionId });
    expect(paid.result.code).toBe(APPROVED);
    const read = await later.send(['GET', `/v1/payments/${paid.id}`]);
    const refused = await pay(later, { amount: 'much' });
    const unknown = await later.send(['GET', `/v1/payments/${'0'.repeat(32)}`]);
    expect([paid, read, refused, unknown].map(dayOf)).toEqual([day, day, day, day]);
    expect(unknown.result.code).toBe(NOT_FOUND);
    const found = await untilFound(merchantTransactionId);
    expect(found.map(dayOf)).toEqual([day]);
  });

  it('is that it goes on with what it has paid by its clock', async () => {
    const { id } = await pay(later);
    const refund = { ...MONEY, paymentType: 'RF' };
    const refunded = await later.send(['POST', `/v1/payments/${id}`], refund);
    expect([refunded.result.code, dayOf(refunded)]).toEqual([APPROVED, `${YEAR}-04-10`]);
  });

  it('is that a card has expired once its month is over', async () => {
    await later.moveTo(Date.UTC(YEAR, 4, 30, 12));
    expect((await pay(later)).result.code).toBe(APPROVED);
    await later.moveTo(Date.UTC(YEAR, 5, 2, 12));
    const expired = await pay(later);
    expect([expired.result.code, dayOf(expired)]).toEqual([EXPIRED, `${YEAR}-06-02`]);
  });

  it('is as late for a shopper of its checkout', async () => {
    const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
    const checkout = await later.send(['POST', '/v1/checkouts'], money);
    const submit = async (fields: Fields): Promise<Body> => {
      const form = { method: 'POST', body: new URLSearchParams(fields) };
      const path = `/v1/checkouts/${checkout.id}/payment`;
      return (await (await fetch(`${sandbox.url}${path}`, form)).json()) as Body;
    };
    const result = { shopperResultUrl: 'https://shop.example/result' };
    const bad = await submit({ ...CARD, ...result, 'card.number': '42' });
    const expired = await submit({ ...CARD, ...result });
    expect([checkout, bad, expired].map(dayOf)).toEqual(Array(3).fill(`${YEAR}-06-02`));
    expect(expired.result.code).toBe(EXPIRED);
    const paid = await submit({ ...CARD, ...result, 'card.expiryYear': String(YEAR + 1) });
    expect([paid.result.code, dayOf(paid)]).toEqual([APPROVED, `${YEAR}-06-02`]);
  });
});

it('it is as late as it really is for every other channel', async () => {
  const paid = await pay(beside);
  expect(paid.result.code).toBe(APPROVED);
  expect(dayOf(paid).slice(0, 4)).not.toBe(String(YEAR));
  expect((await beside.clock()).aheadMs).toBe(0);
});

/** Queries read a projection, which may be a moment behind. */
async function untilFound(merchantTransactionId: string): Promise<readonly Body[]> {
  for (;;) {
    const body = await later.send(['GET', '/v1/query'], { merchantTransactionId });
    const payments = body['payments'] as readonly Body[] | undefined;
    if (payments !== undefined && payments.length > 0) return payments;
    await pause(POLL_INTERVAL_MS);
  }
}
