import {
  INSTALLATION_FILE,
  type InstallationFile,
  isAlive,
  startTicksOf,
} from '@sluice/local-installation';
import { readFile } from 'node:fs/promises';
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
export interface ClusterFile extends InstallationFile {
  readonly brokers: string;
  readonly processes: readonly RunningProcess[];
}

const SURVIVORS_END_WITHIN_MS = 5_000;
const POLL_INTERVAL_MS = 50;

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
    const text = await readFile(join(folder, INSTALLATION_FILE), 'utf8');
    return (JSON.parse(text) as ClusterFile).processes.filter(({ url }) => url !== undefined);
  } catch {
    return [];
  }
}
