import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { databaseFolder, type Identity, invocation } from './identity.js';

/** The superuser of an embedded server. */
export const SUPERUSER = 'postgres';
/** A log longer than this is put aside at the next start, one generation is kept. */
export const LOG_BYTES_MAX = 10 * 1024 * 1024;
/** initdb takes away what it has made, which is some hundred milliseconds' work; D-63 gives 2 s. */
const ABORTED_WITHIN_MS = 1_000;
const UNFINISHED = 'postgres.unfinished-';

const run = promisify(execFile);

/** The server's own messages. */
export function logFile(folder: string): string {
  return join(folder, 'postgres.log');
}

/**
 * Makes the database once: with a random password (kept in the folder, mode 0600), no locale, UTF-8
 * and checksums. It is built beside its place and renamed, so that a start which was cut off leaves
 * nothing half made. Returns the superuser's password.
 */
export async function ensureDatabase(
  identity: Identity,
  onProgress: (line: string) => void,
  signal?: AbortSignal,
): Promise<string> {
  const { folder } = identity;
  const passwordFile = join(folder, 'postgres.password');
  if (existsSync(databaseFolder(folder))) {
    return readFile(passwordFile, 'utf8').catch(() => {
      throw new Error(
        `The database in ${folder} is there but its password file is not (${passwordFile}).`,
      );
    });
  }
  onProgress('Creating the database (first start on this folder) …');
  await removeUnfinished(folder);
  const unfinished = join(folder, `${UNFINISHED}${randomBytes(4).toString('hex')}`);
  await mkdir(unfinished, { mode: 0o700 });
  const password = randomBytes(24).toString('hex');
  await writePrivately(passwordFile, password);
  if (identity.user !== undefined) {
    const { uid, gid } = identity.user;
    await Promise.all([chown(unfinished, uid, gid), chown(passwordFile, uid, gid)]);
  }
  const { file, leading, options } = invocation(identity, identity.binaries.initdb);
  const words = ['-D', unfinished, '-U', SUPERUSER, '-A', 'scram-sha-256', '--no-locale'];
  words.push('-E', 'UTF8', '--no-instructions', `--pwfile=${passwordFile}`);
  const making = run(file, [...leading, ...words], {
    ...options,
    env: serverEnvironment(),
    ...(signal === undefined ? {} : { signal }),
  });
  const ended = new Promise((resolve) => making.child.once('exit', resolve));
  await making.catch(async (error: unknown) => {
    // An abort comes before the program's end; until then it would write where the next one begins.
    if (signal?.aborted === true) await Promise.race([ended, pause(ABORTED_WITHIN_MS)]);
    await rm(unfinished, { recursive: true, force: true });
    const { stderr } = error as { stderr?: string };
    throw new Error(`PostgreSQL could not make a database in ${folder}: ${stderr ?? ''}`);
  });
  await rename(unfinished, databaseFolder(folder));
  return password;
}

async function removeUnfinished(folder: string): Promise<void> {
  const leftovers = (await readdir(folder)).filter((name) => name.startsWith(UNFINISHED));
  await Promise.all(leftovers.map((name) => rm(join(folder, name), { recursive: true })));
}

async function writePrivately(path: string, text: string): Promise<void> {
  await rm(path, { force: true }); // an old file would keep its old mode
  const file = await open(path, 'wx', 0o600);
  await file.writeFile(text);
  await file.sync();
  await file.close();
}

/** Puts an overlong log aside, so that years of starts do not fill the disk. */
export async function boundLog(folder: string): Promise<void> {
  const size = await stat(logFile(folder)).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_BYTES_MAX) await rename(logFile(folder), `${logFile(folder)}.1`);
}

/** The caller's environment without what would point PostgreSQL elsewhere or change its language. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(own), LC_ALL: 'C', TZ: 'UTC' };
}
