import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InstallationUnderTest } from './installation-under-test.js';
import { cpuSecondsOf, cpuSecondsOfTree, pidsOfTree } from './process-usage.js';

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
  const usage = new Map(
    [...namedPids(installation)].map(([name, pid]) => [name, cpuSecondsOf(pid)]),
  );
  const named = [...usage.values()].reduce((sum, seconds) => sum + seconds, 0);
  return usage.set('postgres', Math.max(0, cpuSecondsOfTree(installation.pid) - named));
}

/** The process ids of each part, by the names that `cpuUsage` gives. */
export function pidsOfParts(
  installation: InstallationUnderTest,
): ReadonlyMap<string, readonly number[]> {
  const named = namedPids(installation);
  const known = new Set(named.values());
  const others = pidsOfTree(installation.pid).filter((pid) => !known.has(pid));
  const parts = [...named].map(([name, pid]): [string, number[]] => [name, [pid]]);
  return new Map([...parts, ['postgres', others]]);
}

function namedPids(installation: InstallationUnderTest): ReadonlyMap<string, number> {
  if (installation.profile === 'sandbox') return new Map([['node', installation.pid]]);
  const processes = clusterProcesses(installation);
  return new Map([
    ['keeper and log', installation.pid],
    ...processes.map(({ name, pid }): [string, number] => [name, pid]),
  ]);
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
