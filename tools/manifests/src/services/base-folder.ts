import { readFileSync } from 'node:fs';
import {
  isPublic,
  isSpokenTo,
  networkPorts,
  type ServiceName,
  serviceRow,
  type TestPort,
  workloadOfCell,
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

const BASE = new URL('../../../../k8s/base/', import.meta.url);

/**
 * The same of a cell of payments beside the first one, in the component that adds it. It has the
 * settings of the first one, which its container names; what is its own is in its environment and
 * its secrets.
 */
export function cellFolder(name: ServiceName, cell: number): Readonly<Record<string, string>> {
  const own = workloadOfCell(name, cell);
  const isScaled = serviceRow(name).autoscaled === 'everywhere';
  const files = {
    ...(isScaled ? { 'autoscaler.yaml': scalerOf(name, own) } : {}),
    'disruption-budget.yaml': disruptionBudgetFile(own),
    'service-account.yaml': serviceAccountFile(own),
    ...(isSpokenTo(name) ? { 'service.yaml': serviceFile(name, own) } : {}),
    'workload.yaml': workloadFile(name, cell),
  };
  return { ...files, 'kustomization.yaml': cellKustomizationFile(Object.keys(files)) };
}

/** That of the base is written by hand. */
function scalerOf(name: ServiceName, own: string): string {
  const text = readFileSync(new URL(`${name}/autoscaler.yaml`, BASE), 'utf8');
  return text
    .replace(/^(?:#.*\n)*/, `${GENERATED}\n`)
    .split('\n')
    .map((line) =>
      line.endsWith(`name: ${name}`) ? line.replace(`name: ${name}`, `name: ${own}`) : line,
    )
    .join('\n');
}

function cellKustomizationFile(files: readonly string[]): string {
  return linesOf(
    GENERATED,
    'apiVersion: kustomize.config.k8s.io/v1beta1',
    'kind: Kustomization',
    'resources:',
    [...files].sort().map((file) => `  - ${file}`),
    'components:',
    '  - ../../service-pod',
  );
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

function serviceAccountFile(workload: string): string {
  return linesOf(
    GENERATED,
    'apiVersion: v1',
    'kind: ServiceAccount',
    metadataOf(workload),
    'automountServiceAccountToken: false',
  );
}

function disruptionBudgetFile(workload: string): string {
  return linesOf(
    GENERATED,
    'apiVersion: policy/v1',
    'kind: PodDisruptionBudget',
    metadataOf(workload),
    'spec:',
    '  # Never minAvailable: with one instance it would stop every drain of a node.',
    '  maxUnavailable: 1',
    '  selector:',
    '    matchLabels:',
    `      app.kubernetes.io/name: ${workload}`,
  );
}

function serviceFile(name: ServiceName, own: string = name): string {
  const { routes, standsFor, instances, testPort } = serviceRow(name);
  const isNumbered = instances === 'numbered';
  const ports = [
    ...(isPublic(name) ? portOf('http', 80) : []),
    ...(standsFor === undefined ? [] : portOf('http', networkPorts.simulator)),
    ...(routes === undefined ? [] : portOf('internal', networkPorts.internal)),
    ...(testPort === undefined ? [] : portOf(testPort.name, networkPorts[testPort.name])),
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
    serviceLines(own, own, isNumbered && headlessName(name) === name ? headless : [], ports),
    isNumbered && headlessName(name) !== name ? instancesService : [],
  );
}

function serviceLines(
  service: string,
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

function portOf(name: 'http' | 'internal' | TestPort, port: number): readonly string[] {
  return [`    - name: ${name}`, `      port: ${port}`, `      targetPort: ${name}`];
}
