import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import { setTimeout as until } from 'node:timers/promises';
import { APPROVED, type Body, codeOf, type Fields, MONEY, send } from './demo-merchant-fixture.js';
import { type ResultPage, startResultPage } from './result-page-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

// `npm run test:soak -w apps/sandbox`, and no part of `npm test`: what the other specs have with a clock in their
// hand, once with the one on the wall.

const PENDING = '000.200.000';
const REFUSED = '200.300.404';
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
const CALL_MS = 29 * MINUTE_MS;
const LIFE_MS = 30 * MINUTE_MS;
/** What the interface's 29 minutes may be late by. */
const LATE_MAX_MS = 5 * SECOND_MS;
/** Whoever asks at an edge gets the answer of that side of it so far from it. */
const MARGIN_MS = SECOND_MS;
/** A page that is broken is called again so often before there is nothing to read (page 0064). */
const CALLS_OF_BROKEN = 4;
/** Shoppers at once who are done, and whose shop has not asked. */
const CROWD = 300;
/**
 * One who pays too late and never comes back: within a minute somebody looks, and has the provider asked;
 * a minute later what came of it is found, and reversed.
 */
const REVERSED_WITHIN_MS = 3 * MINUTE_MS;
const SOAK_MS = 35 * MINUTE_MS;
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', 'card.cvv': '123' },
} as const;

let sandbox: SandboxProcess;
let page: ResultPage;
beforeAll(async () => {
  // The provider's page outlives the checkout.
  sandbox = await start(newFolder(), [], { SLUICE_SIMULATOR_PAGE_MS: String(2 * LIFE_MS) });
  page = await startResultPage(read);
}, START_WITHIN_MS);
afterAll(async () => {
  await endSandboxes();
  await page.close();
}, START_WITHIN_MS);

/** A checkout, and between which two instants it was made. */
interface Made {
  readonly id: string;
  readonly askedAtMs: number;
  readonly madeAtMs: number;
}

async function make(fields: Fields = {}): Promise<Made> {
  const askedAtMs = Date.now();
  const { id } = await send(sandbox, ['POST', '/v1/checkouts'], { ...MONEY, ...fields });
  return { id, askedAtMs, madeAtMs: Date.now() };
}

async function submit({ id }: Made, fields: Fields): Promise<Body> {
  const target = `${sandbox.url}/v1/checkouts/${id}/payment`;
  const response = await fetch(target, { method: 'POST', body: new URLSearchParams(fields) });
  return (await response.json()) as Body;
}

/** One that its shopper has completed, and whose page of results does this when it is called. */
async function submitted(way: 'reads' | 'ignores' | 'fails'): Promise<Made> {
  const made = await make();
  const shopperResultUrl = page.urlOf(way);
  expect(await codeOf(submit(made, { ...CARD, shopperResultUrl }))).toBe(APPROVED);
  return made;
}

function read(id: string): Promise<Body> {
  return send(sandbox, ['GET', `/v1/checkouts/${id}/payment`]);
}

/** The status so long after it was made: certainly before, or certainly after that instant. */
async function codeAt(made: Made, afterMs: number, side: 'before' | 'after'): Promise<string> {
  const { askedAtMs, madeAtMs, id } = made;
  const atMs = side === 'before' ? askedAtMs - MARGIN_MS : madeAtMs + MARGIN_MS;
  await until(Math.max(0, atMs + afterMs - Date.now()));
  return codeOf(read(id));
}

/** How late its page was called each time, by what was due every 15 seconds from 29 minutes on. */
async function latenesses({ id, madeAtMs }: Made): Promise<readonly number[]> {
  await until(Math.max(0, madeAtMs + LIFE_MS + MARGIN_MS - Date.now()));
  return page.callsOf(id).map(({ atMs }, index) => {
    return atMs - (madeAtMs + CALL_MS + index * 15 * SECOND_MS);
  });
}

