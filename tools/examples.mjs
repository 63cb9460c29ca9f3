// `npm run test:examples`: packs the sandbox, installs it into an empty folder of somebody with an
// empty home, and runs every folder of examples/ there, as a shop's developer would. What cannot be
// run because its language is missing is said; with `--require-all` that is a failure.
//
//   npm run test:examples                  all
//   npm run test:examples -- jest pytest   these alone
import './ensure-packages.mjs';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { npmCommand } from './ensure-packages.mjs';
import { packSandbox } from './pack-sandbox.mjs';
import { workspaceRoot } from './projects.mjs';

/**
 * @typedef {object} Example
 * @property {string} name its folder
 * @property {readonly string[]} programs what must be there
 * @property {string} packages how Debian calls that
 * @property {true} [needsNoSandbox] it talks to nobody
 * @property {(run: Run) => void} run throws when a test fails
 *
 * @typedef {object} Run
 * @property {string} folder of this example
 * @property {(command: string, ...words: string[]) => void} call throws unless it ends with 0
 */

/** No example takes a minute on a busy machine; one that hangs must not hold up everything. */
const WITHIN_MS = 5 * 60_000;

/** Of the longest name. */
const NAME_WIDTH = 15;

/** @type {readonly Example[]} */
export const examples = [
  {
    name: 'jest',
    programs: ['node'],
    packages: 'nodejs',
    run: ({ call }) => call('npx', '--no', '--', 'jest'),
  },
  {
    name: 'pytest',
    programs: ['python3'],
    packages: 'python3-venv',
    run: ({ folder, call }) => {
      const python = pythonWith(join(folder, 'requirements.txt'), call);
      call(python, '-m', 'pytest', '-p', 'no:cacheprovider');
    },
  },
  {
    name: 'phpunit',
    programs: ['php', 'phpunit'],
    packages: 'phpunit',
    run: ({ call }) => call('phpunit'),
  },
  {
    name: 'junit',
    programs: ['javac', 'mvn'],
    packages: 'openjdk-17-jdk-headless maven',
    run: ({ call }) => call('mvn', '--quiet', '--batch-mode', 'test'),
  },
  {
    name: 'receiver-node',
    programs: ['node'],
    packages: 'nodejs',
    needsNoSandbox: true,
    run: ({ call }) => call('node', '--test'),
  },
  {
    name: 'receiver-python',
    programs: ['python3'],
    packages: 'python3-venv',
    needsNoSandbox: true,
    run: ({ folder, call }) => {
      const python = pythonWith(join(folder, 'requirements.txt'), call);
      call(python, '-m', 'unittest');
    },
  },
  {
    name: 'receiver-php',
    programs: ['php'],
    // Which brings PHP along.
    packages: 'phpunit',
    needsNoSandbox: true,
    run: ({ call }) => call('php', 'test.php'),
  },
  {
    name: 'receiver-java',
    programs: ['java', 'javac'],
    packages: 'openjdk-17-jdk-headless',
    needsNoSandbox: true,
    run: ({ call }) => {
      call('javac', '-d', 'built', 'Receiver.java', 'ReceiverTest.java');
      call('java', '-cp', 'built', 'ReceiverTest');
    },
  },
];

/** The Python of a virtual environment that has what the file names, kept in the user's cache. */
function pythonWith(/** @type {string} */ requirements, /** @type {Run['call']} */ call) {
  const [wanted = ''] = readFileSync(requirements, 'utf8').trim().split('\n');
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'sluice', wanted.replace('==', '-'));
  const python = join(folder, 'bin', 'python');
  const done = join(folder, 'installed');
  if (!existsSync(done)) {
    call('python3', '-m', 'venv', '--clear', folder);
    call(python, '-m', 'pip', 'install', '--quiet', '--requirement', requirements);
    // An installation that was broken off is not taken for a whole one.
    writeFileSync(done, '');
  }
  return python;
}

/** Programs that are not on the PATH. */
export function missingPrograms(
  /** @type {Pick<Example, 'programs'>} */ { programs },
  path = process.env['PATH'] ?? '',
) {
  const folders = path.split(delimiter);
  return programs.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
}

