// The counts that a project's tests leave behind for the closing line of `npm test`. They lie in
// the project's `test-results`, which is an output of the Nx target, so that a run answered from
// the cache has them too.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @typedef {object} TestCounts
 * @property {number} passed tests
 * @property {number} failed tests, and spec files that could not run
 * @property {number} skipped tests that were skipped or are still to be written
 * @property {number} seconds
 */

/** @param {string} folder the project's @param {string} script `test` or `test:kill` */
function countsFile(folder, script) {
  return join(folder, 'test-results', `${script.replaceAll(':', '-')}.json`);
}

/** @returns {void} */
export function writeCounts(
  /** @type {string} */ folder,
  /** @type {string} */ script,
  /** @type {TestCounts} */ counts,
) {
  const file = countsFile(folder, script);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(counts));
}

/** @returns {TestCounts | undefined} undefined when no run has ended there */
export function readCounts(/** @type {string} */ folder, /** @type {string} */ script) {
  try {
    return JSON.parse(readFileSync(countsFile(folder, script), 'utf8'));
  } catch {
    return undefined;
  }
}

/** So that a run which dies leaves no counts of an earlier one. @returns {void} */
export function forgetCounts(/** @type {string} */ folder, /** @type {string} */ script) {
  rmSync(countsFile(folder, script), { force: true });
}
