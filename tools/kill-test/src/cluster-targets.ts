import { localName, serviceNames } from '@sluice/contracts';
import { type ClusterProcess, isAlive, postmasterOf, type SeededRandom } from '@sluice/testing';
import { after } from './times.js';

/**
 * What is killed in the cluster: every service of the table, and what all of them stand on. Where
 * another instance runs, it must be able to go on; where there is none, because the service may run
 * once alone, the one that is started again must find what the other has left.
 */
export const CLUSTER_TARGETS = [
  ...serviceNames.map((service) => localName(service)),
  ...(['broker', 'postgres'] as const),
];

/** One of them. */
export type ClusterTarget = (typeof CLUSTER_TARGETS)[number];

/** Every target `times` times, in an order that the seed decides. */
export function targetOrder(random: SeededRandom, times: number): readonly ClusterTarget[] {
  const draws = random.fork('targets');
  return Array.from({ length: times }, () => CLUSTER_TARGETS)
    .flat()
    .map((target) => ({ target, place: draws.fraction() }))
    .sort((one, other) => one.place - other.place)
    .map(({ target }) => target);
}

const POLL_INTERVAL_MS = 10;

/**
 * Ends one process and waits until it is gone, as `kill -9` does; a broker is told to end every other time, because a restart
 * is what happens to brokers, and PostgreSQL as by `pg_ctl stop -m immediate`. Whoever keeps the
 * process starts it again.
 */
export async function killTarget(
  cluster: ClusterProcess,
  dataFolder: string,
  target: ClusterTarget,
  random: SeededRandom,
): Promise<void> {
  const pid = await pidOf(cluster, dataFolder, target, random);
  process.kill(pid, signalFor(target, random));
  while (isAlive(pid)) await after(POLL_INTERVAL_MS, () => Promise.resolve());
}

async function pidOf(
  cluster: ClusterProcess,
  dataFolder: string,
  target: ClusterTarget,
  random: SeededRandom,
): Promise<number> {
  if (target === 'postgres') {
    const postmaster = await postmasterOf(dataFolder);
    if (postmaster === undefined) throw new Error('PostgreSQL was down before it was killed');
    return postmaster.pid;
  }
  const members = await cluster.members(target === 'broker' ? 'kafka' : target);
  if (members.length === 0) throw new Error(`${target} was down before it was killed`);
  return random.pick(members).pid;
}

function signalFor(target: ClusterTarget, random: SeededRandom): NodeJS.Signals {
  if (target === 'postgres') return 'SIGQUIT';
  return target === 'broker' && random.chance(0.5) ? 'SIGTERM' : 'SIGKILL';
}
