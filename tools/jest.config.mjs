// One jest configuration for every project: ES modules, TypeScript through SWC, library sources
// resolved by our own export condition so that tests need no build.
export default {
  testMatch: ['<rootDir>/{src,test,simulator}/**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironmentOptions: {
    customExportConditions: ['sluice-source', 'node', 'node-addons'],
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: {
          target: 'es2023',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testTimeout: 20_000,
};
