import { type AccountedPair, accountedPairs, beside, moreOf, percent } from './against.js';
import { builtCommit, lastRelease } from './commit-build.js';
import { spreadOf } from './pairs.js';

/*
 * `npm run bench -- --cost`, a step of CI: a short comparison of the sandbox with the last release.
 * It fails when a payment costs a tenth more, twice in a row.
 */

const LIMIT = 0.1;
const ATTEMPTS = 2;
/** Of each build; both pay at the same time. */
const RUN = { rate: 150, seconds: 5, pairs: 10, isTogether: true };
const WARM_UP = { rate: 300, seconds: 15 };

/** Whether a payment costs less than a tenth more than it did. Throws CommitUnavailable. */
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
  let isWithin = false;
  await beside({ profile: 'sandbox', root, hasCounts: false }, say, async (sides) => {
    say(`Warm-up, ${WARM_UP.seconds} s …`);
    await Promise.all([sides.other.warmUp(WARM_UP), sides.this.warmUp(WARM_UP)]);
    isWithin = await isWithinLimit(() => accountedPairs({ sides }, RUN, say), say);
  });
  return isWithin;
}

/** Whether one of so many looks says that a payment costs no more than it may. */
export async function isWithinLimit(
  look: () => Promise<readonly AccountedPair[]>,
  say: (line: string) => void,
): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { median, low, high } = spreadOf((await look()).map(moreOf));
    const isWithin = median <= LIMIT;
    say(
      `CPU of a payment: ${percent(median)} (${percent(low)} to ${percent(high)}), ` +
        `${isWithin ? 'within' : 'beyond'} the limit of ${percent(LIMIT)}; attempt ${attempt} of ${ATTEMPTS}.`,
    );
    if (isWithin) return true;
  }
  return false;
}
