import { type CpuUsage, cpuUsage, SIMULATOR, totalOf, usedBetween } from './cpu-usage.js';
import type { InstallationWork } from './end-of-work.js';
import type { InstallationUnderTest } from './installation-under-test.js';
import { type LoadResult, offerLoad } from './open-loop.js';
import { paymentRequest } from './payment-requests.js';

const CONNECTIONS_MAX = 256;
/** D-60: the highest rung counts whose p99 stays below this. */
const P99_LIMIT_MS = 50;
/** Below this share of the offered rate the gateway is saturated. */
const SATURATED_SHARE = 0.9;
/** A rung is reached when this share of what was offered was achieved. */
const ACHIEVED_SHARE = 0.995;
const RELAY_LAG_PERCENTILE = 0.99;

/** Payments that were offered at a rate, and what they cost. */
export interface PaidLoad {
  readonly rate: number;
  readonly load: LoadResult;
  /** CPU seconds by process, until outbox, group lag and inquiries were at zero. */
  readonly cpu: CpuUsage;
  /** From the last answer until they were. */
  readonly endedAfterMs: number;
  readonly paymentsPerCpuSecond: number;
}

/** One rung of the ladder. */
export interface Rung extends PaidLoad {
  /** Absent without a topic. */
  readonly relayLagP99Ms?: number;
}

/** Offers payments at a rate for a while. */
export function offer(
  { port }: InstallationUnderTest,
  ratePerSecond: number,
  seconds: number,
): Promise<LoadResult> {
  return offerLoad({
    host: '127.0.0.1',
    ...{ port, ratePerSecond, seconds },
    connectionsMax: CONNECTIONS_MAX,
    seed: ratePerSecond,
    prepare: paymentRequest,
  });
}

/** An installation, and how its work is followed. */
export interface MeasuredInstallation {
  readonly installation: InstallationUnderTest;
  readonly work: InstallationWork;
}

/** Offers payments, and counts what all of their work takes; `settled` belongs to it as well. */
export async function pay(
  { installation, work }: MeasuredInstallation,
  rate: number,
  seconds: number,
  settled: () => Promise<void> = () => Promise.resolve(),
): Promise<PaidLoad> {
  const before = cpuUsage(installation);
  const load = await offer(installation, rate, seconds);
  const endedAfterMs = await work.ended();
  await settled();
  const cpu = usedBetween(before, cpuUsage(installation));
  return { rate, load, cpu, endedAfterMs, paymentsPerCpuSecond: load.answered / totalOf(cpu) };
}

/** Offers each rate in turn until one is too much. */
export async function climb(
  measured: MeasuredInstallation,
  rates: readonly number[],
  seconds: number,
  onRung: (rung: Rung) => void,
): Promise<readonly Rung[]> {
  const { work } = measured;
  const rungs: Rung[] = [];
  for (const rate of rates) {
    const topicBefore = await work.topicEnds();
    const paid = await pay(measured, rate, seconds);
    const lags = await work.relayLagsMs(topicBefore, await work.topicEnds());
    const lag = lags[Math.floor(lags.length * RELAY_LAG_PERCENTILE)];
    const rung = { ...paid, ...(lag === undefined ? {} : { relayLagP99Ms: lag }) };
    rungs.push(rung);
    onRung(rung);
    // A higher rung would only measure the queue.
    const { load } = paid;
    if (load.errors > 0 || load.achievedPerSecond < rate * SATURATED_SHARE) break;
  }
  return rungs;
}

/** Whether a rung was reached and stayed below the limit. */
export function holds({ load, rate }: Rung): boolean {
  return (
    load.errors === 0 &&
    load.p99Ms < P99_LIMIT_MS &&
    load.achievedPerSecond >= rate * 0.95 * ACHIEVED_SHARE
  );
}

/** CPU milliseconds of a payment, by process. */
export function cpuMsPerPayment({ cpu, load }: PaidLoad): ReadonlyMap<string, number> {
  return new Map([...cpu].map(([name, seconds]) => [name, (seconds * 1_000) / load.answered]));
}

/** The same figure without the acquirer's side, which is no part of the gateway. */
export function withoutSimulator({ cpu, load }: Rung): number {
  return load.answered / (totalOf(cpu) - (cpu.get(SIMULATOR) ?? 0));
}

/** A rung as a line. */
export function rungLine(rung: Rung): string {
  const { load, relayLagP99Ms } = rung;
  const cpu = [...cpuMsPerPayment(rung)].map(([name, ms]) => `${name} ${ms.toFixed(3)}`);
  const columns = [
    `${String(rung.rate)}/s`,
    `achieved ${load.achievedPerSecond.toFixed(0)}/s`,
    `errors ${String(load.errors)}`,
    `p50 ${load.p50Ms.toFixed(1)} p99 ${load.p99Ms.toFixed(1)} p99.9 ${load.p999Ms.toFixed(1)} ms`,
    `CPU per payment: ${cpu.join(' + ')} ms`,
    `${rung.paymentsPerCpuSecond.toFixed(0)} payments per CPU-second`,
    ...(relayLagP99Ms === undefined ? [] : [`relay lag p99 ${relayLagP99Ms.toFixed(0)} ms`]),
    `all work ended ${rung.endedAfterMs.toFixed(0)} ms later`,
  ];
  const error = load.firstError === undefined ? '' : `\n    first error: ${load.firstError}`;
  return `  ${columns.join(' | ')}${error}`;
}
