import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { clusterReportText } from './cluster-report.js';
import { runClusterKillTest } from './cluster-run.js';
import { CLUSTER_TARGETS } from './cluster-targets.js';

/** Three of each in CI, all twenty-five by `npm run test:kill:cluster` (D-61). */
const KILLS = Number(process.env['TEST_CLUSTER_KILLS'] ?? 3);
const SEED = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');
/** With two, two ranges of shards move between them meanwhile. */
const CELLS = Number(process.env['TEST_CELLS'] ?? 1);
const PER_SECOND = 30;
const PER_KILL_MS = 30_000;
const START_AND_COMPARE_MS = 300_000;
const STANDARD_ERROR = 2;

describe('a cluster whose parts are killed under load', () => {
  it(
    `loses nothing and doubles nothing (${KILLS} of each, TEST_SEED=${SEED} repeats them, TEST_CELLS=${CELLS})`,
    async () => {
      const say = (line: string): void => {
        writeSync(STANDARD_ERROR, `${line}\n`);
      };
      const result = await runClusterKillTest({
        seed: SEED,
        killsOfEach: KILLS,
        perSecond: PER_SECOND,
        cells: CELLS,
        onProgress: say,
      });
      say(clusterReportText(result));
      expect(result.violations).toEqual([]);
      expect(result.recoveries).toHaveLength(KILLS * CLUSTER_TARGETS.length);
      const idleRanges = Object.entries(result.moves.byRange).filter(([, count]) => count === 0);
      if (CELLS > 1) expect(idleRanges).toEqual([]);
      // Of what there was none, nothing was tried.
      expect(Object.entries(result.load).filter(([, count]) => count === 0)).toEqual([]);
      expect(result.approved).toBeGreaterThan(KILLS * CLUSTER_TARGETS.length * 5);
      // Otherwise nothing was said of them: who never comes to the page has nothing to disagree with.
      expect(result.shoppers).toBeGreaterThan(KILLS * CLUSTER_TARGETS.length);
    },
    KILLS * CLUSTER_TARGETS.length * PER_KILL_MS + START_AND_COMPARE_MS,
  );
});
