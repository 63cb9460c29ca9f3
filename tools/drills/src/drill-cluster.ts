import {
  KubernetesCluster,
  NAMESPACE,
  ProgramFailed,
  type Programs,
  type RunOptions,
  stateOf,
} from '@sluice/kubectl';
import { after, seconds } from '@sluice/kill-test';

/** A pod, as far as a drill looks at it. */
export interface DrillPod {
  readonly name: string;
  /** Another one for every pod, also where the name stays. */
  readonly uid: string;
  readonly isReady: boolean;
}

/** When a pod started and was ready, as Kubernetes noted it: whole seconds since 1970, in milliseconds. */
export interface PodStart {
  readonly uid: string;
  /** The node took it. */
  readonly podAtMs: number;
  /** Its container ran. */
  readonly containerAtMs: number;
  readonly readyAtMs: number;
}

/** What a pod of a service has in memory that cannot be taken back. */
export interface PodMemory {
  readonly name: string;
  readonly bytes: number;
}

/** The state of the autoscaler of payments. */
export interface ScaleState {
  readonly min: number;
  readonly max: number;
  /** Instances that answer. */
  readonly ready: number;
  /** Instances that there are, with those that come and go. */
  readonly running: number;
}

interface PodObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
  };
  readonly status?: {
    readonly startTime?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastTransitionTime?: string;
    }[];
    readonly containerStatuses?: readonly {
      readonly state?: { readonly running?: { readonly startedAt?: string } };
    }[];
  };
}

interface PodMetrics {
  readonly metadata: { readonly name: string };
  readonly containers: readonly { readonly usage: { readonly memory: string } }[];
}

interface AutoscalerObject {
  readonly spec: {
    readonly minReplicas?: number;
    readonly maxReplicas: number;
    readonly metrics: readonly {
      readonly resource?: { readonly target: { readonly averageValue?: string } };
    }[];
  };
}

interface SecretObject {
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
}

interface DeploymentObject {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly volumes: readonly {
          readonly projected?: {
            readonly sources: readonly { readonly secret?: { readonly name: string } }[];
          };
        }[];
      };
    };
  };
}

const REQUEST_TIMEOUT = '--request-timeout=30s';
/** Every look is a kubectl, which takes a tenth of a second of a processor. */
const POLL_INTERVAL_MS = 1_000;
/** What metrics-server measures; `kubectl top` shows the same, rounded. */
const METRICS = `/apis/metrics.k8s.io/v1beta1/namespaces/${NAMESPACE}/pods`;
const SERVICES = 'app.kubernetes.io/component=service';
const BYTES_PER_UNIT: Readonly<Record<string, number>> = {
  '': 1,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
};
const CLI = 'apps/cli/dist/main.js';
const BOOK = '/var/lib/simulator/book.jsonl';
/** The end of its name says what is in it. */
const OPERATOR_SECRETS = 'operator-secrets-';
/** Of the local overlay, in the order of the cells of payments (page 0047). */
const DATABASES: readonly Database[] = [
  { workload: 'postgres', address: 'admin-database-url' },
  { workload: 'postgres-2', address: 'admin-2-database-url' },
];

/** A PostgreSQL of the cluster. */
export interface Database {
  /** Of its pods; there is one. */
  readonly workload: string;
  /** Its address for the administrator, by its name among the operator's secrets. */
  readonly address: string;
}

/** Something did not come back; the message says what. */
export class NotInTime extends Error {
  override readonly name = 'NotInTime';
}

/** What a drill does to the cluster of kubectl's context, and sees of it. */
export class DrillCluster {
  readonly #cluster: KubernetesCluster;

  constructor(
    private readonly programs: Programs,
    /** Aborted when nobody wants to wait any longer. */
    private readonly signal: AbortSignal = new AbortController().signal,
  ) {
    this.#cluster = new KubernetesCluster(programs);
  }

  /** The name of the context. Throws ClusterUnusable when there is no kubectl or no cluster. */
  context(): Promise<string> {
    return this.#cluster.context();
  }

  /** Where the edge's Service may be met from outside: an address per node. */
  edgeAddresses(): Promise<readonly string[]> {
    return this.#cluster.edgeAddresses();
  }

