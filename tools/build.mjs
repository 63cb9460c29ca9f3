// The first half of every command that runs compiled code: compiles `src` of every project (or of the
// folders that are named) to `dist` with SWC inside this process. Only what changed is compiled, and a check that finds nothing to do does
// not even load the compiler. Types are checked elsewhere (`npm run typecheck`). What runs in browsers is bundled
// (bundle.mjs).
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import process from 'node:process';
import { readProjects, workspaceRoot } from './projects.mjs';
import { isTestFile } from './source-files.mjs';
import { swcOptions } from './swc-options.mjs';

/** Raise it when the layout of the output changes, so that every file is compiled again. */
const LAYOUT_VERSION = 1;

/** Where a bundle is, below its project; what is in it, bundle.mjs says. */
export const BUNDLE_FOLDER = 'dist/bundle';

const CACHE_FOLDER = join('node_modules', '.cache', 'sluice');

/**
 * @typedef {import('./projects.mjs').Project} Project
 * @typedef {{ settings: string, sources: Record<string, string> }} BuildRecord what the last build
 * compiled: by source path, the state (size and time) in which it was compiled
 * @typedef {{ source: string, output: string, state: string }} Job paths relative to the root
 */

/** Files below a folder, relative to it, with slashes. @returns {string[]} */
function filesBelow(/** @type {string} */ folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(folder, entry.name)).map((file) => `${entry.name}/${file}`)
      : [entry.name],
  );
}

/** A program file is compiled, data beside it (JSON, SQL) is copied, what is for tests alone stays where it is. */
function outputName(/** @type {string} */ source) {
  if (isTestFile(source) || source.endsWith('.d.ts')) return undefined;
  return source.endsWith('.ts') ? source.replace(/\.ts$/u, '.js') : source;
}

/** Of what runs in browsers only the index is for Node. @returns {Job[]} */
function jobsOf(/** @type {string} */ root, /** @type {Project} */ project) {
  const { folder } = project;
  const files = isBundled(project) ? ['index.ts'] : filesBelow(join(root, folder, 'src'));
  return files.flatMap((file) => {
    const name = outputName(file);
    if (name === undefined) return [];
    const source = `${folder}/src/${file}`;
    return [{ source, output: `${folder}/dist/${name}`, state: stateOf(root, source) }];
  });
}

function stateOf(/** @type {string} */ root, /** @type {string} */ file) {
  const { mtimeMs, size } = statSync(join(root, file));
  return `${size} ${mtimeMs}`;
}

function isBundled(/** @type {Project} */ { manifest }) {
  return manifest.nx?.tags?.includes('type:browser') === true;
}

/**
 * What a bundle is made of: its project's sources, those of the projects that it needs, and the packages.
 * @returns {Job}
 */
function bundleJob(
  /** @type {string} */ root,
  /** @type {Project} */ project,
  /** @type {readonly Project[]} */ projects,
) {
  const needed = new Set([project]);
  // A set is walked to its end even while it grows.
  for (const { manifest } of needed) {
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const found = projects.find((one) => one.name === name);
      if (found !== undefined) needed.add(found);
    }
  }
  const files = [...needed].flatMap(({ folder }) => [
    `${folder}/package.json`,
    ...filesBelow(join(root, folder, 'src'))
      .filter((file) => !isTestFile(file))
      .map((file) => `${folder}/src/${file}`),
  ]);
  const places = [...files, 'package-lock.json', 'tools/bundle.mjs'].filter((file) =>
    existsSync(join(root, file)),
  );
  const state = places.map((file) => `${file} ${stateOf(root, file)}`).join('\n');
  const { folder } = project;
  const output = `${folder}/${BUNDLE_FOLDER}/bundle.json`;
  // Not the state itself, which is long.
  return { source: output, output, state: createHash('sha256').update(state).digest('hex') };
}

/**
 * Under another name first: a program that starts meanwhile never reads half a file. The other name
 * is outside of `dist`, where a second build would take it for a stale file.
 */
