import { setTimeout as pause } from 'node:timers/promises';
import { clusterProcesses, totalOf } from './cpu-usage.js';
import { InstallationWork } from './end-of-work.js';
import { startUnderTest } from './installation-under-test.js';
import { cpuMsPerPayment, type MeasuredInstallation, offer, type PaidLoad, pay } from './ladder.js';
import { costOf, orderOf, type Pair, type Side, type Spread, spreadOf } from './pairs.js';
import { Scraper } from './scraper.js';
import {
  type ReceivedSpans,
  receivedBetween,
  receiveSpans,
  type SpanReceiver,
} from './span-receiver.js';
import { tableLines } from './text-table.js';

/*
 * `npm run bench -- --watching`: what it costs that a cluster is watched. Two clusters stand beside
 * each other and get the same payments in turn, off, on, on, off, …: "on" follows one payment in
 * twenty, sends its spans to a receiver, and is asked for its metrics every 15 s; "off" has neither.
 */

/** What is measured, and how often. */
export interface WatchingWish {
  readonly rates: readonly number[];
  /** Of one run. */
  readonly seconds: number;
  readonly pairs: number;
  readonly warmUp: { readonly rate: number; readonly seconds: number };
  /** For CPU profiles of the services; such figures are not to be quoted. */
  readonly profileDirectory: string | undefined;
}

/** Two runs of the same payments. */
export type PaidPair = Readonly<Record<Side, PaidLoad>>;

/** D-60: what tracing and metrics may take of the payments per CPU-second. */
const COST_BAR = 0.05;
const FOLLOWED_SHARE = '0.05';
/** Exporters send after 5 s at the latest; a run lasts until they have, with either side. */
const SPANS_SENT_AFTER_MS = 5_500;
const WITHOUT_METRICS = new URL('./without-metrics.js', import.meta.url).href;
const MICROSECONDS = 1_000;

/** Measures all rates; what there is to say is said as it comes. */
export async function watching(wish: WatchingWish, say: (line: string) => void): Promise<void> {
  const receiver = await receiveSpans();
  const sides: Partial<Record<Side, WatchedSide>> = {};
  try {
    for (const side of ['off', 'on'] as const) {
      say(`${side}: start, and ${wish.warmUp.seconds} s of warm-up …`);
      sides[side] = await WatchedSide.start(side, receiver, wish);
    }
    const { off, on } = sides as Record<Side, WatchedSide>;
    for (const rate of wish.rates) {
      const before = receiver.received;
      const pairs = await paidPairs({ off, on }, rate, wish, say);
      const counted = pairs.filter((pair) => firstErrorOf(pair) === undefined);
      if (counted.length === 0) throw new Error('No pair was without errors.');
      for (const line of watchingLines(rate, counted)) say(line);
      const paid = pairs.reduce((sum, pair) => sum + pair.on.load.answered, 0);
      say(followedLine(receivedBetween(before, receiver.received), paid));
      say(`One scrape of all processes: ${on.scrapeBytes} bytes.`);
    }
  } finally {
    await Promise.all(Object.values(sides).map((side) => side.stop()));
    await receiver.close();
  }
}

async function paidPairs(
  sides: Readonly<Record<Side, WatchedSide>>,
  rate: number,
  { pairs: count, seconds }: WatchingWish,
  say: (line: string) => void,
): Promise<readonly PaidPair[]> {
  const pairs: PaidPair[] = [];
  for (let number = 0; number < count; number += 1) {
    const paid: Partial<Record<Side, PaidLoad>> = {};
    for (const side of orderOf<Side>(number, ['off', 'on']))
      paid[side] = await sides[side].pay(rate, seconds);
    const pair = paid as PaidPair;
    const error = firstErrorOf(pair);
    say(pairLine(number, pair) + (error === undefined ? '' : `; not counted: ${error}`));
    pairs.push(pair);
  }
  return pairs;
}

/** A payment without its answer costs something else than one with it. */
function firstErrorOf({ off, on }: PaidPair): string | undefined {
  return off.load.firstError ?? on.load.firstError;
}

/** Whether as many were followed as was asked for: less would be cheap for a wrong reason. */
function followedLine({ followed, spans, requests }: ReceivedSpans, paid: number): string {
  const share = percent(followed / paid);
  const each = (spans / followed).toFixed(1);
  return `\nFollowed: ${share} of the payments, ${each} spans each, in ${requests} exports.`;
}

/** One of the two clusters. */
class WatchedSide {
  private constructor(
    private readonly side: Side,
    private readonly measured: MeasuredInstallation,
    private readonly addresses: readonly string[],
    /** Of one scrape of every process, after the warm-up. */
    readonly scrapeBytes: number,
  ) {}

