import { isDeepStrictEqual } from 'node:util';
import { isRecord, nameOf } from '../json-schema.js';
import { type Manifests, ofKind, type Pod, type Workload, workloadsOf } from '../manifests.js';
import { eachContainer } from './containers.js';

/** A field that something may have. */
interface Field {
  readonly fits: (value: unknown) => boolean;
  /** Whether it must be there. */
  readonly must?: true;
  /** What is so otherwise. */
  readonly otherwise: string;
}

/** Every field that there may be; whatever is not here is refused. */
type Fields = Readonly<Record<string, Field>>;

const is = (expected: unknown) => (value: unknown) => isDeepStrictEqual(value, expected);
const isNotRoot = (value: unknown) => Number.isInteger(value) && Number(value) > 0;
const isAnything = () => true;

const users: Fields = {
  runAsUser: { fits: isNotRoot, otherwise: 'it runs as root; runAsUser must be above 0' },
  runAsGroup: {
    fits: isNotRoot,
    otherwise: 'its group is that of root; runAsGroup must be above 0',
  },
};
const seccompProfile = { fits: is({ type: 'RuntimeDefault' }), otherwise: 'no seccomp profile' };
const runAsNonRoot = { fits: is(true), otherwise: 'it may run as root' };

/** `restricted`, for a pod. */
const ofPod: Fields = {
  ...users,
  runAsNonRoot: { ...runAsNonRoot, must: true },
  seccompProfile: { ...seccompProfile, must: true },
  fsGroup: { fits: isNotRoot, otherwise: 'its volumes are those of root; fsGroup must be above 0' },
  fsGroupChangePolicy: { fits: isAnything, otherwise: '' },
};
/** Strimzi's own pods have volumes of the group 0, as its images want them. */
const ofEnginePod: Fields = { ...ofPod, fsGroup: { fits: isAnything, otherwise: '' } };
/** `restricted`, for a container that somebody else has made. */
const ofEngineContainer: Fields = {
  ...users,
  runAsNonRoot,
  seccompProfile,
  privileged: { fits: is(false), otherwise: 'it is privileged' },
  readOnlyRootFilesystem: { fits: isAnything, otherwise: '' },
  allowPrivilegeEscalation: { fits: is(false), must: true, otherwise: 'privileges may escalate' },
  capabilities: { fits: is({ drop: ['ALL'] }), must: true, otherwise: 'it keeps capabilities' },
};
/** And of one of ours: nobody writes to its root file system. */
const ofContainer: Fields = {
  ...ofEngineContainer,
  readOnlyRootFilesystem: { fits: is(true), must: true, otherwise: 'its root file system is open' },
};

function fieldProblems(value: unknown, fields: Fields): readonly string[] {
  const given = isRecord(value) ? value : {};
  return [
    ...Object.entries(fields)
      .filter(([name, { fits, must }]) => (name in given ? !fits(given[name]) : must === true))
      .map(([, { otherwise }]) => otherwise),
    ...Object.keys(given)
      .filter((name) => !(name in fields))
      .map(
        (name) => `securityContext.${name} is none of the fields that it may have; take it away`,
      ),
  ];
}

/** What pods and containers may say; of the rest some escape policies or isolation, and no rule reads it. */
const POD_FIELDS = [
  ...['automountServiceAccountToken', 'containers', 'enableServiceLinks', 'initContainers'],
  ...['priorityClassName', 'restartPolicy', 'securityContext', 'serviceAccountName'],
  ...['terminationGracePeriodSeconds', 'topologySpreadConstraints', 'volumes'],
  // An operator's own nodes and registry.
  ...['affinity', 'imagePullSecrets', 'nodeSelector', 'tolerations'],
];
const CONTAINER_FIELDS = [
  ...['args', 'command', 'env', 'envFrom', 'image', 'imagePullPolicy', 'livenessProbe', 'name'],
  ...['ports', 'readinessProbe', 'resources', 'securityContext', 'startupProbe', 'volumeMounts'],
];
/** A `hostPort` would open the node. */
const PORT_FIELDS = ['containerPort', 'name', 'protocol'];
/** The node's files, and whatever else a volume may be, are nobody's here. */
const VOLUMES = ['configMap', 'emptyDir', 'projected', 'secret'];
/** A token of the cluster would be another one. */
const PROJECTED = ['configMap', 'secret'];

/** Pod security `restricted`, a root file system that nobody writes to, and nothing of the node's. */
export function podsAreRestricted(manifests: Manifests): readonly string[] {
  const ofContainers = eachContainer(manifests, (container) => [
    ...unknownIn(container, CONTAINER_FIELDS),
    ...(container.ports ?? []).flatMap((port) => unknownIn(port, PORT_FIELDS)),
    ...fieldProblems(container.securityContext, ofContainer),
  ]);
  const ofPods = workloadsOf(manifests).flatMap((workload) =>
    podProblems(workload).map((text) => `${nameOf(workload)}: ${text}`),
  );
  const unlabelled = ofKind(manifests, 'Namespace').filter(
    ({ metadata }) => metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted',
  );
  return [...ofContainers, ...ofPods, ...unlabelled.map((one) => `${nameOf(one)}: not restricted`)];
}

function podProblems({ spec }: Workload): readonly string[] {
  const pod = spec.template.spec;
  return [
    ...unknownIn(pod, POD_FIELDS),
    ...fieldProblems(pod.securityContext, ofPod),
    ...(pod.automountServiceAccountToken === false ? [] : ["it gets a token of the cluster's"]),
    ...volumeProblems(pod),
  ];
}

function volumeProblems({ volumes = [] }: Pod): readonly string[] {
  return volumes.flatMap(({ name, ...volume }) => {
    const { emptyDir, projected } = volume;
    const isBounded = !isRecord(emptyDir) || emptyDir['sizeLimit'] !== undefined;
    return [
      ...unknownIn(volume, VOLUMES),
      ...(projected?.sources ?? []).flatMap((source) => unknownIn(source, PROJECTED)),
      ...(isBounded ? [] : ['emptyDir has no sizeLimit and may fill the node']),
    ].map((text) => `volume ${name}: ${text}`);
  });
}

function unknownIn(value: object, known: readonly string[]): readonly string[] {
  return Object.keys(value)
    .filter((field) => !known.includes(field))
    .map((field) => `${field} is none of what there may be (${known.join(', ')}); take it away`);
}

/** The same of pods that an operator makes, as far as its resource says how: by templates of theirs. */
export function enginePodProblems(
  template: unknown,
  pod: string,
  containers: readonly string[],
): readonly string[] {
  const part = (name: string) => {
    const value = isRecord(template) ? template[name] : undefined;
    return isRecord(value) ? value['securityContext'] : undefined;
  };
  return [
    ...fieldProblems(part(pod), ofEnginePod),
    ...containers.flatMap((name) =>
      fieldProblems(part(name), ofEngineContainer).map((text) => `${name}: ${text}`),
    ),
  ];
}
