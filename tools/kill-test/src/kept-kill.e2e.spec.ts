import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { runKeptRotation } from './kept-rotation.js';

/** A few in `npm test`; a hundred thousand and twenty by `npm run test:kill:kept`. */
const ROWS = Number(process.env['TEST_KEPT_ROWS'] ?? 5_000);
const KILLS = Number(process.env['TEST_KILLS'] ?? 2);
const SEED = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');
const PER_SECOND = 50;
const PER_KILL_MS = 60_000;
const PER_ROW_MS = 10;
const STANDARD_ERROR = 2;

describe('kept details, while their wrapping key rotates and the vault is killed', () => {
  it(
    `are all there, and only what a killed process held is sent again (${ROWS} kept, ${KILLS} kills, TEST_SEED=${SEED})`,
    async () => {
      const say = (line: string): void => {
        writeSync(STANDARD_ERROR, `${line}\n`);
      };
      const result = await runKeptRotation({
        ...{ seed: SEED, rows: ROWS, kills: KILLS, perSecond: PER_SECOND },
        onProgress: say,
      });
      const { kills, ...figures } = result;
      say(JSON.stringify(figures));
      expect(result.violations).toEqual([]);
      expect(kills).toHaveLength(KILLS);
      expect(kills.some(({ left }) => left > 0)).toBe(true);
      expect(result.requests).toBeGreaterThan(PER_SECOND);
    },
    KILLS * PER_KILL_MS + ROWS * PER_ROW_MS,
  );
});
