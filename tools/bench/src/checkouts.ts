import {
  checkoutRead,
  checkoutRequest,
  type MadeCheckout,
  makeCheckouts,
} from './checkout-requests.js';
import { type CpuUsage, cpuUsage, SIMULATOR, totalOf, usedBetween } from './cpu-usage.js';
import { InstallationWork } from './end-of-work.js';
import {
  type InstallationUnderTest,
  type Profile,
  startUnderTest,
} from './installation-under-test.js';
import { offer } from './ladder.js';
import { type LoadResult, offerLoad, type PreparedRequest } from './open-loop.js';
import { spreadOf } from './pairs.js';
import { paymentRequest } from './payment-requests.js';
import { tableLines } from './text-table.js';

/*
 * `npm run bench -- --checkouts`: what it takes to make a checkout and to read how it stands, beside
 * payments by card; the three are offered in turn. Then both together, faster and faster.
 */

/** What is measured, and how often. */
export interface CheckoutsWish {
  /** Requests a second of each kind, for what one takes. */
  readonly rates: readonly number[];
  /** Of each run. */
  readonly seconds: number;
  readonly rounds: number;
  readonly profile: Profile;
}

const KINDS = ['card', 'create', 'read'] as const;
type Kind = (typeof KINDS)[number];

/** One run, and what it took. */
export interface CheckoutLoad {
  readonly load: LoadResult;
  /** CPU seconds by process, of everything that it caused. */
  readonly cpu: CpuUsage;
}

/** The same of all kinds. */
export type CheckoutRound = Readonly<Record<Kind, CheckoutLoad>>;

type Say = (line: string) => void;

/** A checkout made and read is wanted so many times for the CPU of a payment, and so many times a second. */
const PER_CPU_BAR = 1.5;
const PER_SECOND_BAR = 3_000;
const P99_LIMIT_MS = 50;
const CONNECTIONS_MAX = 256;
const WARM_UP_SECONDS = 5;
/** Made before anything is measured, and read in turn. */
const READ_IN_TURN = 1_000;
/** Of checkouts made and read, until one is too much. */
const CLIMB: readonly number[] = [250, 500, 750, 1_000, 1_250, 1_500, 2_000, 2_500, 3_000];
const ACHIEVED_SHARE = 0.95;
const TITLES: Readonly<Record<Kind, string>> = {
  card: 'payment by card',
  create: 'POST /v1/checkouts',
  read: 'GET /v1/checkouts/{id}/payment',
};

