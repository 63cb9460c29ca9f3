import { isRecord, nameOf } from '../json-schema.js';
import {
  environmentOf,
  type Manifests,
  ofKind,
  servicesOf,
  workloadName,
  workloadsOf,
} from '../manifests.js';

/** D-58: small enough that a surge pod fits. */
const REQUEST_MILLICORES_MAX = 50;
/** What Node needs beside the old part of its heap: the young part, code, buffers, its own. */
const BESIDE_HEAP_MIB = 128;
const STOP_WITHIN_MS = 35_000;

/** Every service may lose one pod to a drain, and a single one does not stop a drain for ever (D-58). */
export function budgetsLetDrains(manifests: Manifests): readonly string[] {
  const budgets = ofKind(manifests, 'PodDisruptionBudget');
  const missing = servicesOf(manifests)
    .map(workloadName)
    .filter((name) => name !== 'simulator')
    .filter((name) => !budgets.some(({ spec }) => JSON.stringify(spec).includes(`"${name}"`)))
    .map((name) => `${name}: no disruption budget`);
  const wrong = budgets.filter(
    ({ spec }) => !isRecord(spec) || spec['maxUnavailable'] !== 1 || 'minAvailable' in spec,
  );
  return [...missing, ...wrong.map((one) => `${nameOf(one)}: must be maxUnavailable 1`)];
}

/** Who is scaled by somebody has no number that an apply would set back. */
export function scaledHaveNoReplicas(manifests: Manifests): readonly string[] {
  const scalers = ['HorizontalPodAutoscaler', 'ScaledObject'].flatMap((kind) =>
    ofKind(manifests, kind).flatMap(({ spec }) => {
      const target = isRecord(spec) ? spec['scaleTargetRef'] : undefined;
      return isRecord(target) ? [String(target['name'])] : [];
    }),
  );
  const twice = scalers.filter((name, index) => scalers.indexOf(name) !== index);
  const workloads = workloadsOf(manifests);
  return [
    ...twice.map((name) => `${name}: scaled by two at once`),
    ...scalers
      .filter((name) => !workloads.some(({ metadata }) => metadata.name === name))
      .map((name) => `${name}: there is nothing to scale`),
    ...workloads
      .filter(({ metadata, spec }) => scalers.includes(metadata.name) && 'replicas' in spec)
      .map((workload) => `${nameOf(workload)}: is scaled and has replicas`),
  ];
}

/** A new pod first, then one less (D-57); pods are spread, but wait for no node (D-58). */
export function updatesKeepServing(manifests: Manifests): readonly string[] {
  return servicesOf(manifests).flatMap((workload) => {
    const { strategy, template } = workload.spec;
    const { maxSurge, maxUnavailable } = strategy?.rollingUpdate ?? {};
    const surges = workload.kind !== 'Deployment' || (maxSurge === 1 && maxUnavailable === 0);
    const spread = template.spec.topologySpreadConstraints ?? [];
    const isSpread =
      workloadName(workload) === 'simulator' ||
      (spread.length > 0 && spread.every((one) => one.whenUnsatisfiable === 'ScheduleAnyway'));
    const first = workloadName(workload) !== 'edge' || template.spec.priorityClassName;
    return [
      ...(surges ? [] : ['must be updated with maxSurge 1 and maxUnavailable 0']),
      ...(isSpread ? [] : ['must be spread with ScheduleAnyway']),
      ...(first ? [] : ['must have a priority class']),
    ].map((text) => `${nameOf(workload)}: ${text}`);
  });
}

/** Kubernetes waits longer than the process takes: D-57. */
export function stopsFitTheGrace(manifests: Manifests): readonly string[] {
  return servicesOf(manifests).flatMap((workload) => {
    const { containers, terminationGracePeriodSeconds = 30 } = workload.spec.template.spec;
    return containers.flatMap((container) => {
      const environment = environmentOf(manifests, container);
      const graceMs = Number(environment.get('STOP_GRACE_MS') ?? 0);
      const withinMs = Number(environment.get('STOP_WITHIN_MS') ?? STOP_WITHIN_MS);
      const fits = graceMs + withinMs < terminationGracePeriodSeconds * 1_000;
      return [
        ...(graceMs >= 5_000 ? [] : ['must still serve for 5 s when it is told to stop']),
        ...(fits ? [] : ['is killed before it has ended what has begun']),
      ].map((text) => `${nameOf(workload)}: ${text}`);
    });
  });
}

/** A surge pod fits, and V8 collects before the kernel kills. */
export function resourcesFit(manifests: Manifests): readonly string[] {
  return servicesOf(manifests).flatMap((workload) =>
    workload.spec.template.spec.containers.flatMap((container) => {
      const { requests = {}, limits = {} } = container.resources ?? {};
      const options = environmentOf(manifests, container).get('NODE_OPTIONS') ?? '';
      const heap = Number(/--max-old-space-size=([0-9]{1,6})/.exec(options)?.[1] ?? Infinity);
      const limit = Number(/^([0-9]{1,6})Mi$/.exec(limits['memory'] ?? '')?.[1] ?? 0);
      const cpu = Number(/^([0-9]{1,6})m$/.exec(requests['cpu'] ?? '')?.[1] ?? Infinity);
      return [
        ...(cpu <= REQUEST_MILLICORES_MAX ? [] : ['asks for more than 50m of a processor']),
        ...(heap + BESIDE_HEAP_MIB <= limit ? [] : ['its heap does not fit its memory']),
      ].map((text) => `${nameOf(workload)}: ${text}`);
    }),
  );
}
