import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  checkoutRead,
  checkoutRequest,
  type MadeCheckout,
  makeCheckouts,
} from './checkout-requests.js';
import { CheckoutsFill } from './checkouts-fill.js';
import { InstallationWork } from './end-of-work.js';
import { type InstallationUnderTest, startUnderTest } from './installation-under-test.js';
import { offer } from './ladder.js';
import { type LoadResult, offerLoad, type PreparedRequest } from './open-loop.js';
import { paymentRequest } from './payment-requests.js';
import { tableLines } from './text-table.js';

/*
 * `npm run bench -- --checkouts --stored 1000000`: a sandbox with so many open checkouts. Others are read,
 * made and paid meanwhile; in the middle, ten thousand end within one second, and the shops of ten thousand
 * more are to be called.
 */

/** What is measured. */
export interface CheckoutsEndingWish {
  /** Requests a second of everything else. */
  readonly rate: number;
  /** Of each run. */
  readonly seconds: number;
  /** Open checkouts. */
  readonly stored: number;
}

/** One run beside the end of checkouts, or beside nothing. */
export interface EndingRun {
  readonly title: string;
  readonly load: LoadResult;
}

type Say = (line: string) => void;

const AT_ONCE = 10_000;
const SUBMITTED_AT_ONCE = 16;
/** A shop has no more than four calls at once. */
const SHOPS = 50;
const CONNECTIONS_MAX = 256;
/** From the beginning of a run to the end of checkouts. */
const LEAD_MS = 5_000;
const CALLED_WITHIN_MS = 62_000;
const POLL_MS = 250;
const RECORDED_WITHIN_MS = 2_000;
/** What the p99 of the others may be above that of a run beside nothing, and this beside it. */
const PEAK_MAX = 1.5;
const PEAK_MS = 10;
const CARD = {
  ...{ paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.holder': 'Jane Jones' },
  ...{ 'card.expiryMonth': '05', 'card.expiryYear': '2034', 'card.cvv': '123' },
} as const;

/** Fills, and measures; what there is to say is said as it comes. */
export async function checkoutsEnding(
  wish: CheckoutsEndingWish,
  warmUp: { readonly rate: number; readonly seconds: number },
  say: Say,
): Promise<void> {
  const shops = new CountingShops();
  const urls = await shops.start();
  say(`sandbox: start, ${warmUp.seconds} s of warm-up …`);
  const installation = await startUnderTest('sandbox', {
    arguments: ['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
  });
  const fill = await CheckoutsFill.of(installation);
  try {
    await offer(installation, warmUp.rate, warmUp.seconds);
    const work = await InstallationWork.of(installation);
    const others = await makeCheckouts(installation, 1_000);
    say(`${AT_ONCE} checkouts that are paid, and that nobody reads …`);
    await submitAll(installation, await makeCheckouts(installation, AT_ONCE), urls);
    await fill.untilSucceeded(AT_ONCE);
    say(`${wish.stored} open ones …`);
    await fill.add(wish.stored, Date.now());
    await fill.settle();
    await work.ended();
    let scanned = 0;
    // What this test itself does in between reads whole tables.
    const beside = async (title: string): Promise<EndingRun> => {
      const before = await fill.scans();
      const done = await run(installation, others, wish, title);
      scanned += (await fill.scans()) - before;
      return done;
    };
    const runs = [await beside('nothing')];
    await fill.endFrom(AT_ONCE, Date.now() + LEAD_MS);
    runs.push(await beside(`the end of ${AT_ONCE} in one second`));
    runs.push(await beside('nothing'));
    const atMs = Date.now() + LEAD_MS;
    await fill.callFrom(atMs);
    runs.push(await beside(`${AT_ONCE} calls that are due in one second`));
    const called = await untilCalled(fill, shops, atMs);
    const lines = endingLines({
      runs,
      open: await fill.open(),
      called,
      calls: shops.calls,
      scanned,
    });
    for (const line of lines) say(line);
    await work.close();
  } finally {
    await fill.close();
    await installation.stop();
    await shops.stop();
  }
}

/** Each shopper says where the shop's page is; the shops take turns. */
async function submitAll(
  { port }: InstallationUnderTest,
  made: readonly MadeCheckout[],
  urls: readonly string[],
): Promise<void> {
  const left = [...made];
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const submitting = Array.from({ length: SUBMITTED_AT_ONCE }, async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const shopperResultUrl = urls[left.length % urls.length] ?? '';
      const body = new URLSearchParams({ ...CARD, shopperResultUrl }).toString();
      const target = `http://127.0.0.1:${port}/v1/checkouts/${next.id}/payment`;
      const response = await fetch(target, { method: 'POST', headers, body });
      const text = await response.text();
      if (!response.ok) throw new Error(`a checkout was not paid: ${text}`);
    }
  });
  await Promise.all(submitting);
}

