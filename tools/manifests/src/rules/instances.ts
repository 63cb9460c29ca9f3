import { serviceNames, serviceRow } from '@sluice/contracts';
import { isDeepStrictEqual } from 'node:util';
import { isRecord, nameOf } from '../json-schema.js';
import {
  componentOf,
  type Manifests,
  ofKind,
  servicesOf,
  type Workload,
  workloadName,
  workloadsOf,
} from '../manifests.js';
import { podsOf } from '../network-policies.js';

/**
 * Those that serve tests alone (D-41), and those that write what one process alone may write: payments
 * ask again for what became of an order while that one is replaced.
 */
const SINGLE: readonly string[] = serviceNames.filter(
  (name) => serviceRow(name).standsFor !== undefined || serviceRow(name).instances === 'single',
);
/** What goes on serving while one is replaced (D-57). */
const INSTANCES_MIN = 2;
/** Where each kind of scaler says how few there may be. */
const FEWEST: Readonly<Record<string, string>> = {
  HorizontalPodAutoscaler: 'minReplicas',
  ScaledObject: 'minReplicaCount',
};

function severalOf(manifests: Manifests): readonly Workload[] {
  return servicesOf(manifests).filter((workload) => !SINGLE.includes(workloadName(workload)));
}

/**
 * A StatefulSet has no surge, so that it needs two to go on serving (D-57); in production a node may end at
 * any time, so that everything needs two.
 */
export function instancesAreEnough(manifests: Manifests): readonly string[] {
  return severalOf(manifests)
    .filter(({ kind }) => kind === 'StatefulSet' || manifests.overlay === 'production')
    .filter((workload) => fewestOf(manifests, workload) < INSTANCES_MIN)
    .map(
      (one) => `${nameOf(one)}: may be one instance alone; there must be ${INSTANCES_MIN} (D-57)`,
    );
}

/** Of its scalers, or as it says itself. */
function fewestOf(manifests: Manifests, { metadata, spec }: Workload): number {
  const scaled = Object.entries(FEWEST).flatMap(([kind, field]) =>
    ofKind(manifests, kind)
      .map((scaler) => (isRecord(scaler['spec']) ? scaler['spec'] : {}))
      .filter(({ scaleTargetRef }) => {
        return isRecord(scaleTargetRef) && scaleTargetRef['name'] === metadata.name;
      })
      .flatMap((scaler) => [scaler[field] ?? 0, scaler['idleReplicaCount'] ?? scaler[field] ?? 0])
      .map(Number),
  );
  return scaled.length > 0 ? Math.min(...scaled) : (spec.replicas ?? 1);
}

/** An acquirer does not stop because its customers upgrade, and the simulated one neither. */
const KEPT_UNTIL_DELETED = 'simulator';

/** An apply reaches the pods: each is replaced, one after the other, without a person who deletes it. */
export function updatesReachPods(manifests: Manifests): readonly string[] {
  return workloadsOf(manifests)
    .filter((workload) => ['service', 'database', 'broker'].includes(componentOf(workload) ?? ''))
    .flatMap((workload) => {
      const { strategy, updateStrategy = strategy } = workload.spec;
      const { type = 'RollingUpdate', rollingUpdate } = updateStrategy ?? {};
      const { partition = 0, maxUnavailable = 1 } = rollingUpdate ?? {};
      const wanted = workload.metadata.name === KEPT_UNTIL_DELETED ? 'OnDelete' : 'RollingUpdate';
      return [
        ...(type === wanted ? [] : [`is updated by ${type}; it must be ${wanted}`]),
        ...(partition === 0 ? [] : [`its pods below ${partition} are not updated; no partition`]),
        ...([0, 1].includes(maxUnavailable) ? [] : [`an update takes ${maxUnavailable} at once`]),
        ...('paused' in workload.spec ? ['no update begins while it is paused'] : []),
      ].map((text) => `${nameOf(workload)}: ${text}`);
    });
}

/** Budgets and spreading count the pods that they are for: a selector that fits none does nothing. */
export function selectorsFitPods(manifests: Manifests): readonly string[] {
  const names = workloadsOf(manifests).map(workloadName);
  const ofBudgets = ofKind(manifests, 'PodDisruptionBudget')
    .filter(({ spec, metadata: { name } }) => {
      const selector = isRecord(spec) ? spec['selector'] : undefined;
      return !names.includes(name) || !isDeepStrictEqual(selector, podsOf(name));
    })
    .map(
      (one) =>
        `${nameOf(one)}: must select the pods of ${one.metadata.name}, and by their name alone`,
    );
  const ofSpread = severalOf(manifests).flatMap((workload) => {
    const spread = workload.spec.template.spec.topologySpreadConstraints ?? [];
    const own = podsOf(workloadName(workload));
    return spread.every(({ labelSelector }) => isDeepStrictEqual(labelSelector, own))
      ? []
      : [`${nameOf(workload)}: is spread among pods that are not its own`];
  });
  return [...ofBudgets, ...ofSpread];
}
