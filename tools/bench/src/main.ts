import { wishOf } from '@sluice/command-line';
import { startEmbeddedPostgres } from '@sluice/embedded-postgres';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { account } from './account.js';
import { against } from './against.js';
import { checkoutsEnding } from './checkouts-ending.js';
import { checkouts } from './checkouts.js';
import { modelLines } from './cells-model.js';
import { type BenchWish, type Ladder, readCommandLine } from './command-line.js';
import { CommitUnavailable } from './commit-build.js';
import { isNoDearer } from './cost.js';
import { clusterProcesses } from './cpu-usage.js';
import { InstallationWork } from './end-of-work.js';
import { DiskTooSmall, grow } from './grow.js';
import { type Floors, measureFloors } from './floors.js';
import { formLoads } from './form-loads.js';
import {
  type InstallationUnderTest,
  type Profile,
  startUnderTest,
} from './installation-under-test.js';
import { messageLines } from './iso8583-messages.js';
import { climb, offer, rungLine } from './ladder.js';
import { parameterLines } from './parameters.js';
import { paymentForm } from './payment-requests.js';
import { peakResidentBytes, residentBytes } from './process-usage.js';
import { RebuildBench, type RebuildFigures } from './rebuild.js';
import { rebuildAgainst } from './rebuild-against.js';
import { reads } from './reads.js';
import { readsAgainst } from './reads-against.js';
import { registrations } from './registrations.js';
import { registrationsGrowth } from './registrations-growth.js';
import { type ProfileResult, reportLines } from './report.js';
import { risk } from './risk.js';
import { schedules } from './schedules.js';
import { threeDSecure } from './three-d-secure.js';
import { walletLines } from './wallets.js';
import { watching } from './watching.js';
import { webhooks } from './webhooks.js';

/**
 * Until then the compilers take a good part of the cores: Node's for seconds, Kafka's for a minute
 * (1.5 ms a payment in the first 15 s, 0.9 after 75 s). Seven processes that are still cold share
 * the cores, so what a single one takes is too much for them.
 */
const WARM_UP: Readonly<Record<Profile, { readonly rate: number; readonly seconds: number }>> = {
  sandbox: { rate: 500, seconds: 10 },
  cluster: { rate: 200, seconds: 75 },
};

/**
 * For what is measured far below saturation. A machine that is busy with other work cannot take 500/s,
 * and what it leaves open is inquired for minutes.
 */
const GENTLE_WARM_UP = { rate: 100, seconds: 30 };
/** Payments that are only there to be read, on a machine of which nothing is expected. */
const FEW_PAYMENTS = { rate: 30, seconds: 30 };

async function main(): Promise<void> {
  const wish = wishOf(readCommandLine(process.argv.slice(2)));
  if (wish === undefined) return;
  const model = cpus()[0]?.model ?? 'unknown processor';
  say(`${model}, ${String(cpus().length)} cores, Node ${process.version}`);
  await perform(wish);
}

async function perform(wish: BenchWish): Promise<void> {
  switch (wish.kind) {
    case 'rebuild':
      return rebuild();
    case 'rebuildAgainst':
      return rebuildAgainst(wish.rebuild, FEW_PAYMENTS, say);
    case 'readsAgainst':
      return readsAgainst(wish.reads, FEW_PAYMENTS, say);
    case 'parameters':
      for (const line of parameterLines()) say(line);
      return;
    case 'wallets':
      for (const line of walletLines()) say(line);
      return;
    case 'iso8583':
      for (const line of messageLines()) say(line);
      return;
    case 'form':
      return formLoads(say);
    case 'model':
      for (const line of modelLines()) say(line);
      return;
    case 'watching':
      return watching({ ...wish.watching, warmUp: WARM_UP.cluster }, say);
    case 'account':
      return account(wish.account, WARM_UP, say);
    case 'against':
      return against(wish.against, WARM_UP, say);
    case 'grow':
      return grow(wish.grow, GENTLE_WARM_UP, say);
    case 'reads':
      return reads(wish.reads, GENTLE_WARM_UP, say);
    case 'checkouts':
      return checkouts(wish.checkouts, GENTLE_WARM_UP, say);
    case 'checkoutsEnding':
      return checkoutsEnding(wish.ending, GENTLE_WARM_UP, say);
    case 'risk':
      return risk(wish.risk, GENTLE_WARM_UP, say);
    case 'threeDSecure':
      return threeDSecure(wish.threeDSecure, GENTLE_WARM_UP, say);
    case 'schedules':
      return schedules(wish.schedules, GENTLE_WARM_UP, say);
    case 'webhooks':
      return webhooks(wish.webhooks, WARM_UP.cluster, say);
    case 'registrations':
      return registrations(wish.registrations, GENTLE_WARM_UP, say);
    case 'registrationsGrowth':
      return registrationsGrowth(wish.growth, GENTLE_WARM_UP, say);
    case 'cost':
      if (!(await isNoDearer(wish.commit, say))) process.exitCode = 1;
      return;
    case 'ladder':
      return betweenFloors(wish.ladder);
  }
}