  /** Starts it, warms it up, and makes sure that it is what its name says. */
  static async start(
    side: Side,
    receiver: SpanReceiver,
    { warmUp, rates, profileDirectory }: WatchingWish,
  ): Promise<WatchedSide> {
    const nodeOptions = [
      ...(side === 'off' ? ['--import', WITHOUT_METRICS] : []),
      ...(profileDirectory === undefined
        ? []
        : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}/${side}`]),
    ];
    const installation = await startUnderTest('cluster', {
      arguments: ['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
      environment: {
        ...tracingUnset(),
        ...(side === 'on' && tracingTo(receiver)),
        SLUICE_NODE_OPTIONS: nodeOptions.join(' '),
      },
    });
    try {
      const before = receiver.received;
      // Whoever asks for a low rate has a slow machine.
      await offer(installation, Math.min(warmUp.rate, ...rates), warmUp.seconds);
      const work = await InstallationWork.of(installation);
      await work.ended();
      await pause(SPANS_SENT_AFTER_MS);
      const hasSpans = receiver.received.followed > before.followed;
      if (hasSpans !== (side === 'on')) throw new Error(`${side}: spans came: ${hasSpans}.`);
      const addresses = clusterProcesses(installation).flatMap(({ management }) =>
        management === undefined ? [] : [management],
      );
      const scraper = new Scraper(addresses);
      await scraper.scrape(side === 'on' ? 'some' : 'none');
      return new WatchedSide(side, { installation, work }, addresses, scraper.bytes);
    } catch (error) {
      await installation.stop();
      throw error;
    }
  }

  /** One run. */
  async pay(rate: number, seconds: number): Promise<PaidLoad> {
    const scraper = new Scraper(this.addresses);
    if (this.side === 'on') scraper.start();
    const settled = (): Promise<void> => pause(SPANS_SENT_AFTER_MS);
    const paid = await pay(this.measured, rate, seconds, settled);
    await scraper.stop();
    return paid;
  }

  async stop(): Promise<void> {
    await this.measured.work.close();
    await this.measured.installation.stop();
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Whatever a developer has set for traces must not reach the services. */
function tracingUnset(): Variables {
  const names = Object.keys(process.env).filter((name) => name.startsWith('OTEL_'));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

function tracingTo({ url }: SpanReceiver): Variables {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: FOLLOWED_SHARE,
  };
}

function pairLine(number: number, { off, on }: PaidPair): string {
  const [without, watched] = [off, on].map(({ paymentsPerCpuSecond, load }) => {
    const perSecond = `${paymentsPerCpuSecond.toFixed(1)} payments per CPU-second`;
    return `${perSecond} (p50 ${load.p50Ms.toFixed(1)} ms)`;
  });
  const cost = percent(costOf(payments({ off, on })));
  return `  pair ${number + 1}: off ${without ?? ''}, on ${watched ?? ''}: cost ${cost}`;
}

/** The tables of one rate. */
export function watchingLines(rate: number, pairs: readonly PaidPair[]): readonly string[] {
  const cost = spreadOf(pairs.map((pair) => costOf(payments(pair))));
  const [off, on] = (['off', 'on'] as const).map((side) => {
    const figures = pairs.map((pair) => pair[side].paymentsPerCpuSecond);
    return spreadOf(figures).median.toFixed(1);
  });
  const verdict = cost.median <= COST_BAR ? 'met' : 'missed';
  return [
    ...tableLines(
      [
        ...['payments/s', 'per CPU-second: off', 'on', 'cost, median'],
        ...[`interval of ${pairs.length} pairs`, 'wanted'],
      ],
      [
        [
          ...[String(rate), off ?? '', on ?? '', percent(cost.median), intervalOf(cost)],
          `≤ ${percent(COST_BAR)}: ${verdict}`,
        ],
      ],
    ),
    ...tableLines(
      ['CPU of one payment', 'off, ms', 'on, ms', 'more, µs', 'interval, µs'],
      partCells(pairs),
    ),
  ];
}

function payments({ off, on }: PaidPair): Pair {
  return { off: off.paymentsPerCpuSecond, on: on.paymentsPerCpuSecond };
}

function intervalOf({ low, high, confidence }: Spread): string {
  return `${percent(low)} to ${percent(high)} (sure with ${percent(confidence)})`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Where it goes, the parts that take most first. */
function partCells(pairs: readonly PaidPair[]): readonly (readonly string[])[] {
  const names = [...(pairs[0]?.off.cpu.keys() ?? [])];
  const parts = names.map((name) =>
    partOf(name, pairs, (paid) => cpuMsPerPayment(paid).get(name) ?? 0),
  );
  const all = partOf('all', pairs, ({ cpu, load }) => (totalOf(cpu) * 1_000) / load.answered);
  return [...parts.sort((one, other) => other.more - one.more), all].map(({ cells }) => cells);
}

function partOf(
  name: string,
  pairs: readonly PaidPair[],
  msOf: (paid: PaidLoad) => number,
): { readonly more: number; readonly cells: readonly string[] } {
  const [off = 0, on = 0] = (['off', 'on'] as const).map(
    (side) => spreadOf(pairs.map((pair) => msOf(pair[side]))).median,
  );
  const more = spreadOf(pairs.map((pair) => (msOf(pair.on) - msOf(pair.off)) * MICROSECONDS));
  const interval = `${more.low.toFixed(0)} to ${more.high.toFixed(0)}`;
  const cells = [name, off.toFixed(3), on.toFixed(3), more.median.toFixed(0), interval];
  return { more: more.median, cells };
}
