import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

/** A merchant's channel, with a clock of its own. */
interface Channel {
  readonly entityId: string;
  readonly token: string;
  readonly timeZone: string;
}
const channel = (digit: string, timeZone: string): Channel => ({
  ...{ entityId: `8ac7a4c97ee0000000000000000000c${digit}`, token: `the-token-of-clock-${digit}` },
  timeZone,
});
const MONTHLY = channel('1', 'Europe/Berlin');
const BERLIN = channel('2', 'Europe/Berlin');
const BESIDE = channel('3', 'UTC');
const KEPT = channel('4', 'UTC');
const SHOP = channel('5', 'UTC');
const STORED = channel('6', 'UTC');

interface Body {
  readonly id: string;
  readonly result: { readonly code: string; readonly parameterErrors?: readonly object[] };
  readonly payments?: readonly {
    readonly id: string;
    readonly paymentType: string;
    readonly result: { readonly code: string };
  }[];
  readonly plan?: { readonly nextRun?: string };
  readonly clock?: { readonly now: string; readonly aheadMs: number; readonly isThere?: boolean };
}
type Fields = Readonly<Record<string, string>>;

const SUCCESS = '000.000.100';
const INVALID = '200.300.404';
const DAY_MS = 86_400_000;
const POLL_INTERVAL_MS = 20;
const CLOCK = '/sandbox/v1/clock';
/** The next whole year that has a 29 February. */
const LEAP = [1, 2, 3, 4, 5, 6, 7, 8]
  .map((years) => new Date().getUTCFullYear() + years)
  .find((year) => new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29)!;
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': String(LEAP + 5) },
};

const folder = newFolder();
const words = ['--seed', join(folder, 'seed.json')];
let sandbox: SandboxProcess;