/** @returns {Run['call']} */
function callIn(/** @type {string} */ folder, /** @type {NodeJS.ProcessEnv} */ env) {
  return (command, ...words) => {
    const options = /** @type {const} */ ({ cwd: folder, env, stdio: 'inherit' });
    const { status, error } = spawnSync(command, words, { ...options, timeout: WITHIN_MS });
    if (error !== undefined) throw error;
    if (status !== 0) throw new Error(`${basename(command)} ended with ${status}`);
  };
}

/** A folder of somebody who has nothing yet, with the examples. */
function copied() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-examples-'));
  mkdirSync(join(folder, 'home'));
  cpSync(join(workspaceRoot, 'examples'), join(folder, 'examples'), { recursive: true });
  return folder;
}

/** Installs the package there. */
async function install(/** @type {string} */ folder) {
  const file = await packSandbox(folder);
  const npm = npmCommand(process.env);
  const { devDependencies } = JSON.parse(
    readFileSync(join(folder, 'examples/jest/package.json'), 'utf8'),
  );
  const cache = spawnSync(npm.command, [...npm.leading, 'config', 'get', 'cache'], {
    encoding: 'utf8',
  });
  // What was downloaded before may be used again; nothing else of this user's is.
  const env = {
    ...environment(),
    HOME: join(folder, 'home'),
    npm_config_cache: cache.stdout.trim(),
  };
  const words = ['install', '--save-dev', '--prefer-offline', '--no-audit', '--no-fund'];
  callIn(folder, env)(
    npm.command,
    ...npm.leading,
    ...words,
    ...[`./${basename(file)}`, `jest@${devDependencies.jest}`],
  );
}

/** Ours without what npm adds for its own scripts, and without settings of another sandbox. */
function environment() {
  const others = /^(?:npm_|SLUICE_|DATABASE_URL|NODE_OPTIONS$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.test(name)));
}

/**
 * Runs the examples, and says what became of each.
 * @param {{ names: readonly string[], requireAll: boolean }} wish
 * @returns {Promise<boolean>} whether nothing failed
 */
async function main({ names, requireAll }) {
  const chosen = examples.filter(({ name }) => names.length === 0 || names.includes(name));
  const folder = copied();
  if (!chosen.every(({ needsNoSandbox }) => needsNoSandbox)) await install(folder);
  /** @type {string[]} */
  const lines = [];
  let good = true;
  for (const { name, run, programs, packages } of chosen) {
    const missing = missingPrograms({ programs });
    if (missing.length > 0) {
      const sentence = `no ${missing.join(' and no ')} here (Debian: apt-get install ${packages})`;
      lines.push(`${name.padEnd(NAME_WIDTH)} ${requireAll ? 'FAILED ' : 'SKIPPED'} ${sentence}`);
      good &&= !requireAll;
      continue;
    }
    const startedAt = performance.now();
    process.stdout.write(`\n--- ${name}\n`);
    const own = join(folder, 'examples', name);
    let result = 'passed';
    try {
      run({ folder: own, call: callIn(own, environment()) });
    } catch (error) {
      good = false;
      result = 'FAILED';
      process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
    }
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    lines.push(`${name.padEnd(NAME_WIDTH)} ${result.padEnd(7)} ${seconds} s`);
  }
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(`\n${lines.join('\n')}\n`);
  return good;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { wordsBehind } = await import('./words.mjs');
  const known = examples.map(({ name }) => name);
  /** @type {{ options: { requireAll?: true }, words: string[] }} */
  const { options, words: names } = await wordsBehind('npm run test:examples --', (command) =>
    command
      .description(
        'Packs the sandbox, installs it into an empty folder, and runs the suites of examples/ there.',
      )
      .addArgument(command.createArgument('[names...]', 'these alone').choices(known))
      .option('--require-all', 'fails where a language is missing, instead of saying so'),
  );
  const good = await main({ names, requireAll: options.requireAll === true });
  process.exitCode = good ? 0 : 1;
}
