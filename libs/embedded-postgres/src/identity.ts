import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chown, cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { PostgresBinaries } from './binaries.js';

/** As whom PostgreSQL runs, and where. */
export interface Identity {
  /** The programs, perhaps copied to where that user can reach them. */
  readonly binaries: PostgresBinaries;
  /** The folder for the database, its password and its log; usually the one asked for. */
  readonly folder: string;
  /** Words before the program's own: `unshare …`. */
  readonly prefix: readonly string[];
  readonly user?: User;
}

/** An account other than the one that runs Node. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root; in a user namespace it sees this ordinary number instead. */
const NAMESPACE = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'];
/** The account that every Unix has for programs that own nothing. */
const NOBODY: User = { uid: 65_534, gid: 65_534 };
/** Where databases go that cannot stay in a folder only root may enter. */
const COMMON_PLACE = '/var/lib/sluice';

/** The database proper inside the folder. */
export function databaseFolder(folder: string): string {
  return join(folder, 'postgres');
}

/**
 * Chooses how to run. An ordinary user just runs. Root runs PostgreSQL in a user namespace, where
 * the files stay root's and folders with mode 0700 work. Where namespaces are forbidden (some
 * containers), and where the database already is another user's, that user or nobody is taken; what
 * that user cannot reach moves to a folder below /var/lib, and `onProgress` says so.
 */
export async function chooseIdentity(
  binaries: PostgresBinaries,
  folder: string,
  onProgress: (line: string) => void,
  namespaceAllowed = true,
): Promise<Identity> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const plain: Identity = { binaries, folder, prefix: [] };
  if (process.getuid?.() !== 0) return plain;
  const present = [databaseFolder(folder), folder].find((path) => existsSync(path)) ?? folder;
  const owner = statSync(present);
  const inNamespace: Identity = { ...plain, prefix: NAMESPACE };
  if (owner.uid === 0 && namespaceAllowed && canRun(inNamespace, binaries.postgres, folder)) {
    return inNamespace;
  }
  const user = owner.uid === 0 ? NOBODY : { uid: owner.uid, gid: owner.gid };
  return asUnprivilegedUser(plain, user, onProgress);
}

async function asUnprivilegedUser(
  plain: Identity,
  user: User,
  onProgress: (line: string) => void,
): Promise<Identity> {
  const identity: Identity = { ...plain, user };
  if (!canRun(identity, 'true')) {
    throw new Error(
      'PostgreSQL does not run as root, and this container allows neither user namespaces nor ' +
        'another user. Start Sluice as an ordinary user, or name a server with --database.',
    );
  }
  const folder = await reachableFolder(identity, user, onProgress);
  const binaries = canRun(identity, plain.binaries.postgres)
    ? plain.binaries
    : await copiedBinaries(plain.binaries, onProgress);
  const database = databaseFolder(folder);
  if (existsSync(database) && statSync(database).uid !== user.uid) await giveTo(user, database);
  return { binaries, folder, prefix: [], user };
}

async function reachableFolder(
  identity: Identity,
  user: User,
  onProgress: (line: string) => void,
): Promise<string> {
  const probe = await mkdtemp(join(identity.folder, 'probe-'));
  await chown(probe, user.uid, user.gid);
  const reachable = canRun(identity, 'true', probe);
  await rm(probe, { recursive: true });
  if (reachable) return identity.folder;
  const folder = movedFolder(identity.folder);
  await mkdir(folder, { recursive: true, mode: 0o711 });
  onProgress(
    `The database is kept in ${folder}, because PostgreSQL cannot enter ${identity.folder} ` +
      'without being root.',
  );
  return folder;
}

/** Where a folder's database goes when it must move: always the same place, to be found again. */
export function movedFolder(folder: string): string {
  return join(COMMON_PLACE, `data-${digestOf(resolve(folder))}`);
}

async function copiedBinaries(
  binaries: PostgresBinaries,
  onProgress: (line: string) => void,
): Promise<PostgresBinaries> {
  const root = join(COMMON_PLACE, `postgresql-${digestOf(binaries.root)}`);
  if (!existsSync(root)) {
    onProgress(`Copying PostgreSQL to ${root}, because it does not run as root …`);
    await mkdir(COMMON_PLACE, { recursive: true, mode: 0o755 });
    const unfinished = `${root}.${process.pid}`;
    await cp(binaries.root, unfinished, { recursive: true, verbatimSymlinks: true });
    await rename(unfinished, root);
  }
  const program = (path: string): string => join(root, 'bin', basename(path));
  return { root, initdb: program(binaries.initdb), postgres: program(binaries.postgres) };
}

/** A database that was made under another identity changes hands; one folder deep is not enough. */
async function giveTo(user: User, path: string): Promise<void> {
  await chown(path, user.uid, user.gid);
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    await chown(join(entry.parentPath, entry.name), user.uid, user.gid);
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Whether the program runs that way and may write into the folder, if one is given. */
function canRun(identity: Identity, program: string, folder?: string): boolean {
  const { file, leading, options } = invocation(identity, 'sh');
  const check = folder === undefined ? '"$1" --version' : 'test -w "$2" && "$1" --version';
  const result = spawnSync(file, [...leading, '-c', check, 'sh', program, folder ?? ''], {
    ...options,
    cwd: '/',
    stdio: 'ignore',
  });
  return result.status === 0;
}

/** How to spawn a program under an identity: the file, the words before its own, the options. */
export function invocation(
  identity: Identity,
  program: string,
): { file: string; leading: readonly string[]; options: { uid?: number; gid?: number } } {
  const words = [...identity.prefix, program];
  return { file: words[0] ?? program, leading: words.slice(1), options: identity.user ?? {} };
}
