import process from 'node:process';
import { setTimeout } from 'node:timers';
import { writeCounts } from './test-counts.mjs';

/** After the last test. What one of them has left open would keep the run, and all that waits for it, for ever. */
const ENDS_WITHIN_MS = 20_000;

/** A jest reporter: writes the project's counts where `npm test` finds them, and sees to it that the run ends. */
export default class CountsReporter {
  #folder;

  /** @param {{ rootDir: string }} globalConfig */
  constructor(globalConfig) {
    this.#folder = globalConfig.rootDir;
  }

  /**
   * @param {unknown} _contexts
   * @param {import('@jest/reporters').AggregatedResult} results
   */
  onRunComplete(_contexts, results) {
    writeCounts(this.#folder, process.env['npm_lifecycle_event'] ?? 'test', {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
      seconds: (Date.now() - results.startTime) / 1000,
    });
    // A debugger or a watching person keeps it running, and is there to end it.
    if (process.env['CI'] !== 'true') return;
    setTimeout(() => {
      process.stderr.write(
        `The tests have ended, and something that one of them has left open has not: ended after ${ENDS_WITHIN_MS / 1000} s.\n`,
      );
      process.exit(1);
    }, ENDS_WITHIN_MS).unref();
  }
}