/** Measures all rates; what there is to say is said as it comes. */
export async function checkouts(
  wish: CheckoutsWish,
  warmUp: { readonly rate: number; readonly seconds: number },
  say: Say,
): Promise<void> {
  say(`${wish.profile}: start, ${warmUp.seconds} s of warm-up, ${READ_IN_TURN} checkouts …`);
  const installation = await startUnderTest(wish.profile, {
    arguments: ['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
    // A cluster's edge keeps its own limit of status reads.
    ...(wish.profile === 'cluster' && { environment: { EDGE_CHECKOUT_READS_PER_MINUTE: '0' } }),
  });
  try {
    await offer(installation, warmUp.rate, warmUp.seconds);
    const work = await InstallationWork.of(installation);
    const runs = new CheckoutRuns(
      installation,
      work,
      await makeCheckouts(installation, READ_IN_TURN),
    );
    for (const rate of wish.rates) {
      for (const kind of KINDS) await runs.of(kind, { rate, seconds: WARM_UP_SECONDS });
      const rounds: CheckoutRound[] = [];
      for (let number = 0; number < wish.rounds; number += 1) {
        rounds.push(await runs.round(number, { rate, seconds: wish.seconds }));
      }
      for (const line of checkoutLines(rate, rounds)) say(line);
    }
    say('\n## Checkouts made and read, as many a second as there is room for');
    for (const line of climbLines(await runs.climb(wish.seconds, say))) say(line);
    await work.close();
  } finally {
    await installation.stop();
  }
}

/** Offers each kind, and waits until nothing is left to be done for it. */
class CheckoutRuns {
  readonly #prepare: Readonly<Record<Kind | 'both', (index: number) => PreparedRequest>>;

  constructor(
    private readonly installation: InstallationUnderTest,
    private readonly work: InstallationWork,
    made: readonly MadeCheckout[],
  ) {
    const read = (index: number): PreparedRequest => {
      const found = made[index % made.length];
      if (found === undefined) throw new Error('no checkout is made');
      return checkoutRead(found);
    };
    this.#prepare = {
      ...{ card: paymentRequest, create: checkoutRequest, read },
      both: (index) => (index % 2 === 0 ? checkoutRequest(index) : read(index)),
    };
  }

  /** All kinds once, each round beginning with another one. */
  async round(
    number: number,
    offered: { readonly rate: number; readonly seconds: number },
  ): Promise<CheckoutRound> {
    const round: Partial<Record<Kind, CheckoutLoad>> = {};
    for (let at = 0; at < KINDS.length; at += 1) {
      const kind = KINDS[(number + at) % KINDS.length] ?? 'card';
      round[kind] = await this.of(kind, offered);
    }
    return round as CheckoutRound;
  }

  async of(
    kind: Kind | 'both',
    { rate, seconds }: { readonly rate: number; readonly seconds: number },
  ): Promise<CheckoutLoad> {
    const { installation, work } = this;
    const before = cpuUsage(installation);
    const load = await offerLoad({
      ...{ host: '127.0.0.1', port: installation.port, ratePerSecond: rate, seconds },
      ...{ connectionsMax: CONNECTIONS_MAX, seed: rate, prepare: this.#prepare[kind] },
    });
    await work.ended();
    return { load, cpu: usedBetween(before, cpuUsage(installation)) };
  }

  /** Half of what is offered is made, half is read; a higher rate would only measure the queue. */
  async climb(seconds: number, say: Say): Promise<readonly Climbed[]> {
    const climbed: Climbed[] = [];
    for (const perSecond of CLIMB) {
      const run = await this.of('both', { rate: 2 * perSecond, seconds });
      climbed.push({ perSecond, ...run });
      say(`  ${perSecond}/s: p99 ${run.load.p99Ms.toFixed(1)} ms, ${run.load.errors} errors`);
      if (!holds({ perSecond, ...run })) break;
    }
    return climbed;
  }
}

/** Checkouts made and read at a rate. */
export interface Climbed extends CheckoutLoad {
  readonly perSecond: number;
}

/** Whether as many were made and read as were wanted, fast enough. */
export function holds({ perSecond, load }: Climbed): boolean {
  const isReached = load.achievedPerSecond >= 2 * perSecond * ACHIEVED_SHARE;
  return load.errors === 0 && load.p99Ms < P99_LIMIT_MS && isReached;
}

/** What the climb has shown. */
export function climbLines(climbed: readonly Climbed[]): readonly string[] {
  const held = climbed.filter(holds).at(-1);
  const perSecond = held?.perSecond ?? 0;
  return [
    `Made and read with p99 below ${P99_LIMIT_MS} ms: ${perSecond} a second on this machine, wanted at ` +
      `least ${PER_SECOND_BAR}: ${verdict(perSecond >= PER_SECOND_BAR)}`,
    ...(held === undefined
      ? []
      : [`CPU by process at that rate, µs a checkout: ${partsOf(held, held.perSecond)}`]),
  ];
}

function partsOf({ cpu, load }: CheckoutLoad, perSecond: number): string {
  const count = load.answered / 2;
  return [...cpu]
    .map(([name, seconds]) => `${name} ${((seconds * 1e6) / count).toFixed(0)}`)
    .concat(`at ${perSecond}/s`)
    .join(', ');
}

/** The table of one rate, and what is met. */
export function checkoutLines(rate: number, rounds: readonly CheckoutRound[]): readonly string[] {
  const failed = rounds
    .flatMap((round) => Object.values(round))
    .find(({ load }) => load.errors > 0);
  const more = spreadOf(
    rounds.map(({ card, create, read }) => cpuUs(card) / (cpuUs(create) + cpuUs(read))),
  );
  return [
    `\n## ${rate} requests/s, medians of ${rounds.length} rounds`,
    ...(failed === undefined
      ? []
      : [`Requests failed, so do not quote this: ${failed.load.firstError ?? ''}`]),
    ...tableLines(
      ['request', 'CPU, µs', 'per CPU-second', 'p50, ms', 'p99, ms'],
      KINDS.map((kind) => cellsOf(kind, rounds)),
    ),
    '',
    `Checkouts made and read per CPU-second, to payments: ${more.median.toFixed(2)} ` +
      `(${more.low.toFixed(2)} to ${more.high.toFixed(2)}), wanted at least ${PER_CPU_BAR}: ` +
      verdict(more.median >= PER_CPU_BAR),
  ];
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED';
}

/** Without the acquirer's side, where that is a process of its own: it is no part of the gateway. */
function cpuUs({ load, cpu }: CheckoutLoad): number {
  return ((totalOf(cpu) - (cpu.get(SIMULATOR) ?? 0)) * 1e6) / load.answered;
}

function cellsOf(kind: Kind, rounds: readonly CheckoutRound[]): readonly string[] {
  const median = (of: (run: CheckoutLoad) => number): number =>
    spreadOf(rounds.map((round) => of(round[kind]))).median;
  return [
    TITLES[kind],
    median(cpuUs).toFixed(0),
    (1e6 / median(cpuUs)).toFixed(0),
    median(({ load }) => load.p50Ms).toFixed(2),
    median(({ load }) => load.p99Ms).toFixed(2),
  ];
}
