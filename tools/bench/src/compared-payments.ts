import { type CpuUsage, cpuUsage, SIMULATOR, totalOf, usedBetween } from './cpu-usage.js';
import type { InstallationWork } from './end-of-work.js';
import type { InstallationUnderTest } from './installation-under-test.js';
import { type LoadResult, offerLoad, type PreparedRequest } from './open-loop.js';
import { spreadOf } from './pairs.js';
import { tableLines } from './text-table.js';

/** What a payment of the usual kind costs, and one that needs something more. */
const KINDS = ['plain', 'other'] as const;

/** One of the two. */
export type Kind = (typeof KINDS)[number];

/** One run, and what it took. */
export interface ComparedLoad {
  readonly load: LoadResult;
  /** CPU seconds by process, of everything that it caused. */
  readonly cpu: CpuUsage;
}

/** The same of both kinds. */
export type ComparedRound = Readonly<Record<Kind, ComparedLoad>>;

/** What is compared. */
export interface Comparison {
  readonly titles: Readonly<Record<Kind, string>>;
  readonly preparing: (kind: Kind) => (index: number) => PreparedRequest;
  /** How many payments so far really had what only the other kind has. */
  readonly count: () => Promise<number>;
  /** The other kind may take so much of the usual one. */
  readonly bar: number;
}

/** How much is offered, and how often. */
export interface Offered {
  /** Payments a second. */
  readonly rate: number;
  /** Of each run. */
  readonly seconds: number;
}

const CONNECTIONS_MAX = 64;
/** Services learn of rules and settings within four seconds; the compilers have the rest. */
const WARM_UP_SECONDS = 10;

/** Offers each kind in turn, and waits until nothing is left to be done for it. */
export class ComparedPayments {
  constructor(
    private readonly installation: InstallationUnderTest,
    private readonly work: InstallationWork,
    private readonly comparison: Comparison,
  ) {}

  /** All rounds of a rate, as lines. */
  async lines(offered: Offered, rounds: number): Promise<readonly string[]> {
    for (const kind of KINDS) await this.#offered(kind, { ...offered, seconds: WARM_UP_SECONDS });
    const measured: ComparedRound[] = [];
    for (let number = 0; number < rounds; number += 1) {
      measured.push(await this.#round(number, offered));
    }
    return comparedLines(this.comparison, offered.rate, measured);
  }

  /** Both kinds once, each round beginning with another one. */
  async #round(number: number, offered: Offered): Promise<ComparedRound> {
    const round: Partial<Record<Kind, ComparedLoad>> = {};
    for (let at = 0; at < KINDS.length; at += 1) {
      const kind = KINDS[(number + at) % KINDS.length] ?? 'plain';
      const before = await this.comparison.count();
      const run = await this.#offered(kind, offered);
      const count = (await this.comparison.count()) - before;
      const expected = kind === 'other' ? run.load.answered : 0;
      if (count !== expected) {
        const title = this.comparison.titles.other;
        throw new Error(`${count} of these were each a ${title}, and not ${expected}`);
      }
      round[kind] = run;
    }
    return round as ComparedRound;
  }

  async #offered(kind: Kind, { rate, seconds }: Offered): Promise<ComparedLoad> {
    const { installation, work, comparison } = this;
    const before = cpuUsage(installation);
    const load = await offerLoad({
      ...{ host: '127.0.0.1', port: installation.port, ratePerSecond: rate, seconds },
      ...{ connectionsMax: CONNECTIONS_MAX, seed: rate, prepare: comparison.preparing(kind) },
    });
    await work.ended();
    return { load, cpu: usedBetween(before, cpuUsage(installation)) };
  }
}

/** The table of one rate, and whether it is met. */
export function comparedLines(
  { titles, bar }: Pick<Comparison, 'titles' | 'bar'>,
  rate: number,
  rounds: readonly ComparedRound[],
): readonly string[] {
  const failed = rounds
    .flatMap((round) => Object.values(round))
    .find(({ load }) => load.errors > 0);
  const more = spreadOf(rounds.map(({ plain, other }) => cpuUs(other) / cpuUs(plain)));
  return [
    `\n## ${rate} payments/s, medians of ${rounds.length} rounds`,
    ...(failed === undefined
      ? []
      : [`Payments failed, so do not quote this: ${failed.load.firstError ?? ''}`]),
    ...tableLines(
      ['payment', 'CPU, µs', 'p50, ms', 'p99, ms'],
      KINDS.map((kind) => cellsOf(titles[kind], kind, rounds)),
    ),
    '',
    `CPU of a ${titles.other}, to a ${titles.plain}: ${more.median.toFixed(2)} ` +
      `(${more.low.toFixed(2)} to ${more.high.toFixed(2)}), wanted at most ${bar}: ` +
      (more.median <= bar ? 'met' : 'MISSED'),
  ];
}

/** Without the simulator, where it is a process of its own: acquirers and issuers are no part of a gateway. */
function cpuUs({ load, cpu }: ComparedLoad): number {
  return ((totalOf(cpu) - (cpu.get(SIMULATOR) ?? 0)) * 1e6) / load.answered;
}

function cellsOf(title: string, kind: Kind, rounds: readonly ComparedRound[]): readonly string[] {
  const median = (of: (run: ComparedLoad) => number): number =>
    spreadOf(rounds.map((round) => of(round[kind]))).median;
  return [
    title,
    median(cpuUs).toFixed(0),
    median(({ load }) => load.p50Ms).toFixed(2),
    median(({ load }) => load.p99Ms).toFixed(2),
  ];
}
