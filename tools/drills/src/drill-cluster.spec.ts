import { describe, expect, it } from '@jest/globals';
import {
  PatientPrograms,
  ProgramFailed,
  type ScriptedAnswer,
  ScriptedPrograms,
} from '@sluice/kubectl';
import { DrillCluster, NotInTime } from './drill-cluster.js';

function pod(name: string, uid: string, ready = 'True'): object {
  return { metadata: { name, uid }, status: { conditions: [{ type: 'Ready', status: ready }] } };
}

function listed(begins: string, ...lists: readonly (readonly object[])[]): ScriptedAnswer {
  return { begins, gives: lists.map((items) => JSON.stringify({ items })) };
}

function scripted(...answers: readonly ScriptedAnswer[]): {
  readonly programs: ScriptedPrograms;
  readonly cluster: DrillCluster;
} {
  const programs = new ScriptedPrograms(answers, ['kubectl']);
  return { programs, cluster: new DrillCluster(programs) };
}

const PODS = 'kubectl -n sluice get pods --selector=app.kubernetes.io/name=vault';

describe('the cluster of a drill', () => {
  it('has pods that are ready or not, and not those about to end', async () => {
    const ending = { metadata: { name: 'vault-2', uid: 'c', deletionTimestamp: 'now' } };
    const { cluster } = scripted(
      listed(PODS, [pod('vault-0', 'a'), pod('vault-1', 'b', 'False'), ending]),
    );
    expect(await cluster.pods('vault')).toEqual([
      { name: 'vault-0', uid: 'a', isReady: true },
      { name: 'vault-1', uid: 'b', isReady: false },
    ]);
  });

  it('has a pod back when another one of its name is ready', async () => {
    const { programs, cluster } = scripted(
      listed(PODS, [pod('vault-0', 'a')], [pod('vault-0', 'z', 'False')], [pod('vault-0', 'z')]),
    );
    const gone = { name: 'vault-0', uid: 'a', isReady: true };
    await cluster.untilReplaced('vault', gone, 1, 60_000);
    expect(programs.calls).toHaveLength(3);
  });

  it('has noted when each ready pod started', async () => {
    const status = {
      startTime: '2026-11-21T20:00:01Z',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-11-21T20:00:08Z' }],
      containerStatuses: [{ state: { running: { startedAt: '2026-11-21T20:00:03Z' } } }],
    };
    const ready = { metadata: { name: 'vault-0', uid: 'a' }, status };
    const { cluster } = scripted(listed(PODS, [ready, pod('vault-1', 'b', 'False')]));
    const [start, ...others] = await cluster.podStarts('vault');
    expect(others).toEqual([]);
    expect(start?.uid).toBe('a');
    expect((start?.readyAtMs ?? 0) - (start?.podAtMs ?? 0)).toBe(7_000);
    expect((start?.readyAtMs ?? 0) - (start?.containerAtMs ?? 0)).toBe(5_000);
  });

  it('knows the memory of each service, where something measures it', async () => {
    const begins = 'kubectl get --raw /apis/metrics.k8s.io/v1beta1/namespaces/sluice/pods?';
    const containers = [{ usage: { memory: '81920Ki' } }, { usage: { memory: '1Mi' } }];
    const items = [{ metadata: { name: 'edge-0' }, containers }];
    const { cluster } = scripted({ begins, gives: [JSON.stringify({ items })] });
    expect(await cluster.serviceMemory()).toEqual([{ name: 'edge-0', bytes: 81 * 2 ** 20 }]);
    const without = scripted({ begins, fails: 'the server could not find the requested resource' });
    expect(await without.cluster.serviceMemory()).toEqual([]);
  });

  it('is rolled out when kubectl says so, or it is a fault', async () => {
    const begins = 'kubectl -n sluice rollout status deployment/payments --timeout=5000ms';
    const { cluster } = scripted({ begins, gives: ['successfully rolled out'] });
    await cluster.untilRolledOut('deployment/payments', 5_000);
    const late = scripted({ begins, fails: 'error: timed out waiting for the condition' });
    await expect(late.cluster.untilRolledOut('deployment/payments', 5_000)).rejects.toThrow(
      new NotInTime(
        'deployment/payments is not rolled out: error: timed out waiting for the condition',
      ),
    );
  });

  it('has images, which can be changed', async () => {
    const { programs, cluster } = scripted(
      { begins: 'kubectl -n sluice get statefulset/edge -o jsonpath=', gives: ['sluice:1\n'] },
      { begins: 'kubectl -n sluice set image', gives: [''] },
    );
    expect(await cluster.image('statefulset/edge')).toBe('sluice:1');
    await cluster.useImage('statefulset/edge', 'sluice:2');
    expect(programs.calls.at(-1)).toContain('set image statefulset/edge *=sluice:2');
  });

  it('tells what does not come back', async () => {
    const never = (): Promise<boolean> => Promise.resolve(false);
    const { programs, cluster } = scripted();
    await expect(cluster.until(0, 'vault is away', never)).rejects.toThrow(
      new NotInTime('vault is away after 0.0 s.'),
    );
    const stopped = new DrillCluster(programs, AbortSignal.abort());
    await expect(stopped.until(60_000, 'vault is away', never)).rejects.toThrow(
      new NotInTime('vault is away; the drill was stopped.'),
    );
  });

  it('says which workloads are not ready, jobs aside', async () => {
    const status = { observedGeneration: 1, updatedReplicas: 2, replicas: 2, readyReplicas: 1 };
    const { cluster } = scripted(
      listed('kubectl get deployments,statefulsets,jobs', [
        { kind: 'StatefulSet', metadata: { name: 'edge' }, spec: { replicas: 2 }, status },
        { kind: 'Job', metadata: { name: 'topics-1' }, spec: {} },
      ]),
    );
    expect(await cluster.unready()).toEqual(['edge: 1 of 2 ready']);
  });

  it('tells how far payments is scaled', async () => {
    const { cluster } = scripted(
      {
        begins: 'kubectl -n sluice get hpa/payments',
        gives: [JSON.stringify({ spec: { minReplicas: 1, maxReplicas: 3, metrics: [] } })],
      },
      listed('kubectl -n sluice get pods', [pod('payments-1', 'a'), pod('payments-2', 'b', 'No')]),
    );
    expect(await cluster.scale()).toEqual({ min: 1, max: 3, ready: 1, running: 2 });
  });

  it('lets the autoscaler aim at something else, and tells what it was', async () => {
    const metrics = [{ resource: { target: { averageValue: '350m' } } }];
    const { programs, cluster } = scripted(
      {
        begins: 'kubectl -n sluice get hpa/payments',
        gives: [JSON.stringify({ spec: { maxReplicas: 3, metrics } })],
      },
      { begins: 'kubectl -n sluice patch hpa/payments --type=json' },
    );
    expect(await cluster.aimAt('120m')).toBe('350m');
    expect(programs.calls.at(-1)).toContain('"value":"120m"');
  });

  it('gives the address of the database at a port of this machine', async () => {
    const sources = [{ secret: { name: 'operator-secrets-7h' } }, { secret: { name: 'other' } }];
    const template = { spec: { volumes: [{}, { projected: { sources } }] } };
    const address =
      'postgres://postgres:not-it@postgres.sluice.svc:5432/sluice?sslmode=verify-full\n';
    const data = { 'admin-database-url': Buffer.from(address).toString('base64') };
    const { cluster } = scripted(
      {
        begins: 'kubectl -n sluice get deployment/operator',
        gives: [JSON.stringify({ spec: { template } })],
      },
      {
        begins: 'kubectl -n sluice get secret/operator-secrets-7h',
        gives: [JSON.stringify({ data })],
      },
    );
    const database = { workload: 'postgres', address: 'admin-database-url' };
    expect(await cluster.databaseUrl(database, 4_711)).toBe(
      'postgres://postgres:not-it@127.0.0.1:4711/sluice?sslmode=no-verify',
    );
  });

  it('has a database for each cell of payments', async () => {
    const workloads = (...names: readonly string[]) =>
      scripted({
        begins: 'kubectl get deployments,statefulsets,jobs',
        gives: [JSON.stringify({ items: names.map((name) => ({ metadata: { name } })) })],
      }).cluster;
    const names = async (cluster: DrillCluster) =>
      (await cluster.databases()).map(({ workload }) => workload);
    expect(await names(workloads('edge', 'postgres'))).toEqual(['postgres']);
    expect(await names(workloads('postgres-2', 'postgres'))).toEqual(['postgres', 'postgres-2']);
  });

  it('asks again what changes nothing, and does once what changes something', async () => {
    const calls: string[] = [];
    const away = (file: string, words: readonly string[]): Promise<string> => {
      calls.push(words.slice(2, 4).join(' '));
      return Promise.reject(new ProgramFailed(file, words, 'connection refused'));
    };
    const patience = { say: () => undefined, pausesMs: [1] };
    const cluster = new DrillCluster(new PatientPrograms({ run: away }, patience));
    await expect(cluster.book()).rejects.toThrow(ProgramFailed);
    await expect(cluster.pods('vault')).rejects.toThrow(ProgramFailed);
    await expect(cluster.deletePod('vault-0')).rejects.toThrow(ProgramFailed);
    const asked = ['exec simulator-0', 'exec simulator-0', 'get pods', 'get pods'];
    expect(calls).toEqual([...asked, 'delete pod/vault-0']);
  });
});
