import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InstallationUnderTest } from './installation-under-test.js';
import { cpuSecondsOf, cpuSecondsOfTree } from './process-usage.js';

/** CPU seconds so far, by the name of the part. */
export type CpuUsage = ReadonlyMap<string, number>;

/** What belongs to the test and not to the gateway; counted, and shown apart (D-60). */
export const SIMULATOR = 'simulator';

interface ClusterFile {
  readonly processes: readonly {
    readonly name: string;
    readonly pid: number;
    /** Where it answers probes; what is not ours has none. */
    readonly management?: string;
  }[];
}

/**
 * What each process of an installation has used. PostgreSQL is whatever is below the started
 * process and has no other name: its postmaster, all of its backends, and the two small watchdogs.
 */
export function cpuUsage(installation: InstallationUnderTest): CpuUsage {
  const { pid, profile } = installation;
  const usage = new Map(
    profile === 'sandbox'
      ? [['node', cpuSecondsOf(pid)]]
      : [
          ['keeper and log', cpuSecondsOf(pid)],
          ...clusterProcesses(installation).map(({ name, pid: own }): [string, number] => [
            name,
            cpuSecondsOf(own),
          ]),
        ],
  );
  const named = [...usage.values()].reduce((sum, seconds) => sum + seconds, 0);
  return usage.set('postgres', Math.max(0, cpuSecondsOfTree(pid) - named));
}

/** What was used between two looks. */
export function usedBetween(before: CpuUsage, after: CpuUsage): CpuUsage {
  return new Map([...after].map(([name, seconds]) => [name, seconds - (before.get(name) ?? 0)]));
}

/** All of it together. */
export function totalOf(usage: CpuUsage): number {
  return [...usage.values()].reduce((sum, seconds) => sum + seconds, 0);
}

/** The processes that the cluster tells of. */
export function clusterProcesses({ dataFolder }: InstallationUnderTest): ClusterFile['processes'] {
  const text = readFileSync(join(dataFolder, 'installation.json'), 'utf8');
  return (JSON.parse(text) as ClusterFile).processes;
}