/** One whose shopper pays at the provider's page when the checkout is over. */
async function paidTooLate(): Promise<void> {
  const merchantTransactionId = 'too late by seconds';
  const made = await make({ merchantTransactionId });
  const away = await submit(made, {
    paymentBrand: 'PAYPAL',
    shopperResultUrl: page.urlOf('reads'),
  });
  const { url } = away['redirect'] as { readonly url: string };
  const atProvider = await fetch(url, { redirect: 'manual' });
  const provider = new URL(atProvider.headers.get('location') ?? '', url).href;
  // Once: its page reads it as well, and two reads a minute are all that there are.
  expect(await codeAt(made, LIFE_MS, 'after')).toBe(REFUSED);
  const approved = await fetch(`${provider}/approve`, { method: 'POST', redirect: 'manual' });
  expect(approved.status).toBeLessThan(400);
  const paidAtMs = Date.now();
  const linked = { merchantTransactionId, includeLinkedTransactions: 'true' };
  const isReversed = async (): Promise<boolean> => {
    const { payments = [] } = await send(sandbox, ['GET', '/v1/query'], linked);
    return (payments as readonly Body[]).some((one) => one['paymentType'] === 'RV');
  };
  while (!(await isReversed())) {
    if (Date.now() - paidAtMs > REVERSED_WITHIN_MS) throw new Error('It was never reversed.');
    await until(SECOND_MS);
  }
  process.stderr.write(`reversed ${Date.now() - paidAtMs} ms after it was paid too late\n`);
}

describe('half an hour by the clock on the wall', () => {
  it(
    'ends checkouts, and tells merchants of those that nobody has read',
    async () => {
      const untouched = await make();
      const readAtOnce = await submitted('ignores');
      expect(await codeOf(read(readAtOnce.id))).toBe(APPROVED);
      const readLast = await submitted('ignores');
      const neverRead = await submitted('ignores');
      const broken = await submitted('fails');
      const crowd: Made[] = [];
      for (let count = 0; count < CROWD; count += 1) crowd.push(await submitted('reads'));
      const late = paidTooLate();

      const pages = async (): Promise<void> => {
        const first: number[] = [];
        for (const one of crowd) {
          const [ms, ...again] = await latenesses(one);
          expect([one.id, again]).toEqual([one.id, []]);
          if (ms !== undefined) first.push(ms);
        }
        expect(first).toHaveLength(CROWD);
        first.sort((one, other) => one - other);
        const [least = NaN, most = NaN] = [first[0], first.at(-1)];
        const median = first[Math.floor(CROWD / 2)];
        process.stderr.write(`calls late by ${least} ms, ${median} ms, ${most} ms at most\n`);
        expect(least).toBeGreaterThan(-MARGIN_MS);
        expect(most).toBeLessThan(LATE_MAX_MS);
        expect(page.codes()).toEqual(new Set([APPROVED, PENDING]));
      };
      const calledWhileBroken = async (): Promise<void> => {
        const all = await latenesses(broken);
        process.stderr.write(`a broken page was called late by ${all.join(', ')} ms\n`);
        expect(all).toHaveLength(CALLS_OF_BROKEN);
      };
      const untouchedEnds = async (): Promise<void> => {
        expect(await codeAt(untouched, LIFE_MS, 'before')).toBe(PENDING);
        expect(await codeAt(untouched, LIFE_MS, 'after')).toBe(REFUSED);
        expect(await latenesses(untouched)).toEqual([]);
        expect(await latenesses(readAtOnce)).toEqual([]);
      };
      const lastMomentCounts = async (): Promise<void> => {
        expect(await codeAt(readLast, LIFE_MS, 'before')).toBe(APPROVED);
        expect(await latenesses(readLast)).toHaveLength(1);
        expect(await codeAt(neverRead, LIFE_MS, 'after')).toBe(REFUSED);
        expect(await latenesses(neverRead)).toHaveLength(1);
      };
      const parts = [late, pages(), calledWhileBroken(), untouchedEnds(), lastMomentCounts()];
      // All of them, whatever one has found: half an hour is long.
      const ends = await Promise.allSettled(parts);
      expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
      // Whatever came after the end would have come by now.
      expect(page.callsOf(broken.id)).toHaveLength(CALLS_OF_BROKEN);
    },
    SOAK_MS,
  );
});