  /** Waits until all is as it shall be: a drill that begins with something away would tell of that. */
  async untilReady(withinMs: number): Promise<void> {
    const isReady = async (): Promise<boolean> => (await this.unready()).length === 0;
    await this.until(withinMs, 'Not everything is ready', isReady);
  }

  /** Workloads that are not as they shall be, each with why. */
  async unready(): Promise<readonly string[]> {
    const workloads = await this.#cluster.workloads();
    return workloads
      .filter(({ kind }) => kind !== 'Job')
      .flatMap((workload) => {
        const state = stateOf(workload);
        return state.kind === 'ready' ? [] : [`${workload.metadata.name}: ${state.sentence}`];
      });
  }

  /** Pods of a workload, without those that are about to end. */
  async pods(workload: string): Promise<readonly DrillPod[]> {
    const selector = `--selector=app.kubernetes.io/name=${workload}`;
    const { items } = await this.#get<{ readonly items: readonly PodObject[] }>(['pods', selector]);
    return items
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata: { name, uid }, status }) => ({
        ...{ name, uid },
        isReady:
          status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ===
          true,
      }));
  }

  /** When the ready pods of a workload started. */
  async podStarts(workload: string): Promise<readonly PodStart[]> {
    const selector = `--selector=app.kubernetes.io/name=${workload}`;
    const { items } = await this.#get<{ readonly items: readonly PodObject[] }>(['pods', selector]);
    return items.flatMap((pod) => startOf(pod) ?? []);
  }

  /** What each pod of our own services has in memory; none where nothing measures it. */
  async serviceMemory(): Promise<readonly PodMemory[]> {
    try {
      const path = `${METRICS}?labelSelector=${encodeURIComponent(SERVICES)}`;
      const text = await this.programs.run('kubectl', ['get', '--raw', path, REQUEST_TIMEOUT]);
      const { items } = JSON.parse(text) as { readonly items: readonly PodMetrics[] };
      return items.map(({ metadata: { name }, containers }) => ({
        name,
        bytes: containers.reduce((sum, { usage }) => sum + bytesOf(usage.memory), 0),
      }));
    } catch (error) {
      if (!(error instanceof ProgramFailed)) throw error;
      return [];
    }
  }

  /** Begins a rolling update with nothing changed but an annotation of the pod template. */
  async restart(workload: string): Promise<void> {
    await this.#kubectl(['rollout', 'restart', workload]);
  }

  /** The image that a workload's container has. */
  async image(workload: string): Promise<string> {
    const path = 'jsonpath={.spec.template.spec.containers[0].image}';
    return (await this.#ask(['get', workload, '-o', path])).trim();
  }

  /** Begins a rolling update to an image that the nodes have. */
  async useImage(workload: string, image: string): Promise<void> {
    await this.#kubectl(['set', 'image', workload, `*=${image}`]);
  }

  /** Deletes a pod as a drain of its node does: with its grace. Does not wait. */
  async deletePod(name: string): Promise<void> {
    await this.#kubectl(['delete', `pod/${name}`, '--wait=false']);
  }

  /** Waits until all that runs of a workload is new and ready. Throws NotInTime. */
  async untilRolledOut(workload: string, withinMs: number): Promise<void> {
    try {
      // One kubectl that watches: asking again and again would take the processors from the payments.
      await this.#ask(['rollout', 'status', workload, `--timeout=${withinMs}ms`]);
    } catch (error) {
      if (!(error instanceof ProgramFailed)) throw error;
      throw new NotInTime(`${workload} is not rolled out: ${error.lastLines}`);
    }
  }

  /** Waits until as many pods are ready as there were, none of them the one that is gone. Throws NotInTime. */
  async untilReplaced(
    workload: string,
    gone: DrillPod,
    wanted: number,
    withinMs: number,
  ): Promise<void> {
    await this.until(withinMs, `${workload} has not come back`, async () => {
      const ready = (await this.pods(workload)).filter(({ isReady }) => isReady);
      return ready.length >= wanted && ready.every(({ uid }) => uid !== gone.uid);
    });
  }

  /** How far payments is scaled. */
  async scale(): Promise<ScaleState> {
    const { spec } = await this.#get<AutoscalerObject>(['hpa/payments']);
    const pods = await this.pods('payments');
    return {
      min: spec.minReplicas ?? 1,
      max: spec.maxReplicas,
      ready: pods.filter(({ isReady }) => isReady).length,
      running: pods.length,
    };
  }

  /** Lets the autoscaler aim at so much CPU of each instance; returns what it aimed at before. */
  async aimAt(averageValue: string): Promise<string> {
    const { spec } = await this.#get<AutoscalerObject>(['hpa/payments']);
    const before = spec.metrics[0]?.resource?.target.averageValue ?? averageValue;
    const path = '/spec/metrics/0/resource/target/averageValue';
    const patch = JSON.stringify([{ op: 'replace', path, value: averageValue }]);
    await this.#kubectl(['patch', 'hpa/payments', '--type=json', `--patch=${patch}`]);
    return before;
  }

  /** The simulator's book as it is on its disk. */
  book(): Promise<string> {
    return this.#ask(['exec', 'simulator-0', '--', 'cat', BOOK]);
  }

  /**
   * The database's address at a port of this machine that leads to its pod. The way there is kubectl's own, so the
   * server's certificate, which is not for this machine's name, has nothing to add.
   */
  async databaseUrl({ address: file }: Database, port: number): Promise<string> {
    const operator = await this.#get<DeploymentObject>(['deployment/operator']);
    const name = operator.spec.template.spec.volumes
      .flatMap(({ projected }) => projected?.sources ?? [])
      .flatMap(({ secret }) => (secret === undefined ? [] : [secret.name]))
      .find((each) => each.startsWith(OPERATOR_SECRETS));
    const secret = await this.#get<SecretObject>([`secret/${name ?? 'operator-secrets'}`]);
    const address = Buffer.from(secret.data?.[file] ?? '', 'base64').toString('utf8');
    const url = new URL(address.trim());
    url.host = `127.0.0.1:${port}`;
    url.search = 'sslmode=no-verify';
    return url.href;
  }

  /** Where payments lie: the database of all services first, then that of each further cell. */
  async databases(): Promise<readonly Database[]> {
    const names = (await this.#cluster.workloads()).map(({ metadata }) => metadata.name);
    return DATABASES.filter(({ workload }) => names.includes(workload));
  }

  /** Says something to the command line in the operator's pod; gives what it answers. */
  sluice(words: readonly string[]): Promise<string> {
    return this.#kubectl(['exec', 'deployment/operator', '--', 'node', CLI, ...words]);
  }

  /** How many pods the operator has; it is started when somebody needs it. */
  async scaleOperator(replicas: number): Promise<void> {
    await this.#kubectl(['scale', 'deployment/operator', `--replicas=${replicas}`]);
  }

  /** Asks until the answer is yes. Throws NotInTime. */
  async until(withinMs: number, otherwise: string, isSo: () => Promise<boolean>): Promise<void> {
    const giveUpAt = performance.now() + withinMs;
    while (!(await isSo())) {
      if (this.signal.aborted) throw new NotInTime(`${otherwise}; the drill was stopped.`);
      if (performance.now() > giveUpAt) {
        throw new NotInTime(`${otherwise} after ${seconds(withinMs)}.`);
      }
      await after(POLL_INTERVAL_MS, () => Promise.resolve());
    }
  }

  async #get<Answer>(words: readonly string[]): Promise<Answer> {
    return JSON.parse(
      await this.#ask(['get', ...words, '--output=json', REQUEST_TIMEOUT]),
    ) as Answer;
  }

  /** For what changes nothing. */
  #ask(words: readonly string[]): Promise<string> {
    return this.#kubectl(words, { changesNothing: true });
  }

  #kubectl(words: readonly string[], options?: RunOptions): Promise<string> {
    return this.programs.run('kubectl', ['-n', NAMESPACE, ...words], options);
  }
}

function startOf({ metadata, status }: PodObject): PodStart | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const running = status?.containerStatuses?.[0]?.state?.running;
  if (ready?.status !== 'True' || metadata.deletionTimestamp !== undefined) return undefined;
  return {
    uid: metadata.uid,
    podAtMs: Date.parse(status?.startTime ?? ''),
    containerAtMs: Date.parse(running?.startedAt ?? ''),
    readyAtMs: Date.parse(ready.lastTransitionTime ?? ''),
  };
}

/** An amount as Kubernetes writes it: `81234Ki`. */
function bytesOf(amount: string): number {
  const unit = amount.replace(/^[0-9]+/, '');
  return Number.parseInt(amount, 10) * (BYTES_PER_UNIT[unit] ?? NaN);
}
