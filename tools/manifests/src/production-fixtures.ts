import { serviceNames, serviceRow } from '@sluice/contracts';
import { existsSync, readFileSync } from 'node:fs';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { at, isRecord, type KubernetesObject, listed } from './json-schema.js';
import type { Manifests, Workload } from './manifests.js';

/** Changes the manifests' own text, once: a fault that somebody may type. */
export type Edit = readonly [was: string, is: string];

const MANIFESTS = new URL('../../../k8s/', import.meta.url);
/** What production has in `k8s/base`. */
const WORKLOADS = [
  ...serviceNames.filter((name) => serviceRow(name).standsFor === undefined),
  ...['migrations', 'operator'],
];
const PRODUCTION = [
  ...['certificates', 'service-certificates', 'edge-autoscaler', 'ingress'],
  ...['kafka/cluster', 'kafka/keda-user', 'kafka/listener-peers', 'kafka/node-pools'],
  ...['kafka/operator-user', 'kafka/topics', 'kafka/users'],
  ...['postgres/backups', 'postgres/cluster', 'postgres/database'],
];
const BROKERS = { KAFKA_BROKERS: 'sluice-kafka-bootstrap.sluice.svc:9093' };
const PART_OF = { 'app.kubernetes.io/part-of': 'sluice' };
const MANAGEMENT = { name: 'management', containerPort: 9080 };

/**
 * The production overlay without kustomize, which a machine may lack: its files, those that they stand
 * upon, and what patches add that rules look at. Throws where an edit changes nothing.
 */
export function productionWith(...edits: readonly Edit[]): Manifests {
  const text = edits.reduce((whole, [was, is]) => {
    if (!whole.includes(was)) throw new Error(`No manifest has: ${was}`);
    return whole.replace(was, () => is);
  }, productionText());
  const documents = parseAllDocuments(text).map((document) => document.toJS() as unknown);
  const patches = documents.filter((one) => Array.isArray(one)).flatMap(listed);
  const objects = documents.filter((one): one is KubernetesObject => isRecord(one));
  return { overlay: 'production', objects: objects.map((one) => complete(one, patches)) };
}

/** Documents: objects, and lists of what is patched into the `Kafka`. */
function productionText(): string {
  const keda = parse(textOf('components/keda/kustomization.yaml')) as unknown;
  const ofKafka = listed(at(keda, 'patches')).filter(
    (one) => at(one, 'target', 'kind') === 'Kafka',
  );
  const base = WORKLOADS.flatMap((name) =>
    ['service', 'workload', 'job'].map((file) => `base/${name}/${file}.yaml`),
  );
  return [
    ...PRODUCTION.map((name) => textOf(`overlays/production/${name}.yaml`)),
    ...ofKafka.map((one) => String(at(one, 'patch'))),
    textOf('components/keda/scaled-object.yaml'),
    textOf('components/monitoring/pod-monitor.yaml'),
    ...base.filter((path) => existsSync(new URL(path, MANIFESTS))).map(textOf),
    ...WORKLOADS.map((name) => stringify(settingsOf(name))),
  ].join('\n---\n');
}

/** A file below k8s. */
export function textOf(path: string): string {
  return readFileSync(new URL(path, MANIFESTS), 'utf8');
}

/** What kustomize makes of a `settings.env`, with the brokers of production. */
function settingsOf(name: string): KubernetesObject {
  const lines = textOf(`base/${name}/settings.env`).split('\n');
  const pairs = lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split('='));
  const own = Object.fromEntries(pairs.map(([key = '', ...rest]) => [key, rest.join('=')]));
  const data = 'KAFKA_BROKERS' in own ? { ...own, ...BROKERS } : own;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-settings` }, data };
}

/** What patches add: who may reach the listener, and every pod's label and port of metrics. */
function complete(object: KubernetesObject, patches: readonly unknown[]): KubernetesObject {
  if (object.kind === 'Kafka') {
    const peers = patches
      .filter((one) => at(one, 'op') === 'add')
      .flatMap((one) => at(one, 'value'));
    const [listener] = listed(at(object['spec'], 'kafka', 'listeners'));
    if (peers.length > 0) Object.assign(listener as object, { networkPolicyPeers: peers });
  } else if (['Deployment', 'StatefulSet'].includes(object.kind)) {
    const { template } = (object as Workload).spec;
    Object.assign(template.metadata.labels, PART_OF);
    for (const container of template.spec.containers) {
      Object.assign(container, { ports: [...(container.ports ?? []), MANAGEMENT] });
    }
  }
  return object;
}
