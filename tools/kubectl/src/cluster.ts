import { ClusterUnusable } from './cluster-unusable.js';
import { ProgramFailed, ProgramMissing, type Programs } from './programs.js';
import type { Pod } from './pod-troubles.js';
import type { Workload } from './workload-state.js';

/** The namespace of every manifest. */
export const NAMESPACE = 'sluice';

const LOG_LINES = '5';
/** A cluster that is away must not hold us up; its own default is for ever. */
const REQUEST_TIMEOUT = '--request-timeout=30s';

interface Listed<Item> {
  readonly items: readonly Item[];
}

interface NodeObject {
  readonly status: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly images?: readonly { readonly names?: readonly string[] }[];
  };
}

interface ServiceObject {
  readonly spec: {
    readonly ports: readonly { readonly name: string; readonly nodePort?: number }[];
  };
}

interface MountingObject {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly volumes?: readonly {
          readonly name: string;
          readonly secret?: { readonly secretName: string };
        }[];
      };
    };
  };
}

interface SecretObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** The cluster of kubectl's current context, asked through kubectl. */
export class KubernetesCluster {
  constructor(private readonly programs: Programs) {}

  /** The name of the context. Throws ClusterUnusable when there is no kubectl or no cluster. */
  async context(): Promise<string> {
    try {
      const context = (await this.#kubectl(['config', 'current-context'])).trim();
      await this.#kubectl(['get', '--raw', '/readyz', REQUEST_TIMEOUT]);
      return context;
    } catch (error) {
      if (error instanceof ProgramMissing) {
        throw new ClusterUnusable('kubectl is not on this machine; install version 1.27 or newer.');
      }
      if (!(error instanceof ProgramFailed)) throw error;
      throw new ClusterUnusable(
        `No cluster answers. Start one (for example with kind or minikube) and look whether ` +
          `"kubectl get nodes" lists it. kubectl says: ${error.lastLines}`,
      );
    }
  }

  /** Whether every node has an image, by the name that its runtime gives it. */
  async hasImage(name: string): Promise<boolean> {
    const { items } = await this.#get<Listed<NodeObject>>(['nodes']);
    return items.every(({ status }) =>
      (status.images ?? []).some(({ names }) => names?.includes(name) === true),
    );
  }

  /** Applies an overlay. */
  async apply(folder: string): Promise<void> {
    await this.#kubectl(['apply', '--kustomize', folder]);
  }

  /** Deletes the namespace with all that is in it, data too, and waits until it is gone. */
  async remove(): Promise<void> {
    await this.#kubectl(['delete', 'namespace', NAMESPACE, '--ignore-not-found', '--wait']);
  }

  /** Everything that a deployment waits for. */
  async workloads(): Promise<readonly Workload[]> {
    return (await this.#get<Listed<Workload>>(['deployments,statefulsets,jobs', '-n', NAMESPACE]))
      .items;
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.#get<Listed<Pod>>(['pods', '-n', NAMESPACE])).items;
  }

  /** Deletes the pods of a workload and waits until they are gone; new ones take their place. */
  async deletePodsOf(workload: string): Promise<void> {
    const label = `app.kubernetes.io/name=${workload}`;
    await this.#kubectl(['delete', 'pods', '-n', NAMESPACE, '-l', label, '--wait']);
  }

  /** The last lines of a pod's log; of the container before, when it was restarted. */
  async lastLog(pod: string): Promise<string> {
    const words = ['logs', pod, '-n', NAMESPACE, '--all-containers', `--tail=${LOG_LINES}`];
    return (await this.#kubectl(words)).trimEnd();
  }

  /**
   * What the secret holds that a workload (`statefulset/postgres`) mounts under the name of a volume, by
   * file, in base64. Undefined where there is no such workload, or it mounts none.
   */
  async mountedSecret(
    workload: string,
    volume: string,
  ): Promise<Readonly<Record<string, string>> | undefined> {
    const mounting = await this.#getIfThere<MountingObject>(workload);
    const mounted = mounting?.spec.template.spec.volumes?.find(({ name }) => name === volume);
    if (mounted?.secret === undefined) return undefined;
    return (await this.#getIfThere<SecretObject>(`secret/${mounted.secret.secretName}`))?.data;
  }

  /** Where the edge's Service may be met from outside: an address per node. */
  async edgeAddresses(): Promise<readonly string[]> {
    const service = await this.#get<ServiceObject>(['service/edge', '-n', NAMESPACE]);
    const port = service.spec.ports.find(({ name }) => name === 'http')?.nodePort;
    if (port === undefined) return [];
    const { items } = await this.#get<Listed<NodeObject>>(['nodes']);
    return items
      .flatMap(({ status }) => status.addresses ?? [])
      .filter(({ type }) => type === 'InternalIP')
      .map(({ address }) => `http://${address.includes(':') ? `[${address}]` : address}:${port}`);
  }

  async #get<Answer>(words: readonly string[]): Promise<Answer> {
    return JSON.parse(await this.#asked(words)) as Answer;
  }

  async #getIfThere<Answer>(object: string): Promise<Answer | undefined> {
    const text = await this.#asked([object, '-n', NAMESPACE, '--ignore-not-found']);
    return text.trim() === '' ? undefined : (JSON.parse(text) as Answer);
  }

  #asked(words: readonly string[]): Promise<string> {
    const asked = ['get', ...words, '--output=json', REQUEST_TIMEOUT];
    return this.programs.run('kubectl', asked, { changesNothing: true });
  }

  #kubectl(words: readonly string[]): Promise<string> {
    return this.programs.run('kubectl', words);
  }
}
