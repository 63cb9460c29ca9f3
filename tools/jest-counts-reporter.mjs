import process from 'node:process';
import { writeCounts } from './test-counts.mjs';

/** A jest reporter: writes the project's counts where `npm test` finds them. */
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
  }
}
