import {
  isPublic,
  isSpokenTo,
  networkPorts,
  type ServiceName,
  serviceRow,
} from '@sluice/contracts';
import { settingsFile } from './settings-file.js';
import { GENERATED, linesOf, metadataOf, when } from './text.js';
import { HTTP_PORT, headlessName, workloadFile } from './workload.js';

/** The files of a service's folder in `k8s/base`, by name. */
export function baseFolder(name: ServiceName): Readonly<Record<string, string>> {
  return {
    ...(hasBudget(name) ? { 'disruption-budget.yaml': disruptionBudgetFile(name) } : {}),
    'kustomization.yaml': kustomizationFile(name),
    'service-account.yaml': serviceAccountFile(name),
    ...(isSpokenTo(name) ? { 'service.yaml': serviceFile(name) } : {}),
    'settings.env': settingsFile(name),
    'workload.yaml': workloadFile(name),
  };
}

/** Who stands for an outsider may be away while a node is drained. */
function hasBudget(name: ServiceName): boolean {
  return serviceRow(name).standsFor === undefined;
}

function kustomizationFile(name: ServiceName): string {
  const { autoscaled, hasPriority, standsFor } = serviceRow(name);
  const resources = [
    // These two are written by hand.
    ...when(autoscaled === 'everywhere', 'autoscaler.yaml'),
    ...when(hasPriority === true, 'priority-class.yaml'),
    ...when(hasBudget(name), 'disruption-budget.yaml'),
    'service-account.yaml',
    ...when(isSpokenTo(name), 'service.yaml'),
    'workload.yaml',
  ];
  return linesOf(
    GENERATED,
    'apiVersion: kustomize.config.k8s.io/v1beta1',
    'kind: Kustomization',
    'resources:',
    resources.sort().map((file) => `  - ${file}`),
    '# The name ends in a hash of the content, so that a changed setting rolls out.',
    'configMapGenerator:',
    `  - name: ${name}-settings`,
    '    envs: [settings.env]',
    // The base gives it to those that are in every installation.
    when(standsFor !== undefined, 'components:', '  - ../../components/service-pod'),
  );
}

function serviceAccountFile(name: ServiceName): string {
  return linesOf(
    GENERATED,
    'apiVersion: v1',
    'kind: ServiceAccount',
    metadataOf(name),
    'automountServiceAccountToken: false',
  );
}

function disruptionBudgetFile(name: ServiceName): string {
  return linesOf(
    GENERATED,
    'apiVersion: policy/v1',
    'kind: PodDisruptionBudget',
    metadataOf(name),
    'spec:',
    '  # Never minAvailable: with one instance it would stop every drain of a node.',
    '  maxUnavailable: 1',
    '  selector:',
    '    matchLabels:',
    `      app.kubernetes.io/name: ${name}`,
  );
}

function serviceFile(name: ServiceName): string {
  const { routes, standsFor, instances } = serviceRow(name);
  const isNumbered = instances === 'numbered';
  const ports = [
    ...(isPublic(name) ? portOf('http', 80) : []),
    ...(standsFor === undefined ? [] : portOf('http', networkPorts.simulator)),
    ...(routes === undefined ? [] : portOf('internal', networkPorts.internal)),
  ];
  const headless = [
    '  clusterIP: None',
    '  # Callers go to one instance by its number and learn by themselves whether it answers.',
    '  publishNotReadyAddresses: true',
  ];
  const instancesService = [
    '---',
    '# Names for the instances; nobody calls them.',
    ...serviceLines(name, headlessName(name), ['  clusterIP: None'], portOf('http', HTTP_PORT)),
  ];
  return linesOf(
    GENERATED,
    serviceLines(name, name, isNumbered && headlessName(name) === name ? headless : [], ports),
    isNumbered && headlessName(name) !== name ? instancesService : [],
  );
}

function serviceLines(
  service: ServiceName,
  name: string,
  how: readonly string[],
  ports: readonly string[],
): readonly string[] {
  return [
    'apiVersion: v1',
    'kind: Service',
    ...metadataOf(service, name),
    'spec:',
    ...how,
    '  selector:',
    `    app.kubernetes.io/name: ${service}`,
    '  ports:',
    ...ports,
  ];
}

function portOf(name: 'http' | 'internal', port: number): readonly string[] {
  return [`    - name: ${name}`, `      port: ${port}`, `      targetPort: ${name}`];
}
