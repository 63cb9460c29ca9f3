// Which files of the repository an image has: that of the services, or that of the sandbox. The
// Dockerfiles call it:
//
//   node tools/image-files.mjs manifests services FOLDER
//     what npm installs by: FOLDER/production with the packages that run, FOLDER/compiler with the
//     compiler
//   node tools/image-files.mjs programs services FOLDER
//     compiles, and copies what runs: each project's "files", or "dist"
import { Buffer } from 'node:buffer';
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
import { build } from './build.mjs';
import { findEntry } from './complete-lock.mjs';
import { readManifest, readProjects, workspaceRoot } from './projects.mjs';

/**
 * @typedef {import('./projects.mjs').Project} Project
 * @typedef {import('./projects.mjs').Manifest} Manifest
 * @typedef {Partial<Manifest> & { link?: boolean, resolved?: string }} LockEntry
 * @typedef {{ packages: Record<string, LockEntry> }} Lock
 */

/**
 * With what an image begins. Of the services: every process of the cluster, and the operator's
 * command line, which jobs run from it.
 * @typedef {'services' | 'sandbox'} ImageName
 * @type {Record<ImageName, (project: Project) => boolean>}
 */
const BEGINS_WITH = {
  services: ({ manifest }) =>
    ['type:app', 'type:operator'].some((tag) => manifest.nx?.tags?.includes(tag)),
  sandbox: ({ name }) => name === '@sluice/sandbox',
};
/** What compiles and bundles, of what is for development; types are checked elsewhere. */
const COMPILERS = ['@swc/core', 'vite'];
/** The same in every build, so that a layer is known again by its content. */
const FIXED_TIME = new Date(0);

/**
 * The projects that are in an image: those it begins with, and what these depend on.
 * @param {readonly Project[]} projects
 * @param {ImageName} image
 * @returns {Project[]}
 */
export function imageProjects(projects, image) {
  const byName = new Map(projects.map((project) => [project.name, project]));
  const found = new Set(projects.filter(BEGINS_WITH[image]));
  // A set is walked to its end even while it grows.
  for (const { manifest } of found) {
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const dependency = byName.get(name);
      if (dependency !== undefined) found.add(dependency);
    }
  }
  return [...found].sort((left, right) => (left.folder < right.folder ? -1 : 1));
}

/**
 * The packages with which an image's programs are built: the compilers, and what is bundled for browsers.
 * @param {readonly Project[]} kept
 * @param {Readonly<Record<string, string>>} ofRoot what the root has for development
 * @returns {Record<string, string>} versions by name
 */
export function builtWith(kept, ofRoot) {
  const compilers = Object.entries(ofRoot).filter(([name]) => COMPILERS.includes(name));
  const bundled = kept
    .filter(({ manifest }) => manifest.nx?.tags?.includes('type:browser') === true)
    .flatMap(({ manifest }) => Object.entries(manifest.devDependencies ?? {}));
  return Object.fromEntries([...compilers, ...bundled]);
}

/** What of a project runs, relative to the root. @returns {string[]} */
export function programsOf(/** @type {Project} */ { folder, manifest }) {
  return (manifest.files ?? ['dist']).map((file) => `${folder}/${file}`);
}

/** A manifest without what is for development. @returns {LockEntry} */
function asProduction(/** @type {LockEntry} */ manifest) {
  const { devDependencies: _, ...rest } = manifest;
  return rest;
}

/**
 * The lock file of fewer projects: of the whole one, what they need to run, in the same versions. npm
 * has no flag for it: a project of the workspace counts as production to it, whoever asks for it, and
 * so does all that this project asks for.
 * @param {Lock} lock
 * @param {Partial<Manifest>} root the root's manifest, as it is to be
 * @returns {Lock}
 */
export function partialLock(lock, root) {
  const { packages } = lock;
  const folders = root.workspaces ?? [];
  const links = Object.keys(packages).filter((path) => {
    const { link, resolved = '' } = packages[path] ?? {};
    return link === true && folders.includes(resolved);
  });
  /** @type {Map<string, LockEntry>} */
  const found = new Map([['', root]]);
  for (const path of [...links, ...folders]) found.set(path, asProduction(packages[path] ?? {}));
  // A map is walked to its end even while it grows.
  for (const [path, entry] of found) {
    const names = Object.keys({
      ...entry.dependencies,
      ...entry.devDependencies,
      ...entry.optionalDependencies,
      ...entry.peerDependencies,
    });
    for (const name of names) {
      const place = findEntry(lock, path, name);
      const needed = place === undefined ? undefined : packages[place];
      if (place === undefined || needed === undefined || found.has(place)) continue;
      // What others have for development is not needed to use them; the lock does not list it anyway.
      found.set(place, asProduction(needed));
    }
  }
  const inOrder = Object.keys(packages).flatMap((path) => {
    const entry = found.get(path);
    return entry === undefined ? [] : [[path, entry]];
  });
  return { ...lock, packages: Object.fromEntries(inOrder) };
}

/** Writes what the two installations depend on, and nothing that could change without them. */
function writeManifests(/** @type {ImageName} */ image, /** @type {string} */ target) {
  const kept = imageProjects(readProjects(), image);
  const { scripts: _, workspaces: __, devDependencies, ...root } = readManifest(workspaceRoot);
  const lock = JSON.parse(readFileSync(join(workspaceRoot, 'package-lock.json'), 'utf8'));
  const npmSettings = readFileSync(join(workspaceRoot, '.npmrc'));

  const production = { ...root, workspaces: kept.map(({ folder }) => folder) };
  const compiler = { ...root, devDependencies: builtWith(kept, devDependencies ?? {}) };
  for (const [folder, manifest] of Object.entries({ production, compiler })) {
    const write = writerTo(join(target, folder));
    write('.npmrc', npmSettings);
    write('package.json', manifest);
    write('package-lock.json', partialLock(lock, manifest));
  }
  const write = writerTo(join(target, 'production'));
  for (const { folder, manifest } of kept) write(`${folder}/package.json`, asProduction(manifest));

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

/** Compiles, and copies what runs. */
async function writePrograms(/** @type {ImageName} */ image, /** @type {string} */ target) {
  await build();
  for (const project of imageProjects(readProjects(), image)) {
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
  const [command, image, folder] = process.argv.slice(2);
  const isImage = image === 'services' || image === 'sandbox';
  if (command === 'manifests' && isImage && folder !== undefined) writeManifests(image, folder);
  else if (command === 'programs' && isImage && folder !== undefined) {
    await writePrograms(image, folder);
  } else {
    process.stderr.write(
      'Usage: node tools/image-files.mjs manifests|programs services|sandbox FOLDER\n',
    );
    process.exitCode = 2;
  }
}
