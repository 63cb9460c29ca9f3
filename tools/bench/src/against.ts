import { join } from 'node:path';
import { type Account, cpuMsOf } from './account-figures.js';
import { shown } from './account-lines.js';
import { Accounted, type AccountedOptions, LOOKS_AT_REST, type WarmUp } from './accounted.js';
import { builtCommit } from './commit-build.js';
import type { Profile } from './installation-under-test.js';
import { orderOf, spreadOf } from './pairs.js';
import { tableLines } from './text-table.js';
import type { Build } from './two-builds.js';

/*
 * `npm run bench -- --account --against <commit>`: two builds stand beside each other and get the
 * same payments in turn, other, this, this, other, …
 */

/** What is compared, and how often. */
export interface AgainstWish {
  readonly commit: string;
  readonly profiles: readonly Profile[];
  readonly rates: readonly number[];
  /** Of one run. */
  readonly seconds: number;
  readonly pairs: number;
  /**
   * Both at the same time, so that whatever else the machine does hits both alike: for CPU alone,
   * because each waits for the other.
   */
  readonly isTogether: boolean;
  /** Where profiles and pictures of both are written, from runs behind the pairs. */
  readonly profileDirectory: string | undefined;
  /** Of payments, in this build's cluster; the other build has one. */
  readonly cells?: number | undefined;
}

/** The same payments by both. */
export type AccountedPair = Readonly<Record<Build, Account>>;

type Say = (line: string) => void;

const BUILDS = ['other', 'this'] as const;
const AT_REST_SECONDS = 10;

/** Compares at all rates; what there is to say is said as it comes. */
export async function against(
  { commit, profiles, rates, profileDirectory, cells, ...run }: AgainstWish,
  warmUp: Readonly<Record<Profile, WarmUp>>,
  say: Say,
): Promise<void> {
  const root = builtCommit(commit, say);
  for (const profile of profiles) {
    await beside({ profile, root, cells }, say, async (sides) => {
      for (const build of BUILDS) await sides[build].warmUp(warmUp[profile]);
      say(`${profile}: both at rest for ${LOOKS_AT_REST} times ${AT_REST_SECONDS} s …`);
      const [other, own] = await Promise.all(
        BUILDS.map((build) => sides[build].rest(AT_REST_SECONDS)),
      );
      const atRest = { other, this: own } as AccountedPair;
      for (const line of comparedLines(profile, [atRest])) say(line);
      for (const rate of rates) {
        const paid = await accountedPairs({ sides, atRest }, { rate, ...run }, say);
        for (const line of comparedLines(profile, paid)) say(line);
      }
      if (profileDirectory === undefined) return;
      // The profiler comes last: what it makes V8 forget would cost the runs behind it.
      for (const rate of rates) {
        for (const build of BUILDS) {
          say(`${profile}, ${build} build: ${rate}/s under the profiler …`);
          await sides[build].profiled(rate, run.seconds, join(profileDirectory, build));
        }
      }
    });
  }
}

/** Starts both builds, has them used, and stops them. */
export async function beside(
  { root, cells, ...options }: AccountedOptions & { readonly root: string },
  say: Say,
  use: (sides: Readonly<Record<Build, Accounted>>) => Promise<void>,
): Promise<void> {
  const started: Accounted[] = [];
  try {
    for (const build of BUILDS) {
      say(`${options.profile}, ${build} build: start …`);
      const own = build === 'this' ? { cells } : { root };
      started.push(await Accounted.start({ ...options, ...own }));
    }
    const [other, own] = started;
    if (other !== undefined && own !== undefined) await use({ other, this: own });
  } finally {
    await Promise.all(started.map((side) => side.stop()));
  }
}

/** What is offered, and how. */
export interface PairedRun extends Pick<AgainstWish, 'seconds' | 'pairs' | 'isTogether'> {
  readonly rate: number;
}