beforeAll(async () => {
  const channels = [MONTHLY, BERLIN, BESIDE, KEPT, SHOP, STORED].map(
    ({ entityId, token, timeZone }) => ({
      ...{ entityId, name: entityId.slice(-2), merchant: `of ${entityId.slice(-2)}` },
      ...{ accessTokens: [token], schedules: { timeZone } },
    }),
  );
  writeFileSync(join(folder, 'seed.json'), JSON.stringify({ channels }));
  sandbox = await start(join(folder, 'data'), words);
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

async function send(
  { entityId, token }: Pick<Channel, 'entityId' | 'token'>,
  [method, path]: readonly [method: string, path: string],
  fields: Fields = {},
): Promise<Body> {
  const form = new URLSearchParams({ entityId, ...fields });
  const hasBody = method === 'POST';
  const target = `${sandbox.url}${path}${hasBody ? '' : `?${form.toString()}`}`;
  const init = {
    method,
    headers: { Authorization: `Bearer ${token}` },
    ...(hasBody && { body: form }),
  };
  return (await (await fetch(target, init)).json()) as Body;
}

/** Moves a clock as far as it is told, as whoever asks again until it is there. */
async function moveTo(of: Channel, to: string): Promise<void> {
  for (;;) {
    const { clock, result } = await send(of, ['POST', CLOCK], { to });
    expect(result).toMatchObject({ code: SUCCESS });
    if (clock?.isThere === true) return;
  }
}

/** A subscription of something that is stored. */
async function subscribe(of: Channel, expression: string) {
  const { id: registrationId } = await send(of, ['POST', '/v1/registrations'], CARD);
  const merchantTransactionId = `plan-${randomUUID()}`;
  const created = await send(of, ['POST', '/scheduling/v1/schedules'], {
    ...{ registrationId, merchantTransactionId, 'job.expression': expression },
    ...{ amount: '9.90', currency: 'EUR', paymentType: 'SD' },
  });
  expect(created.result.code).toBe('000.100.110');
  return {
    nextRun: async () => {
      const path = `/scheduling/v1/schedules/${created.id}`;
      return (await send(of, ['GET', path])).plan?.nextRun;
    },
    /**
     * For which times there are payments, each of which is approved: their ids begin with that. Queries
     * read a projection, which may be a moment behind.
     */
    charged: async (least = 0): Promise<readonly string[]> => {
      for (;;) {
        const { payments = [] } = await send(of, ['GET', '/v1/query'], { merchantTransactionId });
        const times = payments
          // The schedule itself is found by it, too.
          .filter(({ paymentType }) => paymentType === 'DB')
          .filter(({ result }) => result.code === '000.100.110')
          .map(({ id }) => new Date(Number.parseInt(id.slice(0, 12), 16)).toISOString());
        if (times.length >= least) return times.sort();
        await pause(POLL_INTERVAL_MS);
      }
    },
  };
}

describe('a subscription', () => {
  it('is charged at the end of each month, on 31 January and on 29 February', async () => {
    await moveTo(MONTHLY, `${LEAP}-01-30T12:00:00Z`);
    // At eight in Berlin, which is seven in winter.
    const { charged, nextRun } = await subscribe(MONTHLY, '0 0 8 L * ? *');
    expect(await nextRun()).toBe(`${LEAP}-01-31 07:00:00+0000`);
    await moveTo(MONTHLY, `${LEAP}-01-31T06:59:30Z`);
    expect(await charged()).toEqual([]);
    await moveTo(MONTHLY, `${LEAP}-01-31T07:00:00Z`);
    expect(await charged(1)).toEqual([`${LEAP}-01-31T07:00:00.000Z`]);
    expect(await nextRun()).toBe(`${LEAP}-02-29 07:00:00+0000`);
    await moveTo(MONTHLY, `${LEAP}-02-29T07:00:00Z`);
    expect((await charged(2)).at(-1)).toBe(`${LEAP}-02-29T07:00:00.000Z`);
    // A year at once is a run at each of its dates.
    await moveTo(MONTHLY, `${LEAP + 1}-02-28T07:00:00Z`);
    const all = await charged(14);
    expect(all).toHaveLength(14);
    expect(all.slice(2, 5).map((time) => time.slice(5, 10))).toEqual(['03-31', '04-30', '05-31']);
    expect(all.at(-1)).toBe(`${LEAP + 1}-02-28T07:00:00.000Z`);
  }, 60_000);

  it('at 02:30 is charged once on the day when clocks go forward, and on that when they go back', async () => {
    const spring = lastSunday(LEAP, 2);
    await moveTo(BERLIN, new Date(spring - 2 * DAY_MS + DAY_MS / 2).toISOString());
    const { charged } = await subscribe(BERLIN, '0 30 2 * 3,10 ? *');
    await moveTo(BERLIN, new Date(spring + DAY_MS + DAY_MS / 2).toISOString());
    // 02:30 by winter's clock; 03:30 by summer's, because there is no 02:30; 02:30 by summer's.
    expect(await charged(3)).toEqual([
      at(spring - DAY_MS, '01:30'),
      at(spring, '01:30'),
      at(spring + DAY_MS, '00:30'),
    ]);
    const autumn = lastSunday(LEAP, 9);
    await moveTo(BERLIN, new Date(autumn + DAY_MS + DAY_MS / 2).toISOString());
    // Those of March after that Monday, and those of October until this one.
    const later = daysOf(LEAP, 2) - dayOf(spring) - 1 + dayOf(autumn) + 1;
    // Once by summer's clock, although it is 02:30 by winter's as well.
    expect((await charged(3 + later)).slice(-3)).toEqual([
      at(autumn - DAY_MS, '00:30'),
      at(autumn, '00:30'),
      at(autumn + DAY_MS, '01:30'),
    ]);
  }, 60_000);

  it('of another entity waits for its own clock', async () => {
    const { charged, nextRun } = await subscribe(BESIDE, `0 0 8 1 1 ? ${LEAP}`);
    await moveTo(MONTHLY, `${LEAP + 1}-06-01T00:00:00Z`);
    expect(await charged()).toEqual([]);
    expect(await nextRun()).toBe(`${LEAP}-01-01 08:00:00+0000`);
    expect((await send(BESIDE, ['GET', CLOCK])).clock).toMatchObject({ aheadMs: 0 });
    await moveTo(BESIDE, `${LEAP}-01-01T08:00:00Z`);
    expect(await charged(1)).toEqual([`${LEAP}-01-01T08:00:00.000Z`]);
  }, 60_000);
});

describe('a checkout', () => {
  const read = (id: string) => send(SHOP, ['GET', `/v1/checkouts/${id}/payment`]);
  const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
  const minutesOn = async (minutes: number): Promise<void> => {
    const { clock } = await send(SHOP, ['GET', CLOCK]);
    const nowMs = Date.now() + (clock?.aheadMs ?? 0);
    await moveTo(SHOP, new Date(nowMs + minutes * 60_000).toISOString());
  };

  it('ends after thirty minutes', async () => {
    await minutesOn(60);
    const { id } = await send(SHOP, ['POST', '/v1/checkouts'], money);
    await minutesOn(28);
    expect((await read(id)).result.code).toBe('000.200.000');
    await minutesOn(2);
    expect((await read(id)).result.code).toBe(INVALID);
    const form = { method: 'POST', body: new URLSearchParams(CARD) };
    const submitted = await fetch(`${sandbox.url}/v1/checkouts/${id}/payment`, form);
    expect(((await submitted.json()) as Body).result.code).toBe(INVALID);
  });

  it('whose result nobody has read is told of at 29 minutes, in time to read it, on the way to tomorrow', async () => {
    const shop = createServer();
    shop.listen(0, '127.0.0.1');
    await once(shop, 'listening');
    const { id } = await send(SHOP, ['POST', '/v1/checkouts'], money);
    const { port } = shop.address() as AddressInfo;
    const body = new URLSearchParams({
      ...CARD,
      'card.cvv': '123',
      shopperResultUrl: `http://127.0.0.1:${port}/done`,
    });
    await fetch(`${sandbox.url}/v1/checkouts/${id}/payment`, { method: 'POST', body });
    const codes: string[] = [];
    shop.on('request', (_, response: ServerResponse) => {
      void read(id).then(({ result }) => {
        codes.push(result.code);
        response.end('Thank you.');
      });
    });
    await minutesOn(24 * 60);
    shop.closeAllConnections();
    shop.close();
    expect(codes).toEqual(['000.100.110']);
    expect((await read(id)).result.code).toBe(INVALID);
  });
});

describe('what is stored', () => {
  it('ends with the fourteenth month after that of its expiry', async () => {
    const expiry = { 'card.expiryMonth': '12', 'card.expiryYear': String(LEAP) };
    const { id } = await send(STORED, ['POST', '/v1/registrations'], { ...CARD, ...expiry });
    const read = () => send(STORED, ['GET', `/v1/registrations/${id}`]);
    await moveTo(STORED, `${LEAP + 2}-02-28T23:59:00Z`);
    expect((await read()).result.code).not.toBe(INVALID);
    await moveTo(STORED, `${LEAP + 2}-03-01T00:00:00Z`);
    expect((await read()).result.code).toBe(INVALID);
  });
});

describe('a clock', () => {
  it('is followed by every service', async () => {
    const { clock } = await send(BESIDE, ['GET', CLOCK]);
    expect(clock).toMatchObject({ notFollowing: [] });
  });

  it(
    'goes on as the machine does where it was moved to, also in another process',
    async () => {
      await moveTo(KEPT, `${LEAP}-05-01T00:00:00Z`);
      await sandbox.kill();
      sandbox = await start(join(folder, 'data'), words);
      const { clock } = await send(KEPT, ['GET', CLOCK]);
      expect(clock?.now.slice(0, 10)).toBe(`${LEAP}-05-01`);
      expect(clock?.aheadMs).toBeGreaterThan(0);
      const { clock: followed } = await send(KEPT, ['POST', CLOCK], { follow: 'true' });
      expect(followed).toMatchObject({ aheadMs: 0 });
    },
    START_WITHIN_MS,
  );

  it.each<[string, Fields, string]>([
    ['nothing', {}, 'to'],
    ['both', { to: `${LEAP}-05-01T00:00:00Z`, follow: 'true' }, 'to'],
    ['an instant without a zone', { to: `${LEAP}-05-01T00:00:00` }, 'to'],
    ['a month that there is not', { to: `${LEAP}-13-01T00:00:00Z` }, 'to'],
    ['a day that there is not', { to: `${LEAP}-02-30T00:00:00Z` }, 'to'],
    ['an instant that is past', { to: '2020-01-01T00:00:00Z' }, 'to'],
    ['one that nobody lives to see', { to: '2999-01-01T00:00:00Z' }, 'to'],
    ['no to follow', { follow: 'no' }, 'follow'],
    ['what is no parameter', { to: `${LEAP}-05-01T00:00:00Z`, from: 'now' }, 'from'],
  ])('is not changed by %s', async (_, fields, name) => {
    const before = (await send(KEPT, ['GET', CLOCK])).clock?.aheadMs;
    const { result } = await send(KEPT, ['POST', CLOCK], fields);
    expect(result).toMatchObject({ code: INVALID, parameterErrors: [{ name }] });
    expect((await send(KEPT, ['GET', CLOCK])).clock?.aheadMs).toBe(before);
  });

  it('is nobody else’s to set', async () => {
    const foreign = { entityId: KEPT.entityId, token: BESIDE.token };
    const to = `${LEAP}-05-01T00:00:00Z`;
    expect((await send(foreign, ['POST', CLOCK], { to })).result.code).not.toBe(SUCCESS);
    expect((await send(foreign, ['GET', CLOCK])).clock).toBeUndefined();
    expect((await send(KEPT, ['GET', CLOCK])).clock).toMatchObject({ aheadMs: 0 });
  });
});

function dayOf(midnightMs: number): number {
  return new Date(midnightMs).getUTCDate();
}

function daysOf(year: number, month: number): number {
  return dayOf(Date.UTC(year, month + 1, 0));
}

/** Midnight of the last Sunday of a month, from 0, as UTC. */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month + 1, 0));
  return last.getTime() - last.getUTCDay() * DAY_MS;
}

function at(midnightMs: number, time: string): string {
  return `${new Date(midnightMs).toISOString().slice(0, 10)}T${time}:00.000Z`;
}
