import { describe, expect, it } from '@jest/globals';
import { KubernetesCluster } from './cluster.js';
import { type ScriptedAnswer, ScriptedPrograms } from './scripted-programs.js';

function clusterOf(answers: readonly ScriptedAnswer[], there = ['kubectl']): KubernetesCluster {
  return new KubernetesCluster(new ScriptedPrograms(answers, there));
}

function nodes(...images: readonly (readonly string[])[]): ScriptedAnswer {
  const items = images.map((names) => ({
    status: {
      addresses: [
        { type: 'Hostname', address: 'node' },
        { type: 'InternalIP', address: '10.0.0.2' },
      ],
      images: [{ names }],
    },
  }));
  return { begins: 'kubectl get nodes', gives: [JSON.stringify({ items })] };
}

describe('the cluster, asked through kubectl', () => {
  it('is that of the context', async () => {
    const cluster = clusterOf([
      { begins: 'kubectl config current-context', gives: ['kind-sluice\n'] },
      { begins: 'kubectl get --raw /readyz', gives: ['ok'] },
    ]);
    expect(await cluster.context()).toBe('kind-sluice');
  });

  it('says what to do where there is none', async () => {
    await expect(clusterOf([], []).context()).rejects.toThrow('kubectl is not on this machine');
    const away = clusterOf([{ begins: 'kubectl config', fails: 'current-context is not set' }]);
    await expect(away.context()).rejects.toThrow(
      /^No cluster answers\. Start one.*kubectl says: current-context is not set$/s,
    );
  });

  it('has an image when all of its nodes have', async () => {
    const name = 'localhost/sluice:1';
    expect(await clusterOf([nodes([name])]).hasImage(name)).toBe(true);
    expect(await clusterOf([nodes([name], ['other'])]).hasImage(name)).toBe(false);
  });

  it('shows the secret that a workload mounts', async () => {
    const volumes = [{ name: 'tmp' }, { name: 'secrets', secret: { secretName: 'of-postgres-1' } }];
    const cluster = clusterOf([
      {
        begins: 'kubectl get statefulset/postgres -n sluice --ignore-not-found',
        gives: [JSON.stringify({ spec: { template: { spec: { volumes } } } })],
      },
      {
        begins: 'kubectl get secret/of-postgres-1 -n sluice --ignore-not-found',
        gives: [JSON.stringify({ data: { password: 'cGFzcw==' } })],
      },
      { begins: 'kubectl get statefulset/kafka -n sluice --ignore-not-found' },
    ]);
    expect(await cluster.mountedSecret('statefulset/postgres', 'secrets')).toEqual({
      password: 'cGFzcw==',
    });
    expect(await cluster.mountedSecret('statefulset/postgres', 'tmp')).toBeUndefined();
    expect(await cluster.mountedSecret('statefulset/kafka', 'secrets')).toBeUndefined();
  });

  it('tells where the edge can be met', async () => {
    const ports = [{ name: 'http', nodePort: 30_080 }];
    const service = {
      begins: 'kubectl get service/edge',
      gives: [JSON.stringify({ spec: { ports } })],
    };
    expect(await clusterOf([service, nodes([])]).edgeAddresses()).toEqual([
      'http://10.0.0.2:30080',
    ]);
  });

  it('has no address of its own where the Service has no port on nodes', async () => {
    const spec = { ports: [{ name: 'http' }] };
    const service = { begins: 'kubectl get service/edge', gives: [JSON.stringify({ spec })] };
    expect(await clusterOf([service]).edgeAddresses()).toEqual([]);
  });
});
