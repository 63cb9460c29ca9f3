// Which files of the repository the services' image has. docker/Dockerfile calls it:
//
//   node tools/image-files.mjs manifests FOLDER   what npm installs by: FOLDER/all, FOLDER/production
//   node tools/image-files.mjs programs FOLDER    what runs: each project's "files", or "dist"
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { readManifest, readProjects, workspaceRoot } from './projects.mjs';

/**
 * @typedef {import('./projects.mjs').Project} Project
 * @typedef {import('./projects.mjs').Manifest} Manifest
 * @typedef {{ packages: Record<string, Partial<Manifest>> }} Lock
 */

/** The operator's command line: jobs run it from the image of the services. */
const COMMAND_LINE = '@sluice/cli';
/** The same in every build, so that a layer is known again by its content. */
const FIXED_TIME = new Date(0);

/**
 * The projects that are in the image: every process of the cluster, the command line, and what these
 * depend on. Not the sandbox, nor anything for tests.
 * @param {readonly Project[]} projects
 * @returns {Project[]}
 */
export function imageProjects(projects) {
  const byName = new Map(projects.map((project) => [project.name, project]));
  const found = new Set(
    projects.filter(
      ({ name, manifest }) =>
        name === COMMAND_LINE || manifest.nx?.tags?.includes('type:app') === true,
    ),
  );
  // A set is walked to its end even while it grows.
  for (const { manifest } of found) {
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const dependency = byName.get(name);
      if (dependency !== undefined) found.add(dependency);
    }
  }
  return [...found].sort((left, right) => (left.folder < right.folder ? -1 : 1));
}

/** What of a project runs, relative to the root. @returns {string[]} */
export function programsOf(/** @type {Project} */ { folder, manifest }) {
  return (manifest.files ?? ['dist']).map((file) => `${folder}/${file}`);
}

/** @returns {Manifest} */
function asProduction(/** @type {Manifest} */ manifest) {
  const { devDependencies: _, ...rest } = manifest;
  return rest;
}

/**
 * The lock file of these projects alone, without what is for development. npm has no flag for it: a
 * project of the workspace counts as production to it, whoever asks for it, and with it all that it
 * asks for. Packages that nobody asks for any more are left for npm to leave out.
 * @param {Lock} lock
 * @param {readonly Project[]} kept
 * @param {readonly Project[]} all
 * @returns {Lock}
 */
export function productionLock(lock, kept, all) {
  const gone = all.filter((project) => !kept.includes(project));
  const omitted = new Set(
    gone.flatMap(({ name, folder }) => [folder, `node_modules/${name}`, `${folder}/node_modules/`]),
  );
  const entries = Object.entries(lock.packages).flatMap(([path, entry]) => {
    const [folder = ''] = /^.*?\/node_modules\//u.exec(path) ?? [];
    if (omitted.has(path) || omitted.has(folder)) return [];
    if (path.includes('node_modules/')) return [[path, entry]];
    const { devDependencies: _, ...rest } = entry;
    return [[path, path === '' ? { ...rest, workspaces: kept.map((each) => each.folder) } : rest]];
  });
  return { ...lock, packages: Object.fromEntries(entries) };
}

/** Writes what installations depend on: of everything, and of what the image has. */
function writeManifests(/** @type {string} */ target) {
  const projects = readProjects();
  const kept = imageProjects(projects);
  const root = readManifest(workspaceRoot);
  const npmSettings = readFileSync(join(workspaceRoot, '.npmrc'));
  const lock = JSON.parse(readFileSync(join(workspaceRoot, 'package-lock.json'), 'utf8'));

  const all = writerTo(join(target, 'all'));
  all('.npmrc', npmSettings);
  all('package.json', root);
  all('package-lock.json', lock);
  for (const { folder, manifest } of projects) all(`${folder}/package.json`, manifest);

  const production = writerTo(join(target, 'production'));
  production('.npmrc', npmSettings);
  production('package.json', {
    ...asProduction(root),
    workspaces: kept.map(({ folder }) => folder),
  });
  production('package-lock.json', productionLock(lock, kept, projects));
  for (const { folder, manifest } of kept) {
    production(`${folder}/package.json`, asProduction(manifest));
  }

  for (const entry of ['.', ...readdirSync(target, { recursive: true, encoding: 'utf8' })]) {
    utimesSync(join(target, entry), FIXED_TIME, FIXED_TIME);
  }
}

/** @returns {(path: string, content: Buffer | object) => void} */
function writerTo(/** @type {string} */ target) {
  return (path, content) => {
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true });
    const isBytes = Buffer.isBuffer(content);
    writeFileSync(file, isBytes ? content : `${JSON.stringify(content, null, 2)}\n`);
  };
}

/** Copies what was built. */
function writePrograms(/** @type {string} */ target) {
  for (const project of imageProjects(readProjects())) {
    for (const path of programsOf(project)) {
      if (!existsSync(join(workspaceRoot, path))) throw new Error(`${path} was not built.`);
      cpSync(join(workspaceRoot, path), join(target, path), {
        recursive: true,
        preserveTimestamps: true,
      });
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [command, folder] = process.argv.slice(2);
  if (command === 'manifests' && folder !== undefined) writeManifests(folder);
  else if (command === 'programs' && folder !== undefined) writePrograms(folder);
  else {
    process.stderr.write('Usage: node tools/image-files.mjs manifests|programs FOLDER\n');
    process.exitCode = 2;
  }
}
