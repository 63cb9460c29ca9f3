import {
  accountedPairs,
  type AccountedPair,
  beside,
  moreOf,
  type PairedRun,
  percent,
} from './against.js';
import type { WarmUp } from './accounted.js';
import { builtCommit, lastRelease } from './commit-build.js';
import type { Profile } from './installation-under-test.js';
import { spreadOf } from './pairs.js';

/*
 * `npm run bench -- --cost`, a step of CI: a short comparison of the sandbox with the last release, and
 * of the cluster. It fails when a payment costs more than it may, twice in a row.
 */

const ATTEMPTS = 2;

/** What is compared, and by how much dearer a payment may be, as a share. */
export interface CostComparison {
  readonly profile: Profile;
  readonly limit: number;
  /** Of each build. */
  readonly run: PairedRun;
  /** Both at the same time. */
  readonly warmUp: WarmUp;
}

/**
 * Two clusters do not fit on two cores at the same time, so they pay in turn, and what else the machine
 * does hits one and not the other: pairs of the same code have differed by 17 % (page 0045), hence the
 * wide limit. They are warmed up at a rate that both can take together.
 */
export const comparisons: readonly CostComparison[] = [
  {
    ...{ profile: 'sandbox', limit: 0.1, warmUp: { rate: 300, seconds: 15 } },
    run: { rate: 150, seconds: 5, pairs: 10, isTogether: true },
  },
  {
    ...{ profile: 'cluster', limit: 0.25, warmUp: { rate: 60, seconds: 25 } },
    run: { rate: 300, seconds: 5, pairs: 5, isTogether: false },
  },
];

/** Whether a payment costs no more than it may, beside what it did. Throws CommitUnavailable. */
export async function isNoDearer(
  commit: string | undefined,
  say: (line: string) => void,
): Promise<boolean> {
  if (process.platform !== 'linux') {
    say('NOTHING WAS COMPARED: CPU is read from /proc, which only Linux has.');
    return true;
  }
  const release = commit === undefined ? lastRelease() : { commit, reason: commit };
  say(`Compared with ${release.reason}.`);
  const root = builtCommit(release.commit, say);
  let areWithin = true;
  // Also the second one if the first is beyond: whoever mends it wants to know of both.
  for (const comparison of comparisons) {
    areWithin = (await compare(comparison, root, say)) && areWithin;
  }
  return areWithin;
}

async function compare(
  comparison: CostComparison,
  root: string,
  say: (line: string) => void,
): Promise<boolean> {
  const { profile, run, warmUp } = comparison;
  let isWithin = false;
  await beside({ profile, root, hasCounts: false }, say, async (sides) => {
    say(`Warm-up, ${warmUp.seconds} s …`);
    await Promise.all([sides.other.warmUp(warmUp), sides.this.warmUp(warmUp)]);
    isWithin = await isWithinLimit(comparison, () => accountedPairs({ sides }, run, say), say);
  });
  return isWithin;
}

/** Whether one of so many looks says that a payment costs no more than it may. */
export async function isWithinLimit(
  { profile, limit }: Pick<CostComparison, 'profile' | 'limit'>,
  look: () => Promise<readonly AccountedPair[]>,
  say: (line: string) => void,
): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { median, low, high } = spreadOf((await look()).map(moreOf));
    const isWithin = median <= limit;
    say(
      `CPU of a payment, ${profile}: ${percent(median)} (${percent(low)} to ${percent(high)}), ` +
        `${isWithin ? 'within' : 'beyond'} the limit of ${percent(limit)}; attempt ${attempt} of ${ATTEMPTS}.`,
    );
    if (isWithin) return true;
  }
  return false;
}
