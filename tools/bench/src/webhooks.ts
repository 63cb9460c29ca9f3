import type { EntityId } from '@sluice/identifiers';
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { poissonArrivalsMs, randomFrom } from './open-loop.js';
import { cpuSecondsOf } from './process-usage.js';
import { tableLines } from './text-table.js';
import type { Posted } from './webhook-posts.js';
import { lagAmongPayments } from './webhooks-lag.js';
import { BenchReceivers } from './webhooks-receiver.js';
import { WebhooksService } from './webhooks-service.js';
import { BENCH_SECRET } from './webhooks-subscriptions.js';

/*
 * `npm run bench -- --webhooks`: how many notifications a second reach one receiver that is kept open, beside a
 * bare loop of such posts; what others notice of a thousand receivers that are dead; and how soon a payment is
 * told in a cluster that is paid with.
 */

/** What is measured, and for how long. */
export interface WebhooksWish {
  /** Payments a second, for the lag. */
  readonly rate: number;
  /** Of the lag's run. */
  readonly seconds: number;
  /** Where a CPU profile of webhooks is written. */
  readonly profileDirectory: string | undefined;
}

type Say = (line: string) => void;

const PER_SECOND_BAR = 2_000;
const PER_CPU_SECOND_BAR = 2_000;
const LAG_BAR_MS = 300;
const DEAD_COST_BAR = 1.1;

/** Until then Node compiles. */
const WARM_UP = 10_000;
const TOLD_AT_ONCE = 30_000;
const RECEIVERS = 10_000;
const DEAD = 1_000;
const TOLD_PER_SECOND = 200;
/** Longer than a call may last, so that as many calls hang as ever will. */
const TOLD_SECONDS = 40;
const ROUNDS = 2;
const ID_DIGITS = 32;
const P50 = 0.5;
const P99 = 0.99;

/** Of many notifications that are due at once. */
export interface BurstFigures {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  /** Of PostgreSQL, for each notification. */
  readonly transactions: number;
  readonly databaseCpuUs: number;
  readonly floor: Posted & { readonly count: number };
}

/** From the publishing of an event to its first byte at a receiver that answers. */
export interface Lags {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What was measured. */
export interface WebhooksFigures {
  readonly burst: BurstFigures;
  /** In rounds. */
  readonly withoutDead: readonly Lags[];
  readonly withDead: readonly Lags[];
  /** From the commit of a payment's outcome, at so many payments a second. */
  readonly lag: Lags & { readonly rate: number };
}

/** Measures all of it; what there is to say is said as it comes. */
export async function webhooks(
  wish: WebhooksWish,
  warmUp: { readonly rate: number; readonly seconds: number },
  say: Say,
): Promise<void> {
  const receivers = await BenchReceivers.start(BENCH_SECRET);
  try {
    say(`webhooks: ${TOLD_AT_ONCE} notifications for one receiver …`);
    const burst = await burstFigures(receivers, wish.profileDirectory);
    say(`webhooks: ${RECEIVERS} receivers, of which none and then ${DEAD} are dead …`);
    const others = await amongDead(receivers);
    say('cluster: start, warm-up, payments …');
    const lag = await lagAmongPayments(receivers, wish, warmUp);
    const figures = { burst, ...others, lag: { ...lagsOf(lag), rate: wish.rate } };
    for (const line of webhooksLines(figures)) say(line);
  } finally {
    receivers.stop();
  }
}

/** One receiver is told of many payments at once. */
export async function burstFigures(
  receivers: BenchReceivers,
  profileDirectory: string | undefined,
): Promise<BurstFigures> {
  const node = nodeOf(0);
  const service = await WebhooksService.start([node], profileDirectory);
  try {
    await service.subscribe([{ nodeId: node, url: receivers.answering() }]);
    const told = async (count: number): Promise<void> => {
      receivers.forget();
      await service.paid(Array.from({ length: count }, () => node));
      await receivers.hasHeard(count);
      await service.untilRecorded();
    };
    await told(WARM_UP);
    const cpuBefore = cpuSecondsOf(service.pid);
    const databaseBefore = service.databaseCpuSeconds();
    const commitsBefore = await service.commits();
    const startedAt = performance.now();
    await told(TOLD_AT_ONCE);
    const seconds = (performance.now() - startedAt) / 1_000;
    const cpuSeconds = cpuSecondsOf(service.pid) - cpuBefore;
    return {
      perSecond: TOLD_AT_ONCE / seconds,
      perCpuSecond: TOLD_AT_ONCE / cpuSeconds,
      databaseCpuUs: ((service.databaseCpuSeconds() - databaseBefore) * 1e6) / TOLD_AT_ONCE,
      transactions: ((await service.commits()) - commitsBefore) / TOLD_AT_ONCE,
      floor: { count: TOLD_AT_ONCE, ...(await posted(receivers)) },
    };
  } finally {
    await service.stop();
  }
}

/** Of the same length as what webhooks says. */
async function posted(receivers: BenchReceivers): Promise<Posted> {
  const program = fileURLToPath(new URL('./webhook-posts.js', import.meta.url));
  const text = receivers.anyText();
  const words = [program, receivers.answering(), BENCH_SECRET, text, String(TOLD_AT_ONCE)];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return JSON.parse(stdout) as Posted;
}

/** Payments of ten thousand merchants, all of whom answer, and then of as many of whom some are dead. */
export async function amongDead(
  receivers: BenchReceivers,
): Promise<Pick<WebhooksFigures, 'withoutDead' | 'withDead'>> {
  const nodes = Array.from({ length: RECEIVERS + DEAD }, (_, number) => nodeOf(number));
  const service = await WebhooksService.start(nodes, undefined);
  try {
    await service.subscribe(
      nodes.map((nodeId, number) => ({
        nodeId,
        url: number < RECEIVERS ? receivers.answering(number) : receivers.silent(number),
      })),
    );
    const round = async (from: number, to: number, seed: number): Promise<Lags> => {
      const lags = await toldInTime({ service, receivers, seed, nodes: nodes.slice(from, to) });
      await service.empty();
      return lagsOf(lags);
    };
    await round(0, RECEIVERS, 0);
    const [withoutDead, withDead]: [Lags[], Lags[]] = [[], []];
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      withoutDead.push(await round(0, RECEIVERS, seed));
    }
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      withDead.push(await round(DEAD, RECEIVERS + DEAD, seed));
    }
    return { withoutDead, withDead };
  } finally {
    await service.stop();
  }
}

