import { serviceOf } from '../cell-workloads.js';
import { nameOf } from '../json-schema.js';
import {
  componentOf,
  isWorkload,
  type Manifests,
  type SecretItem,
  ofKind,
  type Workload,
  workloadName,
  workloadsOf,
} from '../manifests.js';
import { serviceVariables } from '../service-variables.js';
import { HASH_SUFFIX } from './jobs.js';

/** What is no service, and what it is for. */
const COMPONENTS: Readonly<Record<string, string>> = {
  ...{ kafka: 'broker', postgres: 'database', operator: 'operator' },
  ...{ migrations: 'job', topics: 'job' },
};
const COMPONENT = 'app.kubernetes.io/component';
/** Network policies, budgets and spreading go by the labels of pods; others than these are somebody else's. */
const POD_LABELS = [
  ...['name', 'instance', 'component', 'version', 'part-of', 'managed-by'].map(
    (label) => `app.kubernetes.io/${label}`,
  ),
];
/** Opens the ways of a database or a broker to whatever carries it. */
const ENGINE = 'sluice/engine';
const ENGINES = ['broker', 'database'];

/** A pod says who it is: otherwise it has the ways of another, or escapes the rules for its like. */
export function podsSayWhoTheyAre(manifests: Manifests): readonly string[] {
  const unread = ofKind(manifests, 'CronJob').map(
    (one) => `${nameOf(one)}: no rule reads the pods of this kind; make it a Job`,
  );
  return [
    ...unread,
    ...workloadsOf(manifests).flatMap((workload) =>
      labelProblems(workload).map((text) => `${nameOf(workload)}: ${text}`),
    ),
  ];
}

function labelProblems(workload: Workload): readonly string[] {
  const { kind, metadata, spec } = workload;
  const { labels } = spec.template.metadata;
  const name = workloadName(workload);
  const isNamed =
    metadata.name === name || (kind === 'Job' && metadata.name.startsWith(`${name}-`));
  const service = serviceOf(name);
  const component = serviceVariables(name) === undefined ? COMPONENTS[service] : 'service';
  const isKnown = component !== undefined && component === componentOf(workload);
  const engine = labels[ENGINE];
  const isEngine = ENGINES.includes(component ?? '') && engine === service;
  return [
    ...(isNamed ? [] : [`its pods are labelled as those of ${name}; give them its own name`]),
    ...(isKnown && labels[COMPONENT] === component
      ? []
      : [
          `is labelled ${labels[COMPONENT] ?? 'nothing'}, and ${name} is ${component ?? 'unknown'}`,
        ]),
    ...Object.keys(labels)
      .filter((label) => !POD_LABELS.includes(label) && !(label === ENGINE && isEngine))
      .map((label) => `its pods carry ${label}, by which policies let others in; take it away`),
  ];
}

/** Whose secrets a job works with: it does what an operator would type. */
const SECRETS_OF_JOBS: Readonly<Record<string, readonly string[]>> = {
  migrations: ['operator-secrets'],
  topics: ['kafka-operator'],
};
/** Secrets of an authority have its key beside its certificate. */
const AUTHORITY = /-(?:ca|cluster-ca-cert)$/;
const AUTHORITY_PART = 'ca.crt';

/** What makes a secret, and so names it. */
const MAKERS = ['Certificate', 'Secret'];

/** Nobody has another's keys: the vault's are in the vault's pods alone (D-44, D-47). */
export function secretsAreOwn(manifests: Manifests): readonly string[] {
  const owned = workloadsOf(manifests).flatMap((workload) => secretsFor(workloadName(workload)));
  const named = manifests.objects
    .filter((one) => !isWorkload(one) && !MAKERS.includes(one.kind))
    .flatMap((one) =>
      textsIn(one['spec'])
        .filter((text) => owned.includes(text))
        .map((text) => `${nameOf(one)}: names ${text}, which is for pods of its owner alone`),
    );
  return [...secretsOfOthers(manifests), ...named];
}

/** Who it is to others is the same in every cell of a service. */
function secretsFor(name: string): readonly string[] {
  const service = serviceOf(name);
  const own = [`${name}-tls`, `${name}-secrets`, `${service}-tls`, `kafka-${service}`];
  return [...own, ...(SECRETS_OF_JOBS[name] ?? [])];
}

/** Every text in a value, however deep. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function secretsOfOthers(manifests: Manifests): readonly string[] {
  return workloadsOf(manifests).flatMap((workload) => {
    const own = secretsFor(workloadName(workload));
    return mountedSecrets(workload).flatMap(({ name: secret, items }) => {
      const plain = secret.replace(HASH_SUFFIX, '');
      if (own.includes(plain)) return [];
      const keys = items?.map(({ key }) => key) ?? ['everything in it'];
      const isPublic = AUTHORITY.test(plain) && keys.every((key) => key === AUTHORITY_PART);
      if (isPublic) return [];
      const text = AUTHORITY.test(plain)
        ? `mounts ${keys.join(', ')} of ${plain}; name ${AUTHORITY_PART} alone`
        : `mounts ${plain}, which is not its own; it may have ${own.join(', ')}`;
      return [`${nameOf(workload)}: ${text}`];
    });
  });
}

interface MountedSecret {
  readonly name: string;
  /** Undefined: all of it. */
  readonly items?: readonly SecretItem[];
}

function mountedSecrets({ spec }: Workload): readonly MountedSecret[] {
  return (spec.template.spec.volumes ?? []).flatMap(({ secret, projected }) => [
    ...(secret === undefined ? [] : [{ ...secret, name: secret.secretName }]),
    ...(projected?.sources ?? []).flatMap((source) => source.secret ?? []),
  ]);
}
