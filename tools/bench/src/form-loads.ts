import { requirePrerequisite } from '@sluice/prerequisites';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { makeCheckouts } from './checkout-requests.js';
import { startUnderTest } from './installation-under-test.js';
import { tableLines } from './text-table.js';

/*
 * `npm run bench -- --form`: how soon a shopper can type into the card form of a page, in Chromium and at a
 * sandbox on the same machine: what the form's scripts take, and not what a network does.
 */

/** One load of a page. */
export interface FormLoad {
  /** From the last byte of the page's script until both frames say that they are ready. */
  readonly usableAfterMs: number;
  /** What the browser says of all that moved after it was painted. */
  readonly shifted: number;
}

/** How fast the processor is, and how soon the form is to be usable there. */
interface Machine {
  readonly name: string;
  /** As Chromium slows it down. */
  readonly slowedBy: number;
  readonly barMs: number;
}

const MACHINES: readonly Machine[] = [
  { name: 'this machine', slowedBy: 1, barMs: 300 },
  { name: 'four times as slow', slowedBy: 4, barMs: 900 },
];
/** Each in a browser that has loaded nothing before. */
const LOADS = 20;
/** Not counted: the sandbox reads and compiles what it serves. */
const WARM_UP_LOADS = 3;
/** What is still to move has moved by then. */
const SETTLED_MS = 300;

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];

/** Loads the form again and again, and says how soon it was usable. */
export async function formLoads(say: (line: string) => void): Promise<void> {
  const executablePath = await requirePrerequisite('chromium');
  const sandbox = await startUnderTest('sandbox', { arguments: ['--log-level', 'warn'] });
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  const gateway = `http://127.0.0.1:${sandbox.port}`;
  // Of the gateway's site, so that the processor of its frames is slowed with the page's.
  const shop = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html').end(pageOf(url.slice(1), gateway));
  });
  try {
    shop.listen(0, '127.0.0.1');
    await once(shop, 'listening');
    const { port } = shop.address() as AddressInfo;
    const each = WARM_UP_LOADS + LOADS;
    const checkouts = await makeCheckouts(sandbox, MACHINES.length * each);
    const rows: string[][] = [];
    for (const [at, machine] of MACHINES.entries()) {
      const loads: FormLoad[] = [];
      for (const { id } of checkouts.slice(at * each, (at + 1) * each)) {
        loads.push(await load(browser, `http://127.0.0.1:${port}/${id}`, machine));
      }
      rows.push(rowOf(machine, loads.slice(WARM_UP_LOADS)));
    }
    const head = ['card form usable', 'median ms', 'p95 ms', 'wanted', 'shifted', 'got'];
    for (const line of tableLines(head, rows)) say(line);
  } finally {
    await browser.close();
    shop.close();
    await sandbox.stop();
  }
}

function rowOf({ name, barMs }: Machine, loads: readonly FormLoad[]): string[] {
  const { medianMs, p95Ms, shifted } = figuresOf(loads);
  const got = p95Ms <= barMs && shifted === 0 ? 'met' : '**missed**';
  const figures = [medianMs, p95Ms].map((ms) => ms.toFixed(0));
  return [name, ...figures, `≤ ${barMs} ms, nothing moves`, shifted.toFixed(4), got];
}

/** The middle of an odd number of loads, or the later of the two in the middle; and the worst but one in twenty. */
export function figuresOf(loads: readonly FormLoad[]): {
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly shifted: number;
} {
  const sorted = loads.map(({ usableAfterMs }) => usableAfterMs).sort((one, two) => one - two);
  const at = (part: number) => sorted[Math.ceil(part * sorted.length) - 1] ?? NaN;
  return {
    ...{ medianMs: at(0.5), p95Ms: at(0.95) },
    shifted: Math.max(0, ...loads.map(({ shifted }) => shifted)),
  };
}

/** In a window of its own, whose cache is empty. */
async function load(browser: Browser, url: string, { slowedBy }: Machine): Promise<FormLoad> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowedBy });
    await page.goto(url);
    await page.waitForFunction('window.usableAtMs !== undefined');
    await page.waitForTimeout(SETTLED_MS);
    return await page.evaluate<FormLoad>(`({
      usableAfterMs: usableAtMs - performance.getEntriesByType('resource')
        .find(({ name }) => name.includes('/v1/paymentWidgets.js')).responseEnd,
      shifted,
    })`);
  } finally {
    await context.close();
  }
}

function pageOf(id: string, gateway: string): string {
  return `<!doctype html><html lang="en"><title>Shop</title>
    <script>
      var shifted = 0, ready = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) shifted += value;
      }).observe({ type: 'layout-shift', buffered: true });
      var wpwlOptions = {
        onReadyIframeCommunication() {
          ready += 1;
          if (ready === 2) window.usableAtMs = performance.now();
        },
      };
    </script>
    <script src="${gateway}/v1/paymentWidgets.js?checkoutId=${id}"></script>
    <h1>Checkout</h1>
    <form action="https://shop.example/result" class="paymentWidgets" data-brands="VISA MASTER AMEX"></form>`;
}