async function betweenFloors(ladder: Ladder): Promise<void> {
  say('Floors before …');
  const before = await floors();
  const results: ProfileResult[] = [];
  for (const profile of ladder.profiles) results.push(await measure(profile, ladder));
  say('Floors after …');
  const after = await floors();
  for (const line of reportLines({ before, after }, results)) say(line);
}

/** Makes a history, and then the rows of it twice. */
async function rebuild(): Promise<void> {
  say('cluster: payments for a history …');
  const installation = await startUnderTest('cluster', {
    arguments: ['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
  });
  try {
    await offer(installation, WARM_UP.cluster.rate, WARM_UP.cluster.seconds);
    const work = await InstallationWork.of(installation);
    await work.ended();
    await work.close();
    const bench = await RebuildBench.of(installation);
    say(rebuildLine('from Kafka', await bench.fromKafka()));
    await bench.lengthen(say);
    say(rebuildLine('from the store', await bench.fromStore()));
    await bench.close();
  } finally {
    await installation.stop();
  }
}

function rebuildLine(way: string, { events, seconds, cpuSeconds }: RebuildFigures): string {
  const perSecond = Math.round(events / seconds).toLocaleString('en-US');
  const perCpuSecond = Math.round(events / cpuSeconds).toLocaleString('en-US');
  return `  ${way}: ${events} events in ${seconds.toFixed(1)} s, ${perSecond} a second, ${perCpuSecond} per CPU-second`;
}

async function measure(profile: Profile, wish: Ladder): Promise<ProfileResult> {
  say(`${profile}: first start and first payment …`);
  const { profileDirectory } = wish;
  const installation = await startUnderTest(profile, {
    arguments: ['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
    ...(profileDirectory === undefined ? {} : { profileDirectory }),
  });
  try {
    const idleBytes = memoryOf(installation, residentBytes);
    const firstPaidAfterMs = await firstPayment(installation);
    const { rate, seconds } = WARM_UP[profile];
    say(`Warm-up, ${String(seconds)} s at ${String(rate)}/s …`);
    await offer(installation, rate, seconds);
    const work = await InstallationWork.of(installation);
    await work.ended();
    const rungs = await climb({ installation, work }, wish.rates, wish.seconds, (rung) =>
      say(rungLine(rung)),
    );
    await work.close();
    const peakBytes = memoryOf(installation, peakResidentBytes);
    const { readyAfterMs } = installation;
    return { profile, rungs, idleBytes, peakBytes, readyAfterMs, firstPaidAfterMs };
  } finally {
    await installation.stop();
  }
}

function memoryOf(installation: InstallationUnderTest, of: (pid: number) => number): number {
  const { profile, pid } = installation;
  const others = profile === 'sandbox' ? [] : clusterProcesses(installation);
  return [pid, ...others.map((other) => other.pid)].reduce((sum, each) => sum + of(each), 0);
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

async function firstPayment(installation: InstallationUnderTest): Promise<number> {
  const startedAt = performance.now();
  const result = await offer(installation, 1, 1);
  if (result.errors > 0) throw new Error(`the first payment failed: ${result.firstError ?? ''}`);
  return (
    installation.readyAfterMs +
    (result.answered === 0 ? performance.now() - startedAt : result.maxMs)
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof CommitUnavailable || error instanceof DiskTooSmall)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
