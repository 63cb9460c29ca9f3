import { describe, expect, it } from '@jest/globals';
import { ScriptedPrograms } from '@sluice/kubectl';
import { DrillCluster } from './drill-cluster.js';
import { measureStarts, STARTED, startLines } from './starts.js';

const GIGABYTE = 1_000_000_000;

function pods(uid: string, readyAt: string): string {
  const status = {
    startTime: '2026-11-21T20:00:00Z',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: readyAt }],
    containerStatuses: [{ state: { running: { startedAt: '2026-11-21T20:00:02Z' } } }],
  };
  return JSON.stringify({ items: [{ metadata: { name: 'one', uid }, status }] });
}

/** Every service has one pod that comes back; `late` takes 11 s for it. */
function clusterWith(bytes: number | undefined, late?: string): DrillCluster {
  const items = [{ metadata: { name: 'one' }, containers: [{ usage: { memory: `${bytes}` } }] }];
  const metrics = { begins: 'kubectl get --raw /apis/metrics' };
  const services = STARTED.map((service) => {
    const begins = `kubectl -n sluice get pods --selector=app.kubernetes.io/name=${service} `;
    const readyAt = `2026-11-21T20:00:${service === late ? '11' : '06'}Z`;
    return { begins, gives: [pods('old', readyAt), pods('new', readyAt)] };
  });
  const programs = new ScriptedPrograms(
    [
      ...services,
      { begins: 'kubectl -n sluice delete pod/one' },
      bytes === undefined
        ? { ...metrics, fails: 'not found' }
        : { ...metrics, gives: [JSON.stringify({ items })] },
    ],
    ['kubectl'],
  );
  return new DrillCluster(programs);
}

const quiet = (): void => undefined;

describe('services that start anew one at a time', () => {
  it('are passed when each is ready in time and all fit', async () => {
    const figures = await measureStarts(clusterWith(GIGABYTE), quiet, 0);
    expect(figures.faults).toEqual([]);
    expect(figures.starts.map(({ service }) => service)).toEqual(STARTED);
    const text = startLines(figures).join('\n');
    expect(text).toContain('| vault | 6 s | 4 s |');
    expect(text).toContain('1 pods of services had 1000 MB in memory together');
    expect(text).toContain('starts: passed.');
  });

  it('are not when one takes longer, or they need more memory', async () => {
    const figures = await measureStarts(clusterWith(2 * GIGABYTE + 1, 'edge'), quiet, 0);
    expect(figures.faults).toEqual([
      'edge was not ready within 10 s.',
      'The services use more than 2000 MB.',
    ]);
  });

  it('are not when nothing measures their memory', async () => {
    const { faults } = await measureStarts(clusterWith(undefined), quiet, 0);
    expect(faults).toEqual(['How much memory is used is not known: no metrics-server?']);
  });
});
