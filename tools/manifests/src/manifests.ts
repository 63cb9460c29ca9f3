import { isRecord, type KubernetesObject, nameOf } from './json-schema.js';

/** Everything that one overlay makes. */
export interface Manifests {
  readonly overlay: string;
  readonly objects: readonly KubernetesObject[];
}

/** Looks at an overlay; every sentence says what is wrong where. */
export type Rule = (manifests: Manifests) => readonly string[];

/** A container, as far as rules read it. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly Variable[];
  readonly envFrom?: readonly {
    readonly configMapRef?: { readonly name: string };
    readonly secretRef?: { readonly name: string };
  }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources?: {
    readonly limits?: Readonly<Record<string, string>>;
    readonly requests?: Readonly<Record<string, string>>;
  };
  readonly livenessProbe?: {
    readonly httpGet?: { readonly path: string };
    readonly periodSeconds?: number;
    readonly timeoutSeconds?: number;
    readonly failureThreshold?: number;
  };
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly volumeMounts?: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly subPath?: string;
  }[];
  readonly [field: string]: unknown;
}

/** One entry of `env`. */
export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: { readonly name: string };
    readonly configMapKeyRef?: { readonly name: string; readonly key: string };
    readonly fieldRef?: { readonly fieldPath: string };
  };
}

/** A part of a secret, as a file. */
export interface SecretItem {
  readonly key: string;
  readonly path: string;
}

/** A volume, as far as rules read it. */
export interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly items?: readonly SecretItem[] };
  readonly configMap?: { readonly name: string };
  readonly projected?: {
    readonly sources: readonly {
      readonly secret?: { readonly name: string; readonly items?: readonly SecretItem[] };
    }[];
  };
  readonly [field: string]: unknown;
}

/** A pod of a workload. */
export interface Pod {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly priorityClassName?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly topologySpreadConstraints?: readonly {
    readonly whenUnsatisfiable: string;
    readonly labelSelector?: object;
  }[];
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
}

/** How pods are replaced. */
export interface Strategy {
  readonly type?: string;
  readonly rollingUpdate?: {
    readonly maxSurge?: number;
    readonly maxUnavailable?: number;
    readonly partition?: number;
  };
}

/** Whatever makes pods. */
export interface Workload extends KubernetesObject {
  readonly spec: {
    readonly replicas?: number;
    readonly strategy?: Strategy;
    /** What a StatefulSet calls it. */
    readonly updateStrategy?: Strategy;
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: Pod;
    };
  };
}

const WORKLOADS = ['Deployment', 'StatefulSet', 'Job'];

/** Every workload that the overlay itself describes; those of operators are their own. */
export function workloadsOf({ objects }: Manifests): readonly Workload[] {
  return objects.filter(isWorkload);
}

/** Those that are services. */
export function servicesOf(manifests: Manifests): readonly Workload[] {
  return workloadsOf(manifests).filter((workload) => componentOf(workload) === 'service');
}

/** Whether it makes pods of its own. */
export function isWorkload(object: KubernetesObject): object is Workload {
  return WORKLOADS.includes(object.kind);
}

/** Those of one kind. */
export function ofKind(manifests: Manifests, kind: string): readonly KubernetesObject[] {
  return manifests.objects.filter((object) => object.kind === kind);
}

/** What a workload is for: service, job, operator, database or broker. */
export function componentOf(workload: KubernetesObject): string | undefined {
  return workload.metadata.labels?.['app.kubernetes.io/component'];
}

/** The workload's name as its pods have it. */
export function workloadName(workload: Workload): string {
  return workload.spec.template.metadata.labels['app.kubernetes.io/name'] ?? nameOf(workload);
}

/** All containers of a pod, those that come first too. */
export function containersOf({ spec }: Workload): readonly Container[] {
  const { containers, initContainers = [] } = spec.template.spec;
  return [...initContainers, ...containers];
}

/** What a container is told: its ConfigMaps, and then its own list. */
export function environmentOf(
  manifests: Manifests,
  { env = [], envFrom = [] }: Container,
): ReadonlyMap<string, string> {
  const maps = envFrom.map(({ configMapRef }) => configMapRef?.name);
  const fromMaps = ofKind(manifests, 'ConfigMap')
    .filter(({ metadata }) => maps.includes(metadata.name))
    .flatMap(({ data }) => (isRecord(data) ? Object.entries(data) : []));
  return new Map([
    ...fromMaps.map(([name, value]): [string, string] => [name, String(value)]),
    ...env.map(({ name, value = '' }): [string, string] => [name, value]),
  ]);
}
