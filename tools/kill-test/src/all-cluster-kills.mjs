// `npm run test:kill:cluster`: kills every part of the cluster 25 times and disturbs it, by the letter.
// TEST_CLUSTER_KILLS=3, as CI has it, is the short run: fewer kills, shorter disturbances.
// TEST_SEED=… repeats a run.
import process from 'node:process';

if (process.env['TEST_CLUSTER_KILLS'] === undefined) {
  process.env['TEST_CLUSTER_KILLS'] = '25';
  process.env['TEST_DISTURBANCE_MS'] ??= '20000';
  process.env['TEST_P99_ALLOWED_MS'] ??= '0';
}
process.argv.push('cluster-kill.e2e', 'cluster-disturbances.e2e');
await import('../../jest.mjs');
