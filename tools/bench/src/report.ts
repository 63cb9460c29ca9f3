import { SIMULATOR } from './cpu-usage.js';
import type { Floors } from './floors.js';
import { cpuMsPerPayment, holds, type Rung, withoutSimulator } from './ladder.js';
import { tableLines } from './text-table.js';

/** More drift than this between the floors before and after: the session is not worth quoting. */
const DRIFT_LIMIT = 0.1;
const MEBIBYTE = 1_048_576;
/** D-60: the figure that is given beside the best. */
const COMPARED_RATE = 300;

/** What one profile came to. */
export interface ProfileResult {
  readonly profile: string;
  readonly rungs: readonly Rung[];
  readonly idleBytes: number;
  readonly peakBytes: number;
  readonly readyAfterMs: number;
  readonly firstPaidAfterMs: number;
}

/** The floors around the profiles. */
export interface FloorsAround {
  readonly before: Floors;
  readonly after: Floors;
}

type Row = readonly [name: string, value: string];

/** The tables of a session. */
export function reportLines(floors: FloorsAround, results: readonly ProfileResult[]): string[] {
  const { before, after } = floors;
  const commits = (before.commitsPerSecond + after.commitsPerSecond) / 2;
  return [
    ...table(floorRows(floors)),
    ...results.flatMap((result) => [`\n${result.profile}`, ...table(profileRows(result, commits))]),
    ...hopLines(results),
    ...driftLines('commit', before.commitsPerSecond, after.commitsPerSecond),
    ...driftLines('echo', before.echoCpuMicroseconds, after.echoCpuMicroseconds),
  ];
}

/** The disk and the processor drift apart: PostgreSQL's commits can stay while an echo takes a quarter more. */
function driftLines(floor: string, before: number, after: number): string[] {
  const drift = Math.abs(after - before) / before;
  if (drift <= DRIFT_LIMIT) return [];
  return [
    `\nThe ${floor} floor drifted by ${(drift * 100).toFixed(0)} %: do not quote this session.`,
  ];
}

function table(rows: readonly Row[]): readonly string[] {
  return tableLines(['figure', 'value'], rows);
}

function floorRows({ before, after }: FloorsAround): Row[] {
  const commits = [before, after].map(({ commitsPerSecond }) => commitsPerSecond.toFixed(0));
  const echo = [before, after].map(({ echoCpuMicroseconds }) => echoCpuMicroseconds.toFixed(1));
  return [
    ['floor: one-row commits/s, before / after', commits.join(' / ')],
    ['floor: bare Fastify echo, CPU µs per request', echo.join(' / ')],
    [
      'floor: bare Fastify echo, p50 / p99 ms',
      `${before.echoP50Ms.toFixed(2)} / ${before.echoP99Ms.toFixed(2)}`,
    ],
  ];
}

function profileRows(result: ProfileResult, commits: number): Row[] {
  const { rungs, idleBytes, peakBytes, readyAfterMs, firstPaidAfterMs } = result;
  const best = rungs.filter(holds).sort((a, b) => b.rate - a.rate)[0];
  const compared = rungs.find(({ rate }) => rate === COMPARED_RATE);
  const cheapest = [...rungs].sort((a, b) => b.paymentsPerCpuSecond - a.paymentsPerCpuSecond)[0];
  return [
    ...(cheapest === undefined ? [] : cheapestRows(cheapest, commits)),
    ...(best === undefined ? [] : bestRows(best, commits)),
    ...(compared === undefined ? [] : comparedRows(compared)),
    [
      'resident memory without PostgreSQL, idle / peak MB',
      `${(idleBytes / MEBIBYTE).toFixed(0)} / ${(peakBytes / MEBIBYTE).toFixed(0)}`,
    ],
    [
      'start to ready, start to first paid payment (empty folder), ms',
      `${readyAfterMs.toFixed(0)} / ${firstPaidAfterMs.toFixed(0)}`,
    ],
  ];
}

function cheapestRows({ rate, paymentsPerCpuSecond, load }: Rung, commits: number): Row[] {
  return [
    [
      'most payments per CPU-second, at a rate of',
      `${paymentsPerCpuSecond.toFixed(0)}, ${String(rate)}/s, p99 ${load.p99Ms.toFixed(0)} ms`,
    ],
    ['of the one-row commit rate there', (load.achievedPerSecond / commits).toFixed(3)],
  ];
}

function bestRows(best: Rung, commits: number): Row[] {
  return [
    ['highest rung with p99 < 50 ms, payments/s', String(best.rate)],
    ['payments per CPU-second there', best.paymentsPerCpuSecond.toFixed(0)],
    ...apartRows(best, 'there'),
    ['of the one-row commit rate', (best.load.achievedPerSecond / commits).toFixed(3)],
  ];
}

function comparedRows(rung: Rung): Row[] {
  const { load, relayLagP99Ms } = rung;
  const at = `at ${COMPARED_RATE}/s`;
  return [
    [`payments per CPU-second ${at}`, rung.paymentsPerCpuSecond.toFixed(0)],
    ...apartRows(rung, at),
    [`p50 / p99 ms ${at}`, `${load.p50Ms.toFixed(2)} / ${load.p99Ms.toFixed(2)}`],
    ...(relayLagP99Ms === undefined
      ? []
      : [[`relay lag p99 ${at}, ms`, relayLagP99Ms.toFixed(0)] as const]),
  ];
}

/** Where the simulator is a process of its own, what the gateway costs without it. */
function apartRows(rung: Rung, when: string): Row[] {
  if (!rung.cpu.has(SIMULATOR)) return [];
  const value = withoutSimulator(rung).toFixed(0);
  return [[`payments per CPU-second ${when}, simulator not counted`, value]];
}

const HOP_HEAD = [
  ...['payments/s', 'CPU ms: sandbox', 'cluster', 'more', 'p50 ms more', 'p99 ms more'],
];

/** What the way over Kafka adds to a payment, at the rates that both profiles were asked for. */
function hopLines([sandbox, cluster]: readonly ProfileResult[]): string[] {
  if (sandbox === undefined || cluster === undefined) return [];
  const pairs = cluster.rungs.flatMap((rung) => {
    const other = sandbox.rungs.find(({ rate }) => rate === rung.rate);
    return other === undefined ? [] : [{ rung, other }];
  });
  return [
    '\nThe cluster beside the sandbox: Kafka, HTTP between services, relay and reporting apart',
    ...tableLines(
      HOP_HEAD,
      pairs.map(({ rung, other }) => {
        const [own, others] = [rung, other].map(msPerPayment);
        const more = (own ?? 0) - (others ?? 0);
        const p50 = rung.load.p50Ms - other.load.p50Ms;
        const p99 = rung.load.p99Ms - other.load.p99Ms;
        const cells = [others ?? 0, own ?? 0, more, p50, p99].map((value) => value.toFixed(2));
        return [String(rung.rate), ...cells];
      }),
    ),
  ];
}

function msPerPayment(rung: Rung): number {
  return [...cpuMsPerPayment(rung).values()].reduce((sum, ms) => sum + ms, 0);
}
