/** The part of a Deployment, a StatefulSet or a Job that tells how far it is. */
export interface Workload {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly generation?: number };
  readonly spec: {
    readonly replicas?: number;
    readonly completions?: number;
    readonly updateStrategy?: { readonly type?: string };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly succeeded?: number;
    readonly conditions?: readonly Condition[];
  };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

/** How far a workload is. */
export type WorkloadState =
  | { readonly kind: 'ready' }
  /** E.g. `1 of 2 ready`. */
  | { readonly kind: 'waiting'; readonly sentence: string }
  | { readonly kind: 'failed'; readonly sentence: string };

const READY: WorkloadState = { kind: 'ready' };

/** Whether its pods stay as they are until somebody deletes them. */
export function isKeptUntilDeleted({ spec }: Workload): boolean {
  return spec.updateStrategy?.type === 'OnDelete';
}

/** Whether it has such pods of an earlier release. */
export function keepsOldPods(workload: Workload): boolean {
  const { replicas = 0, updatedReplicas = 0 } = workload.status ?? {};
  return isKeptUntilDeleted(workload) && updatedReplicas < replicas;
}

/** What its status comes to; a rollout is over when all that runs is new, or kept, and ready. */
export function stateOf(workload: Workload): WorkloadState {
  return workload.kind === 'Job' ? jobState(workload) : replicaState(workload);
}

function jobState({ spec, status }: Workload): WorkloadState {
  const failed = status?.conditions?.find(
    ({ type, status: is }) => type === 'Failed' && is === 'True',
  );
  if (failed !== undefined) return { kind: 'failed', sentence: failed.message ?? 'it failed' };
  return (status?.succeeded ?? 0) >= (spec.completions ?? 1)
    ? READY
    : { kind: 'waiting', sentence: 'running' };
}

function replicaState(workload: Workload): WorkloadState {
  const { metadata, spec, status = {} } = workload;
  const wanted = spec.replicas ?? 1;
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0 } = status;
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    return { kind: 'waiting', sentence: 'not looked at yet' };
  }
  if (updatedReplicas < wanted && !isKeptUntilDeleted(workload)) {
    return { kind: 'waiting', sentence: `${updatedReplicas} of ${wanted} are new` };
  }
  if (replicas > wanted) {
    return { kind: 'waiting', sentence: `${replicas - wanted} old still to end` };
  }
  return readyReplicas < wanted
    ? { kind: 'waiting', sentence: `${readyReplicas} of ${wanted} ready` }
    : READY;
}
