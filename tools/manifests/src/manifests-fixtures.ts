import type { KubernetesObject } from './json-schema.js';
import type { Manifests } from './manifests.js';
import { podsOf } from './network-policies.js';

/** Anything whose fields a spec changes. */
export type Changeable = Record<string, unknown>;

const labels = (name: string, component = 'service') => ({
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/component': component,
});

/** Each rule with what it accepts, and what it must find: a part of the sentence. */
export type Examples = Readonly<
  Record<string, { right: Manifests; wrong: readonly (readonly [string, Manifests])[] }>
>;

const asks = (path: string) => ({ httpGet: { path, port: 'management' } });

/** The container of a service as every rule wants it. */
export function serviceContainer(changes: Changeable = {}): Changeable {
  return {
    name: 'service',
    image: 'localhost/sluice:abc123',
    imagePullPolicy: 'IfNotPresent',
    envFrom: [{ configMapRef: { name: 'payments-settings' } }],
    env: [{ name: 'NODE_OPTIONS', value: '--max-old-space-size=192' }],
    ports: [
      { name: 'internal', containerPort: 8443 },
      { name: 'management', containerPort: 9080 },
    ],
    resources: {
      requests: { cpu: '50m', memory: '160Mi' },
      limits: { cpu: '2', memory: '384Mi' },
    },
    startupProbe: asks('/startupz'),
    livenessProbe: {
      ...asks('/livez'),
      ...{ periodSeconds: 10, timeoutSeconds: 10, failureThreshold: 6 },
    },
    readinessProbe: { ...asks('/readyz'), periodSeconds: 2, failureThreshold: 2 },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [{ name: 'secrets', mountPath: '/etc/sluice/secrets' }],
    ...changes,
  };
}

/** A workload with one such container. */
export function workload(
  parts: { container?: Changeable; pod?: Changeable; spec?: Changeable; name?: string } = {},
): KubernetesObject {
  const { container = serviceContainer(), pod = {}, spec = {}, name = 'payments' } = parts;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: labels(name) },
    spec: {
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels: labels(name) },
        spec: {
          serviceAccountName: name,
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds: 45,
          topologySpreadConstraints: [
            { whenUnsatisfiable: 'ScheduleAnyway', labelSelector: podsOf(name) },
          ],
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [container],
          volumes: [
            { name: 'secrets', projected: { sources: [{ secret: { name: `${name}-secrets` } }] } },
          ],
          ...pod,
        },
      },
      ...spec,
    },
  };
}

/** A Job as it should be. */
export function job(name = 'migrations-abc123', container = serviceContainer()): KubernetesObject {
  const { kind: _kind, apiVersion: _version, ...rest } = workload({ container, name });
  return {
    ...rest,
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels: labels(name, 'job') },
  };
}

/** Any other object. */
export function object(kind: string, name: string, rest: Changeable = {}): KubernetesObject {
  return { apiVersion: 'v1', kind, metadata: { name }, ...rest };
}

/** What payments is told. */
export const paymentsSettings = {
  STOP_GRACE_MS: '5000',
  PAYMENTS_DATABASE_URL_FILE: '/etc/sluice/secrets/database-url',
  VAULT_URLS: 'https://vault-0.vault:8443',
  ACCOUNTS_URLS: 'https://accounts:8443',
  SEPA_URLS: 'https://sepa:8443',
  RISK_URLS: 'https://risk:8443',
};

/** An overlay with payments in it, as every rule wants it, and more. */
export function overlayWith(
  objects: readonly KubernetesObject[],
  settings: Changeable = paymentsSettings,
  overlay = 'production',
): Manifests {
  const others = [
    object('ConfigMap', 'payments-settings', { data: settings }),
    object('ConfigMap', 'release', { data: { name: 'abc123' } }),
    object('ServiceAccount', 'payments'),
    object('PodDisruptionBudget', 'payments', {
      spec: { maxUnavailable: 1, selector: podsOf('payments') },
    }),
  ];
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const kept = others.filter(({ kind, metadata }) => !names.includes(`${kind} ${metadata.name}`));
  return { overlay, objects: [...kept, ...objects] };
}

/** What rules look at most: payments, and an overlay with one thing about it changed. */
export const payments = workload();
export const withContainer = (changes: Changeable): Manifests =>
  overlayWith([workload({ container: serviceContainer(changes) })]);
export const withPod = (pod: Changeable): Manifests => overlayWith([workload({ pod })]);
export const local = (objects: readonly KubernetesObject[]): Manifests =>
  overlayWith(objects, paymentsSettings, 'local');
