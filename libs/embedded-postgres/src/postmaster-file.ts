import { existsSync } from 'node:fs';
import { readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** What PostgreSQL writes about itself into `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number;
  /** 0 until the server listens. */
  readonly port: number;
  /** `starting`, `stopping`, `ready`; empty until it is known. */
  readonly status: string;
}

const PID_FILE = 'postmaster.pid';

/** The `postmaster.pid` of a database folder, or undefined when there is none. */
export async function readPostmasterFile(
  databaseFolder: string,
): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(databaseFolder, PID_FILE), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  return {
    pid: Number(lines[0]),
    port: Number(lines[3] ?? 0),
    status: (lines[7] ?? '').trim(),
  };
}

/** The server that runs on this database folder, or undefined. */
export async function livePostmaster(databaseFolder: string): Promise<PostmasterFile | undefined> {
  const file = await readPostmasterFile(databaseFolder);
  if (file === undefined || !(file.pid > 0)) return undefined;
  return (await isPostmasterOf(file.pid, databaseFolder)) ? file : undefined;
}

/**
 * Whether the process is a server of this very folder. A bare number proves nothing: after a
 * restart of a container somebody else often has it, and PostgreSQL would then refuse to start.
 */
async function isPostmasterOf(pid: number, databaseFolder: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (!existsSync('/proc/self/cwd')) return true; // no way to know more than that it lives
  const folder = await realpath(databaseFolder).catch(() => databaseFolder);
  // A server changes into its folder; a zombie and another user's process give an error.
  return (await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) === folder;
}

/** Whether the folder still names a server; it is removed as the last act of a clean stop. */
export function hasPostmasterFile(databaseFolder: string): boolean {
  return existsSync(join(databaseFolder, PID_FILE));
}

/** Where the file is, for removing one that certainly belongs to no server. */
export function postmasterFilePath(databaseFolder: string): string {
  return join(databaseFolder, PID_FILE);
}
