// `npm run test:kill:cluster`: every part of the cluster 25 times instead of the 3 of `npm test`.
// TEST_SEED=… repeats a run.
import process from 'node:process';

process.env['TEST_CLUSTER_KILLS'] ??= '25';
process.argv.push('cluster-kill.e2e');
await import('../../jest.mjs');