/** The same payments by both in turn, or together. */
export async function accountedPairs(
  {
    sides,
    atRest,
  }: { readonly sides: Readonly<Record<Build, Accounted>>; readonly atRest?: AccountedPair },
  { rate, seconds, pairs: count, isTogether }: PairedRun,
  say: Say,
): Promise<readonly AccountedPair[]> {
  const pairs: AccountedPair[] = [];
  for (let number = 0; number < count; number += 1) {
    const paid: Partial<Record<Build, Account>> = {};
    const pay = async (build: Build): Promise<void> => {
      paid[build] = await sides[build].pay(rate, seconds, atRest?.[build]);
    };
    if (isTogether) await Promise.all(BUILDS.map(pay));
    else for (const build of orderOf<Build>(number, BUILDS)) await pay(build);
    const pair = paid as AccountedPair;
    const error = pair.other.load?.firstError ?? pair.this.load?.firstError;
    if (error !== undefined) {
      say(`  pair ${number + 1} at ${rate}/s does not count: ${error}`);
      continue;
    }
    const [other, own] = BUILDS.map((build) => cpuMsOf(pair[build]).toFixed(3));
    say(
      `  pair ${number + 1} at ${rate}/s: other ${other} ms, this ${own} ms: ${percent(moreOf(pair))}`,
    );
    pairs.push(pair);
  }
  if (pairs.length <= count / 2) throw new Error(`Only ${pairs.length} of ${count} pairs count.`);
  return pairs;
}

/** How much more CPU a payment of this build costs, as a share. */
export function moreOf(pair: AccountedPair): number {
  return cpuMsOf(pair.this) / cpuMsOf(pair.other) - 1;
}

/** Each figure of both builds, and by how much they differ. */
export function comparedLines(
  profile: Profile,
  pairs: readonly AccountedPair[],
): readonly string[] {
  const [first] = pairs;
  if (first === undefined) return [];
  const { rate } = first.this;
  const names = new Set(BUILDS.flatMap((build) => [...figuresOf(first[build]).keys()]));
  const title = rate === 0 ? 'at rest, each second' : `${rate} payments/s, each payment`;
  const { confidence } = spreadOf(pairs.map(moreOf));
  const sure = `medians of ${pairs.length} pairs, intervals sure with ${(100 * confidence).toFixed(1)} %`;
  return [
    `\n## ${profile}, ${title}; ${pairs.length === 1 ? 'one look' : sure}`,
    ...tableLines(
      ['figure', 'other', 'this', 'difference', 'its interval', 'difference, %', 'its interval, %'],
      [...names].map((name) => comparedCells(name, pairs)),
    ),
  ];
}

function comparedCells(name: string, pairs: readonly AccountedPair[]): readonly string[] {
  const both = pairs.map((pair) =>
    BUILDS.map((build) => figuresOf(pair[build]).get(name) ?? 0),
  ) as [number, number][];
  const [other, own] = [0, 1].map((side) => spreadOf(both.map((each) => each[side] ?? 0)).median);
  const more = spreadOf(both.map(([before, after]) => after - before));
  const isShare = both.every(([before]) => before > 0);
  const share = spreadOf(isShare ? both.map(([before, after]) => after / before - 1) : []);
  return [
    name,
    figure(other ?? 0),
    figure(own ?? 0),
    figure(more.median),
    `${figure(more.low)} to ${figure(more.high)}`,
    isShare ? percent(share.median) : '',
    isShare ? `${percent(share.low)} to ${percent(share.high)}` : '',
  ];
}

/** What is compared of an account, by name. */
function figuresOf(account: Account): ReadonlyMap<string, number> {
  const { parts, load, counts } = account;
  const switches = parts.map((each) => each.voluntarySwitches + each.involuntarySwitches);
  return new Map<string, number>([
    ['CPU, ms', cpuMsOf(account)],
    ...parts.map(({ name, all }): [string, number] => [`CPU of ${name}, ms`, all]),
    ...(load === undefined
      ? []
      : ([
          ['p50, ms', load.p50Ms],
          ['p99, ms', load.p99Ms],
        ] as const)),
    ['context switches', switches.reduce((sum, each) => sum + each, 0)],
    ...counts,
  ]);
}

function figure(value: number): string {
  return Math.abs(value) < 10 ? value.toFixed(3) : shown(value);
}

/** A share with its sign. */
export function percent(share: number): string {
  return `${share < 0 ? '' : '+'}${(100 * share).toFixed(1)} %`;
}
