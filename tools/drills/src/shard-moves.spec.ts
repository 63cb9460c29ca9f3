import { describe, expect, it } from '@jest/globals';
import { ProgramFailed } from '@sluice/kubectl';
import { NotInTime } from './drill-cluster.js';
import { type MovingCluster, moveThereAndBack, startOperator, wayOf } from './shard-moves.js';

const HALVES = [
  { cell: 1, carried: ['0000-7fff'] },
  { cell: 2, carried: ['8000-ffff'] },
];
const DATABASES = ['postgres', 'postgres-2'].map((workload) => ({ workload, address: '' }));

/** A cluster with so many databases, whose operator is ready or not. */
function clusterWith(databases: number, isReady = true) {
  const calls: string[] = [];
  const cluster: MovingCluster = {
    databases: () => Promise.resolve(DATABASES.slice(0, databases)),
    pods: () => Promise.resolve(calls.length === 0 ? [] : [{ name: 'o', uid: 'o', isReady }]),
    scaleOperator: (replicas) => {
      calls.push(`operator ${replicas}`);
      return Promise.resolve();
    },
    until: async (_withinMs, otherwise, isSo) => {
      if (!(await isSo())) throw new NotInTime(otherwise);
    },
    sluice: (words) => {
      calls.push(words.join(' '));
      return Promise.resolve(JSON.stringify({ cells: HALVES }));
    },
  };
  return { cluster, calls };
}

describe('the drill that moves shards', () => {
  it('moves them from the cell that has them to the other one and back', async () => {
    const { cluster, calls } = clusterWith(2);
    await moveThereAndBack({ cluster, note: () => undefined }, '8000-8fff');
    expect(calls).toEqual([
      '--json cells',
      'cells move --from 2 --to 1 --shards 8000-8fff --execute --reason drill',
      'cells move --from 1 --to 2 --shards 8000-8fff --execute --reason drill',
    ]);
  });

  it('is over when a move fails, and what was paid is compared', async () => {
    const { cluster } = clusterWith(2);
    const sluice = (words: readonly string[]) =>
      words.includes('move')
        ? Promise.reject(new ProgramFailed('kubectl', words, 'The database does not answer.'))
        : cluster.sluice(words);
    const moving = moveThereAndBack({ cluster: { sluice }, note: () => undefined }, '8000-8fff');
    await expect(moving).rejects.toThrow(NotInTime);
  });

  it('has an operator before payments begin, and none that was not there afterwards', async () => {
    const { cluster, calls } = clusterWith(2);
    const end = await startOperator(cluster);
    expect(calls).toEqual(['operator 1']);
    await end();
    expect(calls).toEqual(['operator 1', 'operator 0']);
  });

  it('leaves no operator that did not start', async () => {
    const { cluster, calls } = clusterWith(2, false);
    await expect(startOperator(cluster)).rejects.toThrow('The operator does not start');
    expect(calls).toEqual(['operator 1', 'operator 0']);
  });

  it('is for clusters with a second cell', async () => {
    const { cluster, calls } = clusterWith(1);
    await expect(startOperator(cluster)).rejects.toThrow('deploy:local -- --cells 2');
    expect(calls).toEqual([]);
  });

  it('needs a cell that carries all of them', () => {
    expect(wayOf(HALVES, '0000-0fff')).toEqual({ from: 1, to: 2 });
    expect(() => wayOf(HALVES, '7000-8fff')).toThrow('No cell carries all of 7000-8fff');
  });
});
