// `npm run test:kill:cluster`: every part of the cluster 25 times instead of the 3 of `npm test`, and
// the disturbances for longer and by the letter.
// TEST_SEED=… repeats a run.
import process from 'node:process';

process.env['TEST_CLUSTER_KILLS'] ??= '25';
process.env['TEST_DISTURBANCE_MS'] ??= '20000';
process.env['TEST_P99_ALLOWED_MS'] ??= '0';
process.argv.push('cluster-kill.e2e', 'cluster-disturbances.e2e');
await import('../../jest.mjs');
