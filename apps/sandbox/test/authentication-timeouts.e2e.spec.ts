import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { type Authenticated, PlainShopper, returnIn } from './authentication-fixture.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

let sandbox: SandboxProcess;
const shopper = new PlainShopper(() => sandbox);
/** How long an issuer waits, here. */
const PAGE_MS = 1_500;
const POLL_INTERVAL_MS = 100;
const WITHIN_MS = 30_000;
beforeAll(async () => {
  sandbox = await start(newFolder(), [], {
    ...{ SLUICE_SIMULATOR_PAGE_MS: String(PAGE_MS), SLUICE_SWEEP_INTERVAL_MS: '50' },
    SLUICE_INQUIRE_AFTER_MS: '200,400,800,1600,3200,6400',
  });
}, START_WITHIN_MS);
afterAll(endSandboxes, START_WITHIN_MS);

const CHALLENGED = { brand: 'MASTER', number: '5200000000000064' } as const;

/** What becomes of a payment without anybody coming back. */
async function ended(id: string): Promise<Authenticated> {
  for (;;) {
    const read = await shopper.read(id);
    if (read.result.code !== '000.200.000') return read;
    await pause(POLL_INTERVAL_MS);
  }
}

describe('a shopper whom his issuer has waited for', () => {
  it(
    'in vain, on its page, has paid nothing',
    async () => {
      const payment = await shopper.pay(CHALLENGED);
      const page = await shopper.go(payment);
      const read = await ended(payment.id);
      expect(read.result.code).toBe('100.396.103');
      expect(read.threeDSecure).toMatchObject({ flow: 'challenge', challengeCancel: '04' });
      // The page knows nothing any more but the way back.
      const late = await shopper.browser.submit(page.forms[0] ?? NO_FORM, { answer: '123456' });
      const back = await shopper.browser.submit(returnIn(late) ?? NO_FORM);
      expect(back.url).toContain(payment.id);
      expect((await shopper.read(payment.id)).result.code).toBe('100.396.103');
    },
    WITHIN_MS,
  );

  it(
    'before he came at all has paid nothing',
    async () => {
      const payment = await shopper.pay(CHALLENGED);
      const read = await ended(payment.id);
      expect(read.result.code).toBe('100.396.103');
      expect(read.threeDSecure).toMatchObject({ flow: 'challenge', challengeCancel: '05' });
      const { url } = payment.redirect ?? { url: '' };
      expect((await shopper.browser.open(url)).url).toContain(payment.id);
    },
    WITHIN_MS,
  );
});

describe('a shopper who says yes and closes the window', () => {
  it(
    'has paid all the same',
    async () => {
      const payment = await shopper.pay(CHALLENGED);
      const [form = NO_FORM] = (await shopper.go(payment)).forms;
      expect(returnIn(await shopper.browser.submit(form, { answer: '123456' }))).toBeDefined();
      expect((await ended(payment.id)).result.code).toBe('000.100.110');
    },
    WITHIN_MS,
  );
});

const NO_FORM = { url: 'http://127.0.0.1:1', fields: {} } as const;

describe('a shopper whom his issuer asks elsewhere', () => {
  it.each([
    ['VISA', '4200000000000125', '05'],
    ['MASTER', '5200000000000122', '02'],
  ])(
    'has paid without a browser: %s %s',
    async (brand, number, eci) => {
      const fields = { 'threeDSecure.decoupled': 'true' };
      const payment = await shopper.pay({ brand, number }, fields);
      expect(payment.result.code).toBe('000.200.000');
      const read = await ended(payment.id);
      expect(read.result.code).toBe('000.100.110');
      expect(read.threeDSecure).toMatchObject({
        authenticationStatus: 'Y',
        flow: 'decoupled',
        eci,
      });
    },
    WITHIN_MS,
  );
});

describe('an issuer that may ask nowhere else', () => {
  it.each([
    ['VISA', '4200000000000125'],
    ['MASTER', '5200000000000122'],
  ])(
    'asks in the browser: %s %s',
    async (brand, number) => {
      const payment = await shopper.pay({ brand, number });
      expect(payment.result.code).toBe('000.200.000');
      await shopper.act(await shopper.go(payment), 'code');
      const read = await shopper.read(payment.id);
      expect(read.result.code).toBe('000.100.110');
      expect(read.threeDSecure).toMatchObject({ authenticationStatus: 'Y', flow: 'challenge' });
    },
    WITHIN_MS,
  );
});

describe('an issuer that', () => {
  it.each<[string, readonly string[], string, string]>([
    ['forbids the payment', ['4200000000000133', '5200000000000130'], '100.380.401', 'R'],
    ['has taken note, no more', ['4200000000000141', '5200000000000148'], '000.400.111', 'I'],
  ])('%s stops it: %j', async (_, numbers, code, authenticationStatus) => {
    for (const number of numbers) {
      const brand = number.startsWith('4') ? 'VISA' : 'MASTER';
      const read = await shopper.pay({ brand, number });
      expect([number, read.result.code]).toEqual([number, code]);
      expect(read.threeDSecure).toMatchObject({ authenticationStatus, liabilityShifts: false });
    }
  });
});
