import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launched, type SandboxProcess } from '@sluice/testing';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ClockedChannel } from './clock-fixture.js';
import { APPROVED, type Body, type Fields, MONEY } from './demo-merchant-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const COMMAND_LINE = launched('apps/cli/dist/main.js');
const YEAR = new Date().getUTCFullYear() + 1;
const HOUR_MS = 3_600_000;
const TOO_OFTEN = '800.120.101';
const REJECTED = '100.380.100';
const LISTED = '800.300.200';
const UNDER_REVIEW = '000.400.000';
const CARD: Fields = {
  ...{ ...MONEY, paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.cvv': '123' },
  ...{ 'card.holder': 'Jane Jones', 'card.expiryMonth': '05', 'card.expiryYear': `${YEAR + 9}` },
};
const OTHER_CARD: Fields = { ...CARD, 'card.number': '4111111111111111' };
const RULES = {
  releaseAfter: '7d',
  rules: [
    {
      ...{ id: 'one-a-day', name: 'At most 1 payment of a card in a day', then: 'reject' },
      when: { velocity: { by: 'card', within: '24h', atMost: 1 } },
    },
    {
      ...{ id: 'nights', name: 'Nothing at night', then: 'reject' },
      when: { timeOfDay: { from: '22:00', until: '06:00', timeZone: 'UTC' } },
    },
    {
      ...{ id: 'listed', name: 'Blocked for a while', then: 'reject' },
      when: {
        list: {
          by: 'email',
          values: [{ value: 'jim@shop.example', until: `${YEAR}-06-01T00:00:00Z` }],
        },
      },
    },
    {
      ...{ id: 'large', name: 'Large amounts are looked at', then: 'review' },
      when: { amount: { above: '500.00', currency: 'EUR' } },
    },
  ],
};

const folder = newFolder();
const data = join(folder, 'data');
let sandbox: SandboxProcess;
const channel = new ClockedChannel('8ac7a4c97ee0000000000000000000f1', () => sandbox);

const pay = (fields: Fields): Promise<Body> => channel.send(['POST', '/v1/payments'], fields);
const codeOf = async (fields: Fields): Promise<string> => (await pay(fields)).result.code;

async function sluice(...words: readonly string[]): Promise<string> {
  const line = [...COMMAND_LINE, '--data', data, '--json', 'risk', ...words];
  return (await promisify(execFile)(process.execPath, line)).stdout;
}

beforeAll(async () => {
  const seed = join(folder, 'seed.json');
  writeFileSync(seed, JSON.stringify({ channels: [channel.seed] }));
  sandbox = await start(data, ['--seed', seed]);
  const file = join(folder, 'rules.json');
  writeFileSync(file, JSON.stringify(RULES));
  await sluice('rules', 'set', '--node', channel.entityId, '--file', file, '--execute');
  // Payments learns of it within seconds; by a card that no spec pays with.
  const known = { ...CARD, 'card.number': '4012888888881881' };
  while ((await pay(known))['risk'] === undefined) await pause(200);
  await channel.moveTo(Date.UTC(YEAR, 4, 10, 12));
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

describe('rules of a channel whose clock is moved', () => {
  it('count a card for a day of that clock', async () => {
    expect([await codeOf(CARD), await codeOf(CARD)]).toEqual([APPROVED, TOO_OFTEN]);
    await channel.moveTo((await channel.nowMs()) + 23 * HOUR_MS);
    expect(await codeOf(CARD)).toBe(TOO_OFTEN);
    await channel.moveTo((await channel.nowMs()) + 25 * HOUR_MS);
    expect(await codeOf(CARD)).toBe(APPROVED);
  });

  it('know its nights', async () => {
    await channel.moveTo(Date.UTC(YEAR, 4, 20, 23));
    expect(await codeOf(OTHER_CARD)).toBe(REJECTED);
    await channel.moveTo(Date.UTC(YEAR, 4, 22, 9));
    expect(await codeOf(OTHER_CARD)).toBe(APPROVED);
  });

  it('forget who is listed until a day', async () => {
    const listed = {
      ...{ ...OTHER_CARD, 'customer.email': 'jim@shop.example' },
      ...{ 'customer.givenName': 'Jim', 'customer.surname': 'Jones' },
    };
    await channel.moveTo(Date.UTC(YEAR, 4, 31, 12));
    expect(await codeOf(listed)).toBe(LISTED);
    await channel.moveTo(Date.UTC(YEAR, 5, 2, 12));
    expect(await codeOf(listed)).toBe(APPROVED);
  });

  it('release what nobody has looked at for as long as they say', async () => {
    await channel.moveTo(Date.UTC(YEAR, 6, 1, 12));
    const { id } = await pay({ ...CARD, amount: '600.00', paymentType: 'PA' });
    const read = (): Promise<Body> => channel.send(['GET', `/v1/payments/${id}`]);
    expect((await read()).result.code).toBe(UNDER_REVIEW);
    await channel.daysOn(6);
    const capture = { paymentType: 'CP', amount: '600.00', currency: 'EUR' };
    const early = await channel.send(['POST', `/v1/payments/${id}`], capture);
    expect(early.result.code).not.toBe(APPROVED);
    await channel.daysOn(2);
    expect((await read()).result.code).toBe(APPROVED);
    const captured = await channel.send(['POST', `/v1/payments/${id}`], capture);
    expect(captured.result.code).toBe(APPROVED);
  }, 60_000);
});