/** A third each: payments, new checkouts, and reads of open ones. */
async function run(
  { port }: InstallationUnderTest,
  others: readonly MadeCheckout[],
  { rate, seconds }: CheckoutsEndingWish,
  title: string,
): Promise<EndingRun> {
  const read = (index: number): PreparedRequest => {
    const found = others[index % others.length];
    if (found === undefined) throw new Error('no checkout is made');
    return checkoutRead(found);
  };
  const kinds = [paymentRequest, checkoutRequest, read];
  const load = await offerLoad({
    ...{ host: '127.0.0.1', port, ratePerSecond: rate, seconds, seed: rate },
    connectionsMax: CONNECTIONS_MAX,
    prepare: (index) => (kinds[index % kinds.length] ?? read)(index),
  });
  return { title, load };
}

/** When how many were called; checkouts that are over are not. */
export interface Called {
  readonly count: number;
  readonly lastAfterMs: number;
}

async function untilCalled(
  fill: CheckoutsFill,
  shops: CountingShops,
  atMs: number,
): Promise<Called> {
  let [calls, lastAfterMs] = [0, 0];
  while (calls < AT_ONCE && Date.now() - atMs < CALLED_WITHIN_MS) {
    if (shops.calls > calls) [calls, lastAfterMs] = [shops.calls, Date.now() - atMs];
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  await new Promise((resolve) => setTimeout(resolve, RECORDED_WITHIN_MS));
  return { count: await fill.called(), lastAfterMs };
}

/** Shops whose pages of results say thank you, and count. */
class CountingShops {
  calls = 0;
  readonly #servers: Server[] = [];

  /** Where their pages are. */
  async start(): Promise<readonly string[]> {
    const urls: string[] = [];
    for (let count = 0; count < SHOPS; count += 1) {
      const server = createServer((_request, response) => {
        this.calls += 1;
        response.end('Thank you.');
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      this.#servers.push(server);
      urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/result`);
    }
    return urls;
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }
}

/** What was measured. */
export interface EndingFigures {
  readonly runs: readonly EndingRun[];
  readonly open: number;
  readonly called: Called;
  readonly calls: number;
  /** How often a table of checkouts was read from end to end. */
  readonly scanned: number;
}

/** The table, and what is met. */
export function endingLines({
  runs,
  open,
  called,
  calls,
  scanned,
}: EndingFigures): readonly string[] {
  const quiet = runs.filter(({ title }) => title === 'nothing').map(({ load }) => load.p99Ms);
  const allowedMs = Math.max(...quiet) * PEAK_MAX + PEAK_MS;
  const isEven = runs.every(({ load }) => load.errors === 0 && load.p99Ms <= allowedMs);
  return [
    `\n## ${open} checkouts`,
    ...tableLines(
      ['everything else, beside', 'answered', 'errors', 'p50, ms', 'p99, ms', 'at most, ms'],
      runs.map(({ title, load }) => [
        ...[title, String(load.answered), String(load.errors)],
        ...[load.p50Ms, load.p99Ms, load.maxMs].map((ms) => ms.toFixed(1)),
      ]),
    ),
    '',
    `No peak (p99 up to ${allowedMs.toFixed(0)} ms): ${verdict(isEven)}`,
    `Tables read from end to end: ${scanned}, wanted 0: ${verdict(scanned === 0)}`,
    `Calls: ${calls} made, ${called.count} of ${AT_ONCE} recorded, the last one ` +
      `${(called.lastAfterMs / 1_000).toFixed(1)} s after the first was due: ${verdict(called.count === AT_ONCE)}`,
  ];
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED';
}
