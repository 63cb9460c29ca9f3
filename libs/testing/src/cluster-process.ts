import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launched } from './launcher.js';
import { type SandboxOptions, type SandboxProcess, startSandbox } from './sandbox-process.js';

const CLUSTER = launched('tools/cluster/dist/main.js');
/** Seven processes and a broker on a machine with two cores that others use too. */
const READY_WITHIN_MS = 240_000;

/** One process of a running cluster. */
export interface ClusterMember {
  /** Tells it from a later process with the same number; Linux alone has it. */
  readonly startTicks?: string;
  /** `payments`, or `payments-0` where there are several. */
  readonly name: string;
  readonly service: string;
  readonly pid: number;
  /** Where it answers probes; absent for Kafka. */
  readonly management?: string;
  /** Where it answers others. */
  readonly url?: string;
  /** All that it was told, to start another one beside it. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** What a cluster tells of itself in its data folder. */
export interface ClusterDescription {
  readonly url: string;
  readonly brokers: string;
  /** The services' variables: databases, Kafka. */
  readonly environment: Readonly<Record<string, string>>;
  readonly processes: readonly ClusterMember[];
}

/** A cluster that is ready for payments; its own process is the one that keeps the others. */
export interface ClusterProcess extends SandboxProcess {
  /** As it is now: a process that was started again has another number. */
  describe(): Promise<ClusterDescription>;
  /** The processes of one service that run now. */
  members(service: string): Promise<readonly ClusterMember[]>;
}

/** Starts the cluster as `npm run cluster` does, and waits for its ready line. */
export async function startCluster(options: SandboxOptions): Promise<ClusterProcess> {
  const started = await startSandbox({
    program: CLUSTER,
    readyWithinMs: READY_WITHIN_MS,
    ...options,
  });
  const describe = async (): Promise<ClusterDescription> =>
    JSON.parse(
      await readFile(join(options.dataFolder, 'installation.json'), 'utf8'),
    ) as ClusterDescription;
  const members = async (service: string): Promise<readonly ClusterMember[]> =>
    (await describe()).processes.filter((member) => member.service === service);
  return { ...started, describe, members };
}
