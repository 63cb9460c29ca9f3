import { isRecord, type KubernetesObject, nameOf } from '../json-schema.js';
import { containersOf, type Manifests, ofKind, type Workload, workloadsOf } from '../manifests.js';

/** Whatever a pod names is there, or somebody is known who makes it. */
export function namesAreThere(manifests: Manifests): readonly string[] {
  const has = (kind: string, name: string) =>
    manifests.objects.some((one) => one.kind === kind && one.metadata.name === name);
  const secrets = new Set([...secretsMade(manifests), ...secretsFromOutside(manifests)]);
  return workloadsOf(manifests).flatMap((workload) => {
    const { serviceAccountName = 'default', priorityClassName } = workload.spec.template.spec;
    return [
      ...(has('ServiceAccount', serviceAccountName) ? [] : [`account ${serviceAccountName}`]),
      ...(priorityClassName === undefined || has('PriorityClass', priorityClassName)
        ? []
        : [`priority ${priorityClassName}`]),
      ...configMapsOf(workload)
        .filter((name) => !has('ConfigMap', name))
        .map((name) => `ConfigMap ${name}`),
      ...secretsOf(workload)
        .filter((name) => !has('Secret', name) && !secrets.has(name))
        .map((name) => `secret ${name}`),
      ...volumesMissing(workload),
    ].map((text) => `${nameOf(workload)}: there is no ${text}`);
  });
}

/** Every ConfigMap that its pods name. */
export function configMapsOf(workload: Workload): readonly string[] {
  const fromVariables = containersOf(workload).flatMap(({ env = [], envFrom = [] }) => [
    ...envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? []),
    ...env.flatMap(({ valueFrom }) => valueFrom?.configMapKeyRef?.name ?? []),
  ]);
  const { volumes = [] } = workload.spec.template.spec;
  return [...fromVariables, ...volumes.flatMap(({ configMap }) => configMap?.name ?? [])];
}

/** Every secret that its pods mount. */
export function secretsOf(workload: Workload): readonly string[] {
  const { volumes = [] } = workload.spec.template.spec;
  return volumes.flatMap(({ secret, projected }) => [
    ...(secret === undefined ? [] : [secret.secretName]),
    ...(projected?.sources ?? []).flatMap((source) => source.secret?.name ?? []),
  ]);
}

function volumesMissing(workload: Workload): readonly string[] {
  const { volumes = [] } = workload.spec.template.spec;
  const claimed = workload.spec.volumeClaimTemplates ?? [];
  const names = [...volumes.map(({ name }) => name), ...claimed.map((one) => one.metadata.name)];
  return containersOf(workload).flatMap(({ volumeMounts = [] }) =>
    volumeMounts.filter(({ name }) => !names.includes(name)).map(({ name }) => `volume ${name}`),
  );
}

/** Secrets that operators make of what is declared here. */
function secretsMade(manifests: Manifests): readonly string[] {
  const field = (object: KubernetesObject, name: string) =>
    isRecord(object['spec']) ? object['spec'][name] : undefined;
  return [
    ...ofKind(manifests, 'Certificate').map((one) => String(field(one, 'secretName'))),
    ...ofKind(manifests, 'KafkaUser').map(({ metadata }) => `kafka-${metadata.name}`),
    ...ofKind(manifests, 'Kafka').map(({ metadata }) => `${metadata.name}-cluster-ca-cert`),
    ...ofKind(manifests, 'Cluster').map(({ metadata }) => `${metadata.name}-ca`),
  ];
}

/** In production an operator brings `<service>-secrets`; see the overlay's own words. */
export function secretsFromOutside(manifests: Manifests): readonly string[] {
  if (manifests.overlay === 'local') return [];
  return workloadsOf(manifests).map(({ metadata }) =>
    metadata.name.startsWith('migrations-') ? 'operator-secrets' : `${metadata.name}-secrets`,
  );
}

/** Services lead to ports that pods have. */
export function servicesLeadSomewhere(manifests: Manifests): readonly string[] {
  return ofKind(manifests, 'Service').flatMap((service) => {
    const spec = isRecord(service['spec']) ? service['spec'] : {};
    const selector = isRecord(spec['selector']) ? spec['selector'] : {};
    const ports = Array.isArray(spec['ports']) ? (spec['ports'] as unknown[]).filter(isRecord) : [];
    const pods = workloadsOf(manifests).filter(({ spec: { template } }) =>
      Object.entries(selector).every(([label, value]) => template.metadata.labels[label] === value),
    );
    const open = pods.flatMap(containersOf).flatMap(({ ports: own = [] }) => own);
    return ports
      .filter(({ targetPort }) => !open.some(({ name }) => name === targetPort))
      .map(({ targetPort }) => `${nameOf(service)}: no pod has a port ${String(targetPort)}`);
  });
}
