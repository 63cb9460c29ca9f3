// `npm run test:mutation`: changes the code of a project in one place after the other, runs its specs
// against each change, and reports those that none of them noticed. The working folder is the project's.
import jestConfiguration from './tools/jest.config.mjs';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: ['src/**/*.ts', '!**/*.spec.ts', '!**/*-fixture.ts', '!**/index.ts'],
  // Texts are the compiler's affair where they decide something, and messages where they do not.
  mutator: { excludedMutations: ['StringLiteral'] },
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: {
    config: {
      ...jestConfiguration,
      // A rule has a spec that names it: what a drawn example happens to notice does not count.
      // Specs in `test` look at other folders, which a changed copy of the project does not have.
      testPathIgnorePatterns: ['\\.(?:int|property)\\.spec\\.ts$', '<rootDir>/test/'],
    },
    enableFindRelatedTests: false,
  },
  coverageAnalysis: 'perTest',
  // What runs only while a file is loaded would need every spec for each change.
  ignoreStatic: true,
  concurrency: 1,
  ignorePatterns: ['dist', 'test-results'],
  reporters: ['progress', 'clear-text', 'html', 'json'],
  htmlReporter: { fileName: 'test-results/mutation/index.html' },
  jsonReporter: { fileName: 'test-results/mutation/mutation.json' },
};
