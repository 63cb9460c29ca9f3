import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { reportText } from './report.js';
import { runKillTest } from './run.js';

/** Five in `npm test`, all twenty-five by `npm run test:kill` (D-61). */
const KILLS = Number(process.env['TEST_KILLS'] ?? 5);
const ALL_KILLS = 25;
const SEED = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');
const PER_SECOND = 30;
const PER_KILL_MS = 20_000;
const START_AND_COMPARE_MS = 180_000;
const STANDARD_ERROR = 2;

describe('a sandbox that is killed under load', () => {
  it(
    `loses nothing and charges nothing twice (${KILLS} kills, TEST_SEED=${SEED} repeats them)`,
    async () => {
      const say = (line: string): void => {
        writeSync(STANDARD_ERROR, `${line}\n`);
      };
      const result = await runKillTest({
        seed: SEED,
        kills: KILLS,
        perSecond: PER_SECOND,
        onProgress: say,
      });
      say(reportText(result));
      expect(result.violations).toEqual([]);
      const approved = result.recorded.filter(({ outcome }) => outcome === 'approved');
      expect(approved.length).toBeGreaterThan(KILLS * 10);
      expect(result.storedCards).toBeGreaterThan(KILLS);
      expect(result.merchant.shoppers).toBeGreaterThan(KILLS);
      // Of what there was none, nothing was tried; a short run may have none of what is rare.
      const untried = Object.entries(result.load).filter(([, count]) => count === 0);
      if (KILLS >= ALL_KILLS) expect(untried).toEqual([]);
    },
    KILLS * PER_KILL_MS + START_AND_COMPARE_MS,
  );
});