export function writeWhole(
  /** @type {string} */ root,
  /** @type {string} */ path,
  /** @type {string | Buffer} */ content,
) {
  const unfinished = join(root, CACHE_FOLDER, `unfinished-${randomUUID()}`);
  mkdirSync(dirname(unfinished), { recursive: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}

/** @returns {Promise<void>} */
async function compile(/** @type {string} */ root, /** @type {Job} */ job) {
  const output = join(root, job.output);
  if (!job.source.endsWith('.ts')) {
    writeWhole(root, output, readFileSync(join(root, job.source)));
    return;
  }
  const { transform } = await import('@swc/core');
  const { code, map } = await transform(readFileSync(join(root, job.source), 'utf8'), {
    ...swcOptions(),
    filename: join(root, job.source),
    sourceFileName: relative(dirname(output), join(root, job.source)),
    inlineSourcesContent: false,
  });
  writeWhole(root, `${output}.map`, map ?? '');
  writeWhole(root, output, `${code}//# sourceMappingURL=${basename(output)}.map\n`);
}

/** In a process of its own (bundle.mjs), which says itself what is wrong. @returns {Promise<void>} */
async function bundle(/** @type {string} */ root, /** @type {string} */ folder) {
  const words = [join(workspaceRoot, 'tools', 'bundle.mjs'), root, folder];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = /** @type {[number | null]} */ (await once(child, 'close'));
  if (code !== 0) throw new Error(`${folder} could not be bundled.`);
}

/** Removes what an earlier build wrote and this one would not. @returns {number} files removed */
function removeStale(
  /** @type {string} */ root,
  /** @type {string} */ project,
  /** @type {Job[]} */ jobs,
) {
  const wanted = new Set(jobs.flatMap(({ output }) => [output, `${output}.map`]));
  const stale = filesBelow(join(root, project, 'dist'))
    .map((file) => `${project}/dist/${file}`)
    .filter((file) => !wanted.has(file) && !file.startsWith(`${project}/${BUNDLE_FOLDER}/`));
  for (const file of stale) rmSync(join(root, file), { force: true });
  return stale.length;
}

/** @returns {BuildRecord} */
function lastBuild(/** @type {string} */ path, /** @type {string} */ settings) {
  try {
    const record = /** @type {BuildRecord} */ (JSON.parse(readFileSync(path, 'utf8')));
    if (record.settings === settings) return record;
  } catch {
    // No record, or an unreadable one: everything is compiled, which is always right.
  }
  return { settings, sources: {} };
}

/**
 * Brings `dist` up to date with `src`.
 * @param {string} [root] the workspace's folder
 * @param {readonly string[]} [folders] of projects; all when none is named
 * @returns {Promise<{ compiled: number, removed: number }>} numbers of files; a bundle counts as one
 */
export async function build(root = workspaceRoot, folders = []) {
  const recordPath = join(root, CACHE_FOLDER, 'build.json');
  const compiler = readFileSync(join(workspaceRoot, 'node_modules/@swc/core/package.json'), 'utf8');
  const { version } = /** @type {{ version: string }} */ (JSON.parse(compiler));
  const settings = JSON.stringify([LAYOUT_VERSION, version, swcOptions()]);
  const record = lastBuild(recordPath, settings);

  const projects = readProjects(root);
  const asked = projects.filter(({ folder }) => folders.length === 0 || folders.includes(folder));
  const work = asked.map((project) => ({ folder: project.folder, jobs: jobsOf(root, project) }));
  const bundles = asked
    .filter(isBundled)
    .map((project) => ({ folder: project.folder, job: bundleJob(root, project, projects) }));
  const removed = work.reduce((sum, { folder, jobs }) => sum + removeStale(root, folder, jobs), 0);
  const jobs = work.flatMap((project) => project.jobs);
  const isChanged = (/** @type {Job} */ { source, output, state }) =>
    record.sources[source] !== state || !existsSync(join(root, output));
  const changed = jobs.filter(isChanged);
  const unbundled = bundles.filter(({ job }) => isChanged(job));
  if (changed.length + unbundled.length > 0) {
    await Promise.all(changed.map((job) => compile(root, job)));
    await Promise.all(unbundled.map(({ folder }) => bundle(root, folder)));
    const done = [...jobs, ...bundles.map(({ job }) => job)];
    const built = Object.fromEntries(done.map(({ source, state }) => [source, state]));
    // Another build may have recorded other projects meanwhile.
    const others = folders.length === 0 ? {} : lastBuild(recordPath, settings).sources;
    const sources = { ...others, ...built };
    writeWhole(root, recordPath, JSON.stringify({ settings, sources }));
  }
  return { compiled: changed.length + unbundled.length, removed };
}