/** How late those were told of payments who answer, in milliseconds; whoever was not told at all is infinitely late. */
async function toldInTime({
  service,
  receivers,
  nodes,
  seed,
}: {
  readonly service: WebhooksService;
  readonly receivers: BenchReceivers;
  readonly nodes: readonly EntityId[];
  readonly seed: number;
}): Promise<readonly number[]> {
  const random = randomFrom(seed);
  const alive = new Set(nodes.filter((node) => numberOf(node) < RECEIVERS));
  const publishedAtMs = new Map<string, number>();
  const startedAt = performance.now();
  const publishing: Promise<void>[] = [];
  for (const atMs of poissonArrivalsMs(TOLD_PER_SECOND, TOLD_SECONDS, seed)) {
    const waitMs = startedAt + atMs - performance.now();
    if (waitMs > 1) await pause(waitMs);
    const node = nodes[Math.floor(random() * nodes.length)] ?? nodeOf(0);
    const nowMs = performance.timeOrigin + performance.now();
    const publish = service.paid([node]).then(([name = '']) => {
      if (alive.has(node)) publishedAtMs.set(name, nowMs);
    });
    publishing.push(publish);
  }
  await Promise.all(publishing);
  await pause(GRACE_MS);
  const heardAtMs = receivers.heardAtMs();
  return [...publishedAtMs].map(([name, atMs]) => (heardAtMs.get(name) ?? Infinity) - atMs);
}

/** Whoever is told later than this is not told at all. */
const GRACE_MS = 3_000;

function lagsOf(lagsMs: readonly number[]): Lags {
  const sorted = lagsMs.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? NaN;
  return { p50Ms: at(P50), p99Ms: at(P99) };
}

function nodeOf(number: number): EntityId {
  return `be0c${number.toString(16).padStart(ID_DIGITS - 4, '0')}` as EntityId;
}

function numberOf(node: EntityId): number {
  return Number.parseInt(node.slice(4), 16);
}

/** The tables, and what is met. */
export function webhooksLines(figures: WebhooksFigures): readonly string[] {
  const { burst, withoutDead, withDead, lag } = figures;
  const { floor } = burst;
  const more = mean(withDead.map(({ p99Ms }) => p99Ms)) / mean(withoutDead.map((l) => l.p99Ms));
  return [
    `\n## ${TOLD_AT_ONCE} notifications for one receiver, until they are recorded`,
    ...tableLines(
      ['', 'a second', 'per CPU-second', 'transactions each', "PostgreSQL's CPU each, µs"],
      [
        ['webhooks', burst.perSecond.toFixed(0), burst.perCpuSecond.toFixed(0)].concat(
          burst.transactions.toFixed(3),
          burst.databaseCpuUs.toFixed(0),
        ),
        ['a loop of posts', (floor.count / floor.seconds).toFixed(0)].concat(
          (floor.count / floor.cpuSeconds).toFixed(0),
          ...['0', '0'],
        ),
      ],
    ),
    '',
    `At least ${PER_SECOND_BAR} a second: ${verdict(burst.perSecond >= PER_SECOND_BAR)}`,
    `At least ${PER_CPU_SECOND_BAR} per CPU-second: ${verdict(burst.perCpuSecond >= PER_CPU_SECOND_BAR)}`,
    `\n## ${RECEIVERS} receivers, ${TOLD_PER_SECOND} notifications/s: from publishing to the first byte`,
    ...tableLines(
      ['dead', 'p50, ms', 'p99, ms'],
      [
        ...withoutDead.map((lags) => ['0', ...cellsOf(lags)]),
        ...withDead.map((lags) => [String(DEAD), ...cellsOf(lags)]),
      ],
    ),
    '',
    `p99 of the others, to that without dead ones: ${more.toFixed(2)}, wanted at most ` +
      `${DEAD_COST_BAR}: ${verdict(more <= DEAD_COST_BAR)}`,
    `\n## ${lag.rate} payments/s in a cluster: from the commit to the first byte`,
    ...tableLines(['p50, ms', 'p99, ms'], [cellsOf(lag)]),
    '',
    `p99 at most ${LAG_BAR_MS} ms: ${verdict(lag.p99Ms <= LAG_BAR_MS)}`,
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function cellsOf({ p50Ms, p99Ms }: Lags): readonly string[] {
  return [p50Ms.toFixed(1), p99Ms.toFixed(1)];
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED';
}
