// `npm run test:kill`: the kill test with all its kills instead of the few of `npm test`.
// TEST_SEED=… repeats a run.
import process from 'node:process';

process.env['TEST_KILLS'] ??= '25';
process.argv.push('/kill.e2e');
await import('../../jest.mjs');
