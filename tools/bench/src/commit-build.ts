import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Ignored by Git and by every check; whoever deletes it makes the next comparison a minute longer. */
const COMMITS = join(ROOT, 'node_modules', '.cache', 'sluice', 'commits');
const PACKAGES = 'node_modules';
const LOCK = 'package-lock.json';
/** What npm has installed, in its own words. */
const RECORD = '.package-lock.json';
const BASELINE = fileURLToPath(new URL('../baseline', import.meta.url));

/** A commit to compare with cannot be had; the message is a sentence. */
export class CommitUnavailable extends Error {
  override readonly name = 'CommitUnavailable';
}

/** What a change is compared with, and why it is this commit. */
export interface Release {
  readonly commit: string;
  readonly reason: string;
}

/** The newest tag `v…` before this commit, else the commit that the file `baseline` names. */
export function lastRelease(): Release {
  const described = git(['describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD~1']);
  const tag = described.output.trim();
  if (described.isDone) return { commit: tag, reason: `the last release, ${tag}` };
  const commit = readFileSync(BASELINE, 'utf8').trim();
  const reason = `${commit.slice(0, 10)}, which tools/bench/baseline names: this clone has no tag of a release`;
  return { commit, reason };
}

/**
 * A folder with the build of a commit. It stays there, so that the next comparison has it at once.
 * Throws CommitUnavailable.
 */
export function builtCommit(name: string, say: (line: string) => void): string {
  const commit = foundCommit(name, say);
  const folder = join(COMMITS, commit);
  if (!existsSync(join(folder, 'package.json'))) {
    say(`${name}: a worktree of its own …`);
    mkdirSync(COMMITS, { recursive: true });
    // Of a folder that was deleted Git still knows.
    git(['worktree', 'prune']);
    const added = git(['worktree', 'add', '--detach', '--force', folder, commit]);
    if (!added.isDone) throw new CommitUnavailable(`Git makes no worktree: ${added.error}`);
  }
  if (!existsSync(join(folder, PACKAGES, RECORD)) && hasSamePackages(folder)) {
    say(`${name}: the packages of this build, which are the same …`);
    linkPackages(folder);
  }
  say(`${name}: packages and build …`);
  for (const script of ['ensure-packages.mjs', 'run-build.mjs']) {
    const path = join(folder, 'tools', script);
    const { status } = spawnSync(process.execPath, [path], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new CommitUnavailable(`${name} does not build: ${script} failed.`);
  }
  return folder;
}

/** Its full id. A shallow clone lacks most commits; one of them can be fetched alone. */
function foundCommit(name: string, say: (line: string) => void): string {
  const parse = (): GitAnswer => git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);
  const here = parse();
  if (here.isDone) return here.output.trim();
  say(`${name} is not in this clone; asking origin for it …`);
  const fetched = git(['fetch', '--quiet', '--depth=1', '--no-tags', 'origin', name]);
  const there = fetched.isDone ? git(['rev-parse', '--verify', 'FETCH_HEAD^{commit}']) : fetched;
  if (there.isDone) return there.output.trim();
  throw new CommitUnavailable(
    `${name} is not in this clone and cannot be fetched, so nothing was compared. A whole clone has ` +
      `it (git fetch --unshallow); --against names another. Git says: ${fetched.error}`,
  );
}

function hasSamePackages(folder: string): boolean {
  return readFileSync(join(folder, LOCK)).equals(readFileSync(join(ROOT, LOCK)));
}

/**
 * As `npm ci` would make it, in a second: the links to the projects are relative, and lead to those
 * beside the copy. npm's own record comes last, because by it a whole installation is told from half a one.
 */
function linkPackages(folder: string): void {
  for (const place of placesOf(folder)) {
    const [from, to] = [join(ROOT, place), join(folder, place)];
    rmSync(to, { recursive: true, force: true });
    mkdirSync(to);
    const names = readdirSync(from).filter((name) => name !== '.cache' && name !== RECORD);
    for (const name of place === PACKAGES ? [...names, RECORD] : names) {
      const { status } = spawnSync('cp', ['-al', join(from, name), join(to, name)]);
      if (status === 0) continue;
      // Another file system has no links to this one.
      cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    }
  }
}

/** Where packages lie: some projects have those of another version beside them. The root's is last. */
function placesOf(folder: string): readonly string[] {
  const lock = JSON.parse(readFileSync(join(folder, LOCK), 'utf8')) as { packages: object };
  const nested = Object.keys(lock.packages)
    .filter((path) => !path.startsWith(PACKAGES) && path.includes(`/${PACKAGES}/`))
    .map((path) => path.slice(0, path.indexOf(`/${PACKAGES}/`) + 1) + PACKAGES);
  return [...new Set(nested), PACKAGES];
}

interface GitAnswer {
  readonly isDone: boolean;
  readonly output: string;
  readonly error: string;
}

function git(words: readonly string[]): GitAnswer {
  const { status, stdout, stderr, error } = spawnSync('git', words, {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (error !== undefined) return { isDone: false, output: '', error: error.message };
  return { isDone: status === 0, output: stdout, error: stderr.trim() };
}
