/** The part of a Pod that tells why it is not ready. */
export interface Pod {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
    }[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: { readonly waiting?: { readonly reason?: string; readonly message?: string } };
}

/** One pod that is not ready, and why as far as the cluster knows. */
export interface PodTrouble {
  readonly pod: string;
  readonly sentence: string;
  /** Whether its log may say more: a container of it has run. */
  readonly hasLog: boolean;
}

/** The pods that are not ready, without those that have ended or are about to. */
export function podTroubles(pods: readonly Pod[]): readonly PodTrouble[] {
  return pods
    .filter(({ metadata, status }) => metadata.deletionTimestamp === undefined && !isFine(status))
    .map((pod) => troubleOf(pod));
}

function isFine(status: Pod['status']): boolean {
  if (status?.phase === 'Succeeded') return true;
  return (
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
  );
}

function troubleOf({ metadata, status }: Pod): PodTrouble {
  const containers = [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
  ];
  const waiting = containers.find(({ state }) => state?.waiting !== undefined)?.state?.waiting;
  const restarts = containers.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
  const unscheduled = status?.conditions?.find(
    ({ type, status: is }) => type === 'PodScheduled' && is === 'False',
  );
  const reasons = [
    unscheduled?.message ?? '',
    [waiting?.reason, waiting?.message].filter((part) => part !== undefined).join(': '),
    restarts > 0 ? `restarted ${restarts} times` : '',
  ].filter((reason) => reason !== '');
  return {
    pod: metadata.name,
    sentence: reasons.join('; ') || 'not ready',
    hasLog: restarts > 0 || containers.some(({ state }) => state?.waiting === undefined),
  };
}
