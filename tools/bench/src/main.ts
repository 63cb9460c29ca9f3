import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@sluice/embedded-postgres';
import { type Floors, measureFloors } from './floors.js';
import { type LoadResult, offerLoad } from './open-loop.js';
import { paymentForm, paymentRequest } from './payment-requests.js';
import {
  cpuSecondsOf,
  cpuSecondsOfTree,
  peakResidentBytes,
  residentBytes,
} from './process-usage.js';
import { type SandboxUnderTest, startSandboxUnderTest } from './sandbox-under-test.js';

const DEFAULT_RATES = '300,100,500,1000,1500,2000,2500,3000';
const DEFAULT_SECONDS = '15';
const WARM_UP_SECONDS = 10;
const WARM_UP_RATE = 500;
const CONNECTIONS_MAX = 256;
/** D-60: the highest rung counts whose p99 stays below this. */
const P99_LIMIT_MS = 50;
/** Below this share of the offered rate the gateway is saturated. */
const SATURATED_SHARE = 0.9;
/** A rung is reached when this share of what was offered was achieved. */
const ACHIEVED_SHARE = 0.995;
/** More drift than this between the floors before and after, and the session is not worth quoting. */
const DRIFT_LIMIT = 0.1;
const MEBIBYTE = 1_048_576;

/** One rung of the ladder: what was offered, and what it cost. */
interface Rung {
  readonly rate: number;
  readonly load: LoadResult;
  readonly nodeCpuMs: number;
  readonly postgresCpuMs: number;
  readonly paymentsPerCpuSecond: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rates: { type: 'string', default: DEFAULT_RATES },
      seconds: { type: 'string', default: DEFAULT_SECONDS },
      /** A folder for a CPU profile of the sandbox; the figures of such a run are not to be quoted. */
      profile: { type: 'string' },
    },
  });
  const rates = values.rates.split(',').map((rate) => Number.parseInt(rate, 10));
  const seconds = Number.parseInt(values.seconds, 10);

  say(
    `${cpus()[0]?.model ?? 'unknown processor'}, ${String(cpus().length)} cores, Node ${process.version}`,
  );
  say('Floors before …');
  const before = await floors();
  say('First start and first payment …');
  const sandbox = await startSandboxUnderTest({
    arguments: ['--log-level', 'warn', '--throttle', '0'],
    ...(values.profile === undefined ? {} : { profileDirectory: values.profile }),
  });
  try {
    const idleBytes = residentBytes(sandbox.pid);
    const firstPaidAfterMs = await firstPayment(sandbox);
    say(`Warm-up, ${String(WARM_UP_SECONDS)} s at ${String(WARM_UP_RATE)}/s …`);
    await offer(sandbox, WARM_UP_RATE, WARM_UP_SECONDS);
    const rungs = await climb(sandbox, rates, seconds);
    const peakBytes = peakResidentBytes(sandbox.pid);
    say('Floors after …');
    const after = await floors();
    report({
      before,
      after,
      rungs,
      idleBytes,
      peakBytes,
      readyAfterMs: sandbox.readyAfterMs,
      firstPaidAfterMs,
    });
  } finally {
    await sandbox.stop();
  }
}

