import { builtCommit } from './commit-build.js';
import { totalOf } from './cpu-usage.js';
import { InstallationWork } from './end-of-work.js';
import { type InstallationUnderTest, startUnderTest } from './installation-under-test.js';
import { offer } from './ladder.js';
import { orderOf } from './pairs.js';
import {
  type KnownPayment,
  knownPayments,
  paymentRead,
  read,
  type ReadLoad,
  referenceQuery,
} from './payment-reads.js';
import { type Build, buildLines, type BuildPair } from './two-builds.js';

/*
 * `npm run bench -- --reads --against <commit>`: the same reads of two builds' sandboxes, in turn or at
 * the same time.
 */

/** What is compared, and how often. */
export interface ReadsAgainstWish {
  readonly commit: string;
  readonly rates: readonly number[];
  /** Of one run. */
  readonly seconds: number;
  readonly pairs: number;
  /** Both at the same time, so that whatever else the machine does hits both alike. */
  readonly isTogether: boolean;
}

interface Side {
  readonly installation: InstallationUnderTest;
  readonly payments: readonly KnownPayment[];
}

type Sides = Readonly<Record<Build, Side>>;
type ReadPair = Readonly<Record<Build, ReadLoad>>;

const BUILDS = ['other', 'this'] as const;
const KINDS = [
  ['GET /v1/payments/{id}', paymentRead],
  ["GET /v3/query by the merchant's id", referenceQuery],
] as const;
const WARM_UP_SECONDS = 10;
const MICROSECONDS = 1e6;

/** Compares at all rates; what there is to say is said as it comes. */
export async function readsAgainst(
  { commit, rates, ...run }: ReadsAgainstWish,
  warmUp: { readonly rate: number; readonly seconds: number },
  say: (line: string) => void,
): Promise<void> {
  const root = builtCommit(commit, say);
  const sides: Partial<Record<Build, Side>> = {};
  try {
    for (const build of BUILDS) {
      say(`sandbox, ${build} build: start, and ${warmUp.seconds} s of payments to read …`);
      sides[build] = await side(build === 'other' ? root : undefined, warmUp);
    }
    for (const rate of rates) {
      for (const line of await compared(sides as Sides, { rate, ...run }, say)) say(line);
    }
  } finally {
    await Promise.all(Object.values(sides).map(({ installation }) => installation.stop()));
  }
}

async function side(
  root: string | undefined,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<Side> {
  const installation = await startUnderTest('sandbox', {
    arguments: ['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
    root,
  });
  try {
    await offer(installation, rate, seconds);
    const work = await InstallationWork.of(installation);
    await work.ended().finally(() => work.close());
    return { installation, payments: await knownPayments(installation) };
  } catch (error) {
    await installation.stop();
    throw error;
  }
}

async function compared(
  sides: Sides,
  run: Omit<ReadsAgainstWish, 'commit' | 'rates'> & { readonly rate: number },
  say: (line: string) => void,
): Promise<readonly string[]> {
  const { rate, seconds, pairs: count, isTogether } = run;
  const lines: string[] = [];
  for (const [kind, prepare] of KINDS) {
    const readBy = (build: Build, duration: number): Promise<ReadLoad> => {
      const { installation, payments } = sides[build];
      return read(installation, { rate, seconds: duration }, (index) => {
        const payment = payments[index % payments.length];
        if (payment === undefined) throw new Error('There are no payments to read.');
        return prepare(payment);
      });
    };
    await Promise.all(BUILDS.map((build) => readBy(build, WARM_UP_SECONDS)));
    const pairs: ReadPair[] = [];
    for (let number = 0; number < count; number += 1) {
      const pair: Partial<Record<Build, ReadLoad>> = {};
      const run = async (build: Build): Promise<void> => {
        pair[build] = await readBy(build, seconds);
      };
      if (isTogether) await Promise.all(BUILDS.map(run));
      else for (const build of orderOf<Build>(number, BUILDS)) await run(build);
      const failed = Object.values(pair).find(({ load }) => load.errors > 0)?.load.firstError;
      if (failed === undefined) pairs.push(pair as ReadPair);
      else say(`  pair ${number + 1} of ${kind} does not count: ${failed}`);
    }
    if (pairs.length <= count / 2) throw new Error(`Only ${pairs.length} of ${count} pairs count.`);
    lines.push(...readPairLines(`${kind}, ${rate}/s`, pairs));
  }
  return lines;
}

/** What a read takes in both builds. */
export function readPairLines(title: string, pairs: readonly ReadPair[]): readonly string[] {
  const of = (figure: (load: ReadLoad) => number): readonly BuildPair[] =>
    pairs.map((pair) => ({ other: figure(pair.other), this: figure(pair.this) }));
  const microseconds = (part: string) =>
    of(({ cpu, load }) => ((cpu.get(part) ?? 0) * MICROSECONDS) / load.answered);
  return buildLines(title, [
    ['CPU, µs', of(({ cpu, load }) => (totalOf(cpu) * MICROSECONDS) / load.answered)],
    ['of it Node', microseconds('node')],
    ['of it PostgreSQL', microseconds('postgres')],
  ]);
}
