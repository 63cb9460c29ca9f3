import { nameOf } from '../json-schema.js';
import {
  componentOf,
  type Container,
  containersOf,
  type Manifests,
  type Workload,
  workloadsOf,
} from '../manifests.js';

const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'];
/** These end by themselves, or a person is inside. */
const WITHOUT_PROBES = ['job', 'operator'];

function eachContainer(
  manifests: Manifests,
  check: (container: Container, workload: Workload) => readonly string[],
): readonly string[] {
  return workloadsOf(manifests).flatMap((workload) =>
    containersOf(workload).flatMap((container) =>
      check(container, workload).map((text) => `${nameOf(workload)}, ${container.name}: ${text}`),
    ),
  );
}

/** S-K8S-01: nothing takes more than it was given, and the scheduler knows what it needs. */
export function limitsAreSet(manifests: Manifests): readonly string[] {
  return eachContainer(manifests, ({ resources }) =>
    (['requests', 'limits'] as const).flatMap((kind) =>
      ['cpu', 'memory']
        .filter((resource) => resources?.[kind]?.[resource] === undefined)
        .map((resource) => `no ${kind} of ${resource}`),
    ),
  );
}

/** Whatever goes on running says how it is. */
export function probesAreSet(manifests: Manifests): readonly string[] {
  return workloadsOf(manifests)
    .filter((workload) => !WITHOUT_PROBES.includes(componentOf(workload) ?? ''))
    .flatMap((workload) =>
      workload.spec.template.spec.containers.flatMap((container) =>
        PROBES.filter((probe) => container[probe] === undefined).map(
          (probe) => `${nameOf(workload)}, ${container.name}: no ${probe}`,
        ),
      ),
    );
}

/** A process on a busy node waits seconds for a core, and a restart makes the node busier. */
const ALIVE_UNTIL_S = 60;
const ANSWER_WITHIN_S = 10;
/** What asks nothing but the event loop. */
const LIVENESS_PATH = '/livez';

/** Liveness finds a process that is dead, not one that is slow or whose database is away (D-19). */
export function livenessIsPatient(manifests: Manifests): readonly string[] {
  return eachContainer(manifests, ({ livenessProbe: probe }) => {
    if (probe === undefined) return [];
    const { periodSeconds = 10, failureThreshold = 3, timeoutSeconds = 1, httpGet } = probe;
    const aliveS = periodSeconds * failureThreshold;
    return [
      ...(aliveS >= ALIVE_UNTIL_S ? [] : [`restarted after ${aliveS} s without an answer`]),
      ...(httpGet === undefined || httpGet.path === LIVENESS_PATH
        ? []
        : [`liveness asks ${httpGet.path}`]),
      ...(httpGet === undefined || timeoutSeconds >= ANSWER_WITHIN_S
        ? []
        : [`liveness waits ${timeoutSeconds} s for an answer`]),
    ];
  });
}

/** Pod security `restricted`, and a root file system that nobody writes to. */
export function podsAreRestricted(manifests: Manifests): readonly string[] {
  const ofContainers = eachContainer(manifests, ({ securityContext = {} }) => [
    ...(securityContext['allowPrivilegeEscalation'] === false ? [] : ['privileges may escalate']),
    ...(securityContext['readOnlyRootFilesystem'] === true ? [] : ['its root file system is open']),
    ...(JSON.stringify(securityContext['capabilities']) === '{"drop":["ALL"]}'
      ? []
      : ['it keeps capabilities']),
  ]);
  const ofPods = workloadsOf(manifests).flatMap((workload) => {
    const { securityContext = {}, automountServiceAccountToken } = workload.spec.template.spec;
    return [
      ...(securityContext['runAsNonRoot'] === true ? [] : ['it may run as root']),
      ...(JSON.stringify(securityContext['seccompProfile']) === '{"type":"RuntimeDefault"}'
        ? []
        : ['no seccomp profile']),
      ...(automountServiceAccountToken === false ? [] : ["it gets a token of the cluster's"]),
    ].map((text) => `${nameOf(workload)}: ${text}`);
  });
  const namespaces = manifests.objects.filter(({ kind }) => kind === 'Namespace');
  const unlabelled = namespaces.filter(
    ({ metadata }) => metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted',
  );
  return [...ofContainers, ...ofPods, ...unlabelled.map((one) => `${nameOf(one)}: not restricted`)];
}

/** In front of the name there may be a registry, with a port or without. */
const TAG = /^(?:[^/:@]+:[0-9]{1,5}\/)?[^:@]+:([a-z0-9][a-z0-9._-]*)(?:@sha256:[0-9a-f]{64})?$/;
const DIGEST = /^[^@]+@sha256:[0-9a-f]{64}$/;

/** An image is named by what is in it, so that nothing else runs after a restart (D-56). */
export function imagesAreFixed(manifests: Manifests): readonly string[] {
  return eachContainer(manifests, ({ image, imagePullPolicy }) => {
    const tag = TAG.exec(image)?.[1];
    const isFixed = (tag !== undefined && tag !== 'latest') || DIGEST.test(image);
    return [
      ...(isFixed ? [] : [`its image ${image} has no fixed tag or digest`]),
      ...(imagePullPolicy === 'IfNotPresent' ? [] : ['its image is not taken as it is there']),
    ];
  });
}
