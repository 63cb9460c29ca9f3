import { isAlive, startTicksOf } from '@sluice/local-installation';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

/** One process of the cluster as it runs now. */
export interface RunningProcess {
  readonly name: string;
  readonly service: string;
  readonly pid: number;
  /** Tells it from a later process with the same number. */
  readonly startTicks?: string;
  readonly management?: string;
  readonly url?: string;
  /** All that it was told, to start another one beside it; holds secrets. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** What the cluster tells of itself: to the command `sluice`, and to tests. */
export interface ClusterFile {
  /** Where merchants reach it. */
  readonly url: string;
  readonly pid: number;
  readonly brokers: string;
  /** Variables with the values that the services have, under the services' own names. */
  readonly environment: Readonly<Record<string, string>>;
  readonly processes: readonly RunningProcess[];
}

/** Its name in the data folder. */
export const CLUSTER_FILE = 'cluster.json';

const SURVIVORS_END_WITHIN_MS = 5_000;
const POLL_INTERVAL_MS = 50;

/** Writes the file, readable by its owner alone, whole or not at all. */
export async function writeClusterFile(folder: string, content: ClusterFile): Promise<void> {
  const path = join(folder, CLUSTER_FILE);
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, path);
}

/** With the cluster goes what it told: the passwords in it are new at each start. */
export async function removeClusterFile(folder: string): Promise<void> {
  await rm(join(folder, CLUSTER_FILE), { force: true });
}

/** A process as the file has it. */
export function runningProcess(process_: Omit<RunningProcess, 'startTicks'>): RunningProcess {
  const startTicks = startTicksOf(process_.pid);
  return { ...process_, ...(startTicks === undefined ? {} : { startTicks }) };
}

/**
 * Ends the services of a cluster that was killed. They notice its end themselves, but one may still
 * be finishing its calls, and two simulators must not write one book.
 */
export async function endSurvivors(folder: string): Promise<number> {
  const survivors = (await readProcesses(folder)).filter(isAlive);
  const killAt = performance.now() + SURVIVORS_END_WITHIN_MS;
  for (const survivor of survivors) process.kill(survivor.pid, 'SIGTERM');
  while (survivors.some(isAlive)) {
    if (performance.now() > killAt) {
      for (const survivor of survivors.filter(isAlive)) process.kill(survivor.pid, 'SIGKILL');
    }
    await pause(POLL_INTERVAL_MS);
  }
  return survivors.length;
}

async function readProcesses(folder: string): Promise<readonly RunningProcess[]> {
  try {
    const text = await readFile(join(folder, CLUSTER_FILE), 'utf8');
    return (JSON.parse(text) as ClusterFile).processes.filter(({ url }) => url !== undefined);
  } catch {
    return [];
  }
}
