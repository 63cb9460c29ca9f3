import { networkFlows } from '@sluice/contracts';
import { readFileSync } from 'node:fs';
import type { KubernetesObject } from './json-schema.js';
import type { Manifests } from './manifests.js';
import { object, overlayWith, paymentsSettings } from './manifests-fixtures.js';
import { networkPolicies, topicsPoliciesFile } from './network-policies.js';
import { objectsIn } from './rendered-overlay.js';

/** A file of `k8s/`. */
export function textOf(path: string): string {
  return readFileSync(new URL(`../../../k8s/${path}`, import.meta.url), 'utf8');
}

/** The labels of a workload's pods, as a selector. */
export const pods = (name: string) => ({ matchLabels: { 'app.kubernetes.io/name': name } });

/** A network policy. */
export function policy(name: string, spec: object): KubernetesObject {
  return object('NetworkPolicy', name, { spec });
}

const policies = (): KubernetesObject[] => [
  ...objectsIn(
    ['default', 'public', 'receivers', 'scorers', 'wallets']
      .map((name) => textOf(`components/network-policies/${name}.yaml`))
      .join('---\n'),
  ),
  ...(networkPolicies(
    networkFlows.filter(
      ({ from, to }) => from !== 'topics' && from !== 'simulator' && to !== 'simulator',
    ),
  ) as unknown as KubernetesObject[]),
  ...objectsIn(textOf('components/keda/network-policy.yaml')),
];

/** Changes the text of a policy, which is YAML. */
export type Change = (policies: KubernetesObject[]) => KubernetesObject[];

/** The local overlay's policies: nobody but the Ingress and KEDA differ. */
export function localNetwork(change: Change): Manifests {
  const own = [
    ...policies().filter(({ metadata }) => metadata.name !== 'keda'),
    ...objectsIn(topicsPoliciesFile()),
    object('Job', 'topics-TAG'),
  ];
  return overlayWith(change(own), paymentsSettings, 'local');
}

/** Production's policies, where a patch lets nobody but the Ingress in, with those of what operators make. */
export function productionNetwork(
  acquirers = textOf('overlays/production/acquirers.yaml'),
  engines = textOf('overlays/production/engine-policies.yaml'),
): Manifests {
  const patches = objectsIn(textOf('overlays/production/public.yaml'));
  const patched = policies().map((one) => {
    const patch = patches.find(({ metadata }) => metadata.name === one.metadata.name);
    const spec = { ...(one['spec'] as object), ...(patch?.['spec'] as object | undefined) };
    return { ...one, spec };
  });
  const operated = [object('Kafka', 'sluice'), object('Cluster', 'postgres')];
  return overlayWith([...patched, ...operated, ...objectsIn(acquirers), ...objectsIn(engines)]);
}

/** Acquirers with another first address. */
export const acquirersAt = (cidr: string) =>
  textOf('overlays/production/acquirers.yaml').replace('192.0.2.10/32', cidr);

/** Operators' pods with another first address of the API server. */
export const apiServerAt = (cidr: string) =>
  textOf('overlays/production/engine-policies.yaml').replaceAll('192.0.2.20/32', cidr);

/** A policy changed where it says something. */
export function changed(name: string, from: string, to: string): Change {
  return (all) =>
    all.map((one) =>
      one.metadata.name === name
        ? (JSON.parse(JSON.stringify(one).replace(from, to)) as KubernetesObject)
        : one,
    );
}