async function floors(): Promise<Floors> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-floor-'));
  const postgres = await startEmbeddedPostgres(join(directory, 'postgres'));
  try {
    return await measureFloors(postgres.url, paymentForm(0));
  } finally {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function firstPayment(sandbox: SandboxUnderTest): Promise<number> {
  const startedAt = performance.now();
  const result = await offer(sandbox, 1, 1);
  if (result.errors > 0) throw new Error(`the first payment failed: ${result.firstError ?? ''}`);
  return (
    sandbox.readyAfterMs + (result.answered === 0 ? performance.now() - startedAt : result.maxMs)
  );
}

function offer(
  sandbox: SandboxUnderTest,
  ratePerSecond: number,
  seconds: number,
): Promise<LoadResult> {
  return offerLoad({
    host: '127.0.0.1',
    port: sandbox.port,
    ratePerSecond,
    seconds,
    connectionsMax: CONNECTIONS_MAX,
    seed: ratePerSecond,
    prepare: paymentRequest,
  });
}

async function climb(
  sandbox: SandboxUnderTest,
  rates: readonly number[],
  seconds: number,
): Promise<Rung[]> {
  const rungs: Rung[] = [];
  for (const rate of rates) {
    const treeBefore = cpuSecondsOfTree(sandbox.pid);
    const nodeBefore = cpuSecondsOf(sandbox.pid);
    const load = await offer(sandbox, rate, seconds);
    const tree = cpuSecondsOfTree(sandbox.pid) - treeBefore;
    const node = cpuSecondsOf(sandbox.pid) - nodeBefore;
    const rung = {
      rate,
      load,
      nodeCpuMs: (node * 1000) / load.answered,
      postgresCpuMs: ((tree - node) * 1000) / load.answered,
      paymentsPerCpuSecond: load.answered / tree,
    };
    rungs.push(rung);
    say(rungLine(rung));
    // A higher rung would only measure the queue.
    if (load.errors > 0 || load.achievedPerSecond < rate * SATURATED_SHARE) break;
  }
  return rungs;
}

function holds(rung: Rung): boolean {
  const { load, rate } = rung;
  return (
    load.errors === 0 &&
    load.p99Ms < P99_LIMIT_MS &&
    load.achievedPerSecond >= rate * 0.95 * ACHIEVED_SHARE
  );
}

function rungLine(rung: Rung): string {
  const { load } = rung;
  const columns = [
    `${String(rung.rate)}/s`,
    `achieved ${load.achievedPerSecond.toFixed(0)}/s`,
    `errors ${String(load.errors)}`,
    `p50 ${load.p50Ms.toFixed(1)} p99 ${load.p99Ms.toFixed(1)} p99.9 ${load.p999Ms.toFixed(1)} ms`,
    `CPU per payment: node ${rung.nodeCpuMs.toFixed(3)} + postgres ${rung.postgresCpuMs.toFixed(3)} ms`,
    `${rung.paymentsPerCpuSecond.toFixed(0)} payments per CPU-second`,
  ];
  return `  ${columns.join(' | ')}${load.firstError === undefined ? '' : `\n    first error: ${load.firstError}`}`;
}

interface Report {
  readonly before: Floors;
  readonly after: Floors;
  readonly rungs: readonly Rung[];
  readonly idleBytes: number;
  readonly peakBytes: number;
  readonly readyAfterMs: number;
  readonly firstPaidAfterMs: number;
}

function report(result: Report): void {
  const { before, after, rungs } = result;
  const best = rungs.filter(holds).sort((a, b) => b.rate - a.rate)[0];
  const at300 = rungs.find((rung) => rung.rate === 300);
  const commits = (before.commitsPerSecond + after.commitsPerSecond) / 2;
  const drift =
    Math.abs(after.commitsPerSecond - before.commitsPerSecond) / before.commitsPerSecond;
  say('\n| figure | value |\n|---|---|');
  const row = (name: string, value: string): void => {
    say(`| ${name} | ${value} |`);
  };
  row(
    'floor: one-row commits/s, before / after',
    `${before.commitsPerSecond.toFixed(0)} / ${after.commitsPerSecond.toFixed(0)}`,
  );
  row(
    'floor: bare Fastify echo, CPU µs per request',
    `${before.echoCpuMicroseconds.toFixed(1)} / ${after.echoCpuMicroseconds.toFixed(1)}`,
  );
  row(
    'floor: bare Fastify echo, p50 / p99 ms',
    `${before.echoP50Ms.toFixed(2)} / ${before.echoP99Ms.toFixed(2)}`,
  );
  const cheapest = [...rungs].sort((a, b) => b.paymentsPerCpuSecond - a.paymentsPerCpuSecond)[0];
  if (cheapest !== undefined) {
    const { rate, paymentsPerCpuSecond, load } = cheapest;
    row(
      'most payments per CPU-second, at a rate of',
      `${paymentsPerCpuSecond.toFixed(0)}, ${String(rate)}/s, p99 ${load.p99Ms.toFixed(0)} ms`,
    );
    row('of the one-row commit rate there', (load.achievedPerSecond / commits).toFixed(3));
  }
  if (best !== undefined) {
    row('highest rung with p99 < 50 ms, payments/s', String(best.rate));
    row('payments per CPU-second there', best.paymentsPerCpuSecond.toFixed(0));
    row('of the one-row commit rate', (best.load.achievedPerSecond / commits).toFixed(3));
  }
  if (at300 !== undefined) {
    row('payments per CPU-second at 300/s', at300.paymentsPerCpuSecond.toFixed(0));
    row('p50 / p99 ms at 300/s', `${at300.load.p50Ms.toFixed(2)} / ${at300.load.p99Ms.toFixed(2)}`);
  }
  row(
    'resident memory without PostgreSQL, idle / peak MB',
    `${(result.idleBytes / MEBIBYTE).toFixed(0)} / ${(result.peakBytes / MEBIBYTE).toFixed(0)}`,
  );
  row(
    'start to ready, start to first paid payment (empty folder), ms',
    `${result.readyAfterMs.toFixed(0)} / ${result.firstPaidAfterMs.toFixed(0)}`,
  );
  if (drift > DRIFT_LIMIT) {
    say(`\nThe commit floor drifted by ${(drift * 100).toFixed(0)} %: do not quote this session.`);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
