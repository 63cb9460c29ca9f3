// One jest configuration for every project: ES modules, TypeScript through SWC, library sources
// resolved by our own export condition so that tests need no build.
import { fileURLToPath } from 'node:url';
import { swcOptions } from './swc-options.mjs';

export default {
  testMatch: ['<rootDir>/{src,test}/**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironmentOptions: {
    customExportConditions: ['sluice-source', 'node', 'node-addons'],
  },
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swcOptions(), sourceMaps: 'inline' }] },
  reporters: ['default', fileURLToPath(new URL('./jest-counts-reporter.mjs', import.meta.url))],
  // For what hangs, not for what is slow: machines that run CI may be five times slower than a quiet one.
  testTimeout: 60_000,
};
