import { deletePostgresData } from '@sluice/embedded-postgres';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { INSTALLATION_FILE } from './installation-file.js';

/** Who has, or had, the data folder. */
export interface Holder {
  readonly pid: number;
  readonly port: number;
  /** ISO 8601, UTC. */
  readonly since: string;
  /** Tells the process from a later one with the same number, where the system says so. */
  readonly startTicks?: string;
}

/** Where nothing can be kept; the message is a sentence. */
export class FolderUnusable extends Error {
  override readonly name = 'FolderUnusable';
}

/** Somebody else works on the folder; the message is a sentence. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/** The folder belongs to this process until it is released. */
export interface ClaimedFolder {
  readonly path: string;
  /** The process before that had no time to release it: it was killed. */
  readonly uncleanStopOf?: Holder;
  release(): Promise<void>;
}

const PID_FILE = 'sluice.pid';
/** How far clocks of entities were set, see the sandbox. */
export const CLOCKS_FILE = 'clocks.json';
const CLAIM_ATTEMPTS_MAX = 5;
/** What a reset deletes beside the database; a folder may hold other people's things. */
const OWN_ENTRIES = ['keys', 'simulator', CLOCKS_FILE, INSTALLATION_FILE] as const;
/**
 * Any of these shows that a folder is an installation's, even one whose first start was cut off. A folder
 * that is merely named `keys` may be anybody's.
 */
const MARKS = [
  ...['postgres.password', 'postgres.owner'],
  ...['keys/installation.id', 'keys/vault.json', 'simulator/book.jsonl'],
];

/**
 * Claims the folder for this process. Throws FolderInUse while the process that the pid file names
 * is alive, because two on one folder would fight over its PostgreSQL.
 */
export async function claimFolder(folder: string, port: number): Promise<ClaimedFolder> {
  const path = resolve(folder);
  const file = join(path, PID_FILE);
  try {
    await makeFolder(path);
    const uncleanStopOf = await claimFile(path, file, port);
    return {
      path,
      ...(uncleanStopOf === undefined ? {} : { uncleanStopOf }),
      release: () => rm(file, { force: true }),
    };
  } catch (error) {
    if (error instanceof FolderInUse) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new FolderUnusable(
      `The data folder ${path} cannot be used: ${reasonOf(code)}; give another with --data.`,
      { cause: error },
    );
  }
}

/** Writes the port that was really taken, for the message of a second start. */
export async function notePort({ path }: ClaimedFolder, port: number): Promise<void> {
  const file = join(path, PID_FILE);
  await withHolderText(file, port, (written) => rename(written, file));
}

/**
 * Deletes what Sluice keeps in the folder (`moreEntries`: the caller's own), and nothing else that may lie there; the sentence says
 * what it was. Throws FolderUnusable where there are only things that are not Sluice's.
 */
export async function resetFolder(
  { path, uncleanStopOf }: ClaimedFolder,
  moreEntries: readonly string[] = [],
): Promise<string> {
  const isOurs = uncleanStopOf !== undefined || MARKS.some((mark) => existsSync(join(path, mark)));
  if (!isOurs && (await othersIn(path)).length > 0) {
    throw new FolderUnusable(
      `Nothing was deleted: ${path} is not empty and is no data folder of Sluice. Give the ` +
        'folder to reset with --data, or start without --reset to use this one.',
    );
  }
  const deleted = await deletePostgresData(path);
  const own = [...OWN_ENTRIES, ...moreEntries];
  for (const entry of own.map((name) => join(path, name)).filter(existsSync)) {
    await rm(entry, { recursive: true });
    deleted.push(entry);
  }
  if (deleted.length === 0) return `There was nothing to delete in ${path}.`;
  const names = deleted.map((entry) => (dirname(entry) === path ? basename(entry) : entry));
  const left = (await othersIn(path)).length;
  const rest = left === 0 ? '' : ` What is not Sluice's was left there (${left}).`;
  return `Deleted from ${path}: ${names.join(', ')}.${rest}`;
}

