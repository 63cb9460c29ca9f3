// Completes package-lock.json for the platforms that the registry of the moment did not answer for.
//
// Packages with binaries name one optional package per platform. Where a registry does not have one
// of them, npm leaves it out of the lock file without a word, and `npm ci` on *any* computer then
// refuses the lock as incomplete. This tool adds the missing entries from what the parent package
// asks for. They have no integrity hash, because nobody has seen the file, and npm would install
// whatever it is given: the tool fails until another version is chosen or the registry has them.
//
//   node tools/complete-lock.mjs           writes them (after every `npm install`)
//   node tools/complete-lock.mjs --check   lists them and fails when there are any
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { readProjects, workspaceRoot } from './projects.mjs';

/**
 * @typedef {object} LockEntry
 * @property {string} [version]
 * @property {string} [integrity] the hash that npm compares with what it is given
 * @property {boolean} [link]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [optionalDependencies]
 *
 * @typedef {{ packages: Record<string, LockEntry> }} Lock
 */

const osWords = new Map([
  ...[
    'aix',
    'android',
    'darwin',
    'freebsd',
    'linux',
    'netbsd',
    'openbsd',
    'openharmony',
    'sunos',
  ].map((word) => /** @type {const} */ ([word, word])),
  ['macos', 'darwin'],
  ['win32', 'win32'],
  ['windows', 'win32'],
]);
const cpuWords = new Set([
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]);
const libcWords = new Map([
  ['gnu', 'glibc'],
  ['gnueabihf', 'glibc'],
  ['glibc', 'glibc'],
  ['musl', 'musl'],
  ['musleabihf', 'musl'],
]);

/**
 * The platform that a package's name tells: `@swc/core-linux-arm64-musl`.
 * @returns {Pick<LockEntry, 'os' | 'cpu' | 'libc'> | undefined}
 */
export function platformOf(/** @type {string} */ name) {
  const words = name.split(/[-/]/u);
  const os = words.map((word) => osWords.get(word)).find((word) => word !== undefined);
  const cpu = words.find((word) => cpuWords.has(word));
  const libc = words.map((word) => libcWords.get(word)).find((word) => word !== undefined);
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) return undefined;
  return {
    ...(libc !== undefined && { libc: [libc] }),
    cpu: [cpu],
    ...(os !== undefined && { os: [os] }),
  };
}

/** Where Node would find `name` from the package at `path`, if the lock has it. */
export function findEntry(
  /** @type {{ packages: object }} */ lock,
  /** @type {string} */ path,
  /** @type {string} */ name,
) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (place in lock.packages) return place;
    if (folder === '') return undefined;
  }
}

/**
 * The entries that the lock lacks, by path.
 * @param {Lock} lock
 * @returns {Record<string, LockEntry>}
 */
export function missingEntries(lock) {
  /** @type {Record<string, LockEntry>} */
  const missing = {};
  for (const [path, parent] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      if (findEntry(lock, path, name) !== undefined) continue;
      const platform = platformOf(name);
      if (platform === undefined || !/^[0-9]/u.test(version)) {
        throw new Error(
          `${path} wants ${name} ${version}, which is in no lock entry and names no platform.`,
        );
      }
      // npm's own order of the fields, so that its next install changes nothing.
      missing[`node_modules/${name}`] = {
        version,
        ...(platform.cpu !== undefined && { cpu: platform.cpu }),
        ...(parent.dev === true && { dev: true }),
        ...(platform.libc !== undefined && { libc: platform.libc }),
        optional: true,
        ...(platform.os !== undefined && { os: platform.os }),
      };
    }
  }
  return missing;
}

/** What npm would install without a look at its content. @returns {string[]} paths */
export function unverifiedEntries(/** @type {Lock} */ lock) {
  return Object.entries(lock.packages)
    .filter(([path]) => path.includes('node_modules/')) // the others are the workspace's own
    .filter(([, { link, integrity }]) => link !== true && integrity === undefined)
    .map(([path]) => path);
}

/** @returns {Lock} the lock with the entries, in npm's order */
export function withEntries(
  /** @type {Lock} */ lock,
  /** @type {Record<string, LockEntry>} */ entries,
) {
  const packages = Object.entries({ ...lock.packages, ...entries }).sort(([left], [right]) =>
    left.localeCompare(right, 'en'),
  );
  return { ...lock, packages: Object.fromEntries(packages) };
}

/**
 * The projects whose dependencies the lock records otherwise than their package.json has them.
 * @param {Lock} lock
 * @param {readonly import('./projects.mjs').Project[]} projects
 */
export function projectsOutOfStep(lock, projects) {
  const relevant = (/** @type {LockEntry | import('./projects.mjs').Manifest} */ from) =>
    JSON.stringify(
      [from.dependencies, from.devDependencies, from.optionalDependencies].map((names) =>
        Object.entries(names ?? {}).sort(),
      ),
    );
  return projects
    .filter(({ folder, manifest }) => relevant(lock.packages[folder] ?? {}) !== relevant(manifest))
    .map(({ folder }) => folder);
}

/**
 * Adds what is missing, or with `isCheck` only says so.
 * @returns {boolean} whether the lock is as it must be
 */
export function completeLock(/** @type {boolean} */ isCheck) {
  let isGood = true;
  const file = join(workspaceRoot, 'package-lock.json');
  const lock = /** @type {Lock} */ (JSON.parse(readFileSync(file, 'utf8')));
  const missing = missingEntries(lock);
  const paths = Object.keys(missing);
  const outOfStep = projectsOutOfStep(lock, readProjects());
  if (outOfStep.length > 0) {
    process.stdout.write(
      `package-lock.json knows other dependencies of ${outOfStep.join(', ')}; run "npm install".\n`,
    );
    isGood = false;
  }
  if (paths.length > 0 && isCheck) {
    process.stdout.write(
      `package-lock.json lacks ${paths.length} entries; run "node tools/complete-lock.mjs":\n${paths.join('\n')}\n`,
    );
    isGood = false;
  } else if (paths.length > 0) {
    writeFileSync(file, `${JSON.stringify(withEntries(lock, missing), null, 2)}\n`);
    process.stdout.write(`${paths.length} entries added to package-lock.json.\n`);
  }
  const unverified = [...unverifiedEntries(lock), ...paths];
  if (unverified.length > 0) {
    process.stdout.write(
      `${unverified.length} packages would be installed unverified, because the registry had no hash for ` +
        'them. Choose a version that it has for every platform (docs/decisions/0028-packages-by-hash.md):\n' +
        `${unverified.join('\n')}\n`,
    );
    isGood = false;
  }
  if (isGood) {
    process.stdout.write('The lock file is complete for every platform, and has every hash.\n');
  }
  return isGood;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // Not at the top: this file is imported by what builds images, without words of its own.
  const { wordsBehind } = await import('./words.mjs');
  /** @type {{ options: { check?: true } }} */
  const { options } = await wordsBehind('node tools/complete-lock.mjs', (command) =>
    command
      .description('Completes package-lock.json for every platform.')
      .option('--check', 'writes nothing, lists what is missing, and fails when something is'),
  );
  if (!completeLock(options.check === true)) process.exitCode = 1;
}
