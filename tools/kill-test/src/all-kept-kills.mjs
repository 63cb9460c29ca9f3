// `npm run test:kill:kept`: kept details under rotation with all its rows and kills instead of the few
// of `npm test`. TEST_SEED=… repeats a run.
import process from 'node:process';

process.env['TEST_KEPT_ROWS'] ??= '100000';
process.env['TEST_KILLS'] ??= '20';
process.argv.push('kept-kill.e2e');
await import('../../jest.mjs');