async function othersIn(path: string): Promise<readonly string[]> {
  return (await readdir(path)).filter((name) => !name.startsWith(PID_FILE));
}

/**
 * Makes `file` name this process, and returns the dead holder that it named before. Throws FolderInUse while its holder lives.
 *
 * A file appears whole or not at all, so that one that cannot be read is never a live holder's. The file of a dead holder is
 * replaced only by who has claimed the right to replace this very file, which is a file of the same kind named after it: whoever
 * looked earlier and comes later finds another file, and looks again.
 */
async function claimFile(path: string, file: string, port: number): Promise<Holder | undefined> {
  for (let attempt = 1; attempt <= CLAIM_ATTEMPTS_MAX; attempt += 1) {
    if (await withHolderText(file, port, (written) => linked(written, file))) return undefined;
    const found = await identityOf(file);
    const holder = await readHolder(file);
    if (holder !== undefined && isAlive(holder)) throw new FolderInUse(inUse(path, holder));
    if (found === undefined) continue;
    const right = `${file}.${found}`;
    await claimFile(path, right, port);
    try {
      if ((await identityOf(file)) !== found) continue;
      await withHolderText(file, port, (written) => rename(written, file));
      return holder;
    } finally {
      await rm(right, { force: true });
    }
  }
  throw new FolderInUse(`${file} cannot be taken over.`);
}

/** One folder at a time: below /proc, Node's own `recursive` tries again and again for ever. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path);
  }
}

function reasonOf(code: string | undefined): string {
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'a file is in its place';
    case 'EACCES':
    case 'EPERM':
      return 'this user may not write there';
    case 'EROFS':
      return 'the disk may only be read';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full';
    case 'ENOENT':
      return 'no folder can be made there';
    default:
      return code ?? 'unknown reason';
  }
}

function inUse(path: string, { pid, port, since }: Holder): string {
  const where = port === 0 ? '' : ` on port ${port}`;
  return (
    `The data folder ${path} is in use by Sluice, process number ${pid}${where}, ` +
    `running since ${since}. Stop that one, or give this one another folder with --data.`
  );
}

/** Gives `place` a file that names this process, whole, to be put in its place; what is left of it is deleted. */
async function withHolderText<Result>(
  file: string,
  port: number,
  place: (written: string) => Promise<Result>,
): Promise<Result> {
  const written = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(written, holderText(port), { mode: 0o600, flag: 'wx' });
    return await place(written);
  } finally {
    await rm(written, { force: true });
  }
}

/** Whether the file has the second name now; false where that name is taken. */
async function linked(written: string, file: string): Promise<boolean> {
  try {
    await link(written, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Tells a file from a later one of its name; undefined where there is none. */
async function identityOf(file: string): Promise<string | undefined> {
  try {
    const { ino, mtimeNs } = await stat(file, { bigint: true });
    return `${ino}-${mtimeNs}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function holderText(port: number): string {
  const startTicks = startTicksOf(process.pid);
  const holder: Holder = {
    pid: process.pid,
    port,
    since: `${new Date(Date.now() - process.uptime() * 1_000).toISOString().slice(0, 19)}Z`,
    ...(startTicks === undefined ? {} : { startTicks }),
  };
  return `${JSON.stringify(holder)}\n`;
}

/** Undefined when the file is gone, or is none of ours. */
async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

/** Whether it is this very process that runs, and not a later one with its number. */
export function isAlive({ pid, startTicks }: Pick<Holder, 'pid' | 'startTicks'>): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const ticks = startTicksOf(pid);
  return startTicks === undefined || ticks === undefined || ticks === startTicks;
}

/** When a process was started, in ticks since the machine was; Linux alone says so. */
export function startTicksOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in brackets and may hold spaces; the start is field 22.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'zombie' : fields[19];
  } catch {
    return undefined;
  }
}
