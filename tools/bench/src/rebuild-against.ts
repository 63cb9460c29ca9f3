import { builtCommit } from './commit-build.js';
import { startUnderTest } from './installation-under-test.js';
import { offer } from './ladder.js';
import { orderOf } from './pairs.js';
import { RebuildBench, type StoreRebuildFigures } from './rebuild.js';
import { type Build, buildLines, type BuildPair } from './two-builds.js';

/*
 * `npm run bench -- --rebuild --against <commit>`: the operator's command of two builds makes the same
 * rows of the same store in turn, other, this, this, other, …
 */

/** What is compared, and how often. */
export interface RebuildAgainstWish {
  readonly commit: string;
  readonly pairs: number;
}

type RebuiltPair = Readonly<Record<Build, StoreRebuildFigures>>;

/** Makes a history in a sandbox, and rebuilds from its store. */
export async function rebuildAgainst(
  { commit, pairs: count }: RebuildAgainstWish,
  warmUp: { readonly rate: number; readonly seconds: number },
  say: (line: string) => void,
): Promise<void> {
  const root = builtCommit(commit, say);
  say('sandbox: payments for a history …');
  const installation = await startUnderTest('sandbox', {
    arguments: ['--log-level', 'warn', '--throttle', '0', '--throttle-reads', '0'],
  });
  try {
    await offer(installation, warmUp.rate, warmUp.seconds);
    const bench = await RebuildBench.of(installation);
    await bench.lengthen(say);
    const pairs: RebuiltPair[] = [];
    for (let number = 0; number < count; number += 1) {
      const pair: Partial<Record<Build, StoreRebuildFigures>> = {};
      for (const build of orderOf<Build>(number, ['other', 'this'])) {
        pair[build] = await bench.fromStore(build === 'other' ? root : undefined);
      }
      pairs.push(pair as RebuiltPair);
    }
    await bench.close();
    for (const line of rebuiltLines(pairs)) say(line);
  } finally {
    await installation.stop();
  }
}

/** Rates and CPU of both builds. */
export function rebuiltLines(pairs: readonly RebuiltPair[]): readonly string[] {
  const of = (figure: (rebuilt: StoreRebuildFigures) => number): readonly BuildPair[] =>
    pairs.map((pair) => ({ other: figure(pair.other), this: figure(pair.this) }));
  return buildLines(`a rebuild of ${String(pairs[0]?.this.events ?? 0)} events from the store`, [
    ['events per CPU-second', of(({ events, cpuSeconds }) => events / cpuSeconds)],
    ['CPU of Node, s', of(({ parts }) => parts.node)],
    ['CPU of PostgreSQL, s', of(({ parts }) => parts.postgres)],
    ['seconds', of(({ seconds }) => seconds)],
  ]);
}
