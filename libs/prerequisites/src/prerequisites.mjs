// What has to be on a computer beside the npm packages: the one list that README's table, `npm run
// doctor`, the suites, the local Kafka and the CI go by. It is plain JavaScript and imports `node:`
// modules alone, because it is asked on a fresh clone, where nothing is installed or compiled yet.
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';

/**
 * @typedef {'node' | 'git' | 'curl' | 'bash' | 'java' | 'mvn' | 'chromium' | 'promtool' | 'python3' | 'javac' | 'phpunit' | 'docker' | 'firefox' | 'WebKitWebDriver' | 'Xvfb'} PrerequisiteName
 *
 * @typedef {object} Prerequisite
 * @property {PrerequisiteName} name
 * @property {string} title as README has it
 * @property {string} neededFor
 * @property {boolean} isForTests whether `npm test` cannot be green without it
 * @property {readonly number[]} minimum of its version, the most significant number first
 * @property {readonly string[]} versionWords after which it prints its version
 * @property {RegExp} [versionPattern] absent where it does not say its version
 * @property {{ debian?: string, macos?: string, other?: string }} install the package of each system, and what else there is
 * @property {Instead} [instead]
 *
 * @typedef {(env: NodeJS.ProcessEnv) => string | undefined} Instead why it can be done without, on this computer
 *
 * @typedef {object} Found
 * @property {Prerequisite} prerequisite
 * @property {string} [command] what would be run
 * @property {string} [version]
 * @property {string} [printed] all that it says of its version
 * @property {string} [problem] a sentence; absent when all is well
 * @property {string} [instead] why it can be done without
 */

/** The line that the cluster runs too; clients were measured against it. Maven's file is libs/local-kafka/pom.xml. */
export const KAFKA_VERSION = '4.1.1';

/** The acquirer's host in the specs of the connector iso8583, whose folder has its own file for Maven. */
export const JPOS_VERSION = '2.1.10';

/** A slow disk may take some seconds for Java's first start; nothing of this list takes longer. */
const WITHIN_MS = 15_000;

const DOTTED = /([0-9]+(?:\.[0-9]+)*)/u;

/** @type {readonly Prerequisite[]} */
export const prerequisites = [
  {
    name: 'node',
    title: 'Node.js 20.19 or newer, with npm',
    neededFor: 'everything; `npm start` needs nothing else',
    isForTests: true,
    minimum: [20, 19],
    versionWords: ['--version'],
    versionPattern: DOTTED,
    install: { macos: 'node', other: 'nodejs.org, where 24 is a good choice' },
  },
  {
    name: 'git',
    title: 'git',
    neededFor: 'the clone, and `npm test`, which reads what is committed',
    isForTests: true,
    minimum: [2],
    versionWords: ['--version'],
    versionPattern: DOTTED,
    install: { debian: 'git', macos: 'git' },
  },
  {
    name: 'curl',
    title: 'curl',
    neededFor: 'the requests that `npm start` prints, and `npm test`, which sends them',
    isForTests: true,
    minimum: [7],
    versionWords: ['--version'],
    versionPattern: DOTTED,
    install: { debian: 'curl', macos: 'curl' },
  },
  {
    name: 'bash',
    title: 'bash',
    neededFor: '`npm run check`, and `npm test`, which tests the shell completion',
    isForTests: true,
    minimum: [3],
    versionWords: ['--version'],
    versionPattern: DOTTED,
    install: { debian: 'bash', macos: 'bash' },
  },
  {
    name: 'java',
    title: 'Java 17 or newer',
    neededFor:
      '`npm test`, `npm run cluster`, `npm run kafka`: a local Kafka; `npm test`: an acquirer of ISO 8583',
    isForTests: true,
    minimum: [17],
    versionWords: ['-version'],
    versionPattern: /version "([0-9.]+)/u,
    install: {
      debian: 'openjdk-17-jre-headless',
      macos: 'openjdk',
      other: 'any, named in `JAVA_HOME`',
    },
  },
  {
    name: 'javac',
    title: "Java's compiler, 17 or newer",
    neededFor: '`npm test`: an acquirer of ISO 8583; `npm run check`: the example for JUnit',
    isForTests: true,
    minimum: [17],
    versionWords: ['-version'],
    versionPattern: DOTTED,
    install: { debian: 'openjdk-17-jdk-headless', macos: 'openjdk' },
  },
  {
    name: 'mvn',
    title: 'Maven 3.6 or newer',
    neededFor: 'the same: it downloads Apache Kafka and jPOS, the first time',
    isForTests: true,
    minimum: [3, 6],
    versionWords: ['--version'],
    versionPattern: /Maven ([0-9.]+)/u,
    install: { debian: 'maven', macos: 'maven' },
    instead: (env) =>
      [kafkaFolder(env), jposFolder(env)].every((folder) => existsSync(join(folder, 'libs')))
        ? `Apache Kafka ${KAFKA_VERSION} and jPOS are in the cache folder already`
        : undefined,
  },
  {
    name: 'chromium',
    title: 'Chromium or Chrome',
    neededFor: '`npm test`: the pages in a real browser',
    isForTests: true,
    minimum: [100],
    versionWords: ['--version'],
    versionPattern: DOTTED,
    install: {
      debian: 'chromium',
      macos: '--cask chromium',
      other: 'any, named in `CHROMIUM_PATH`',
    },
  },
  {
    name: 'promtool',
    title: 'promtool 2.40 or newer, which comes with Prometheus',
    neededFor: '`npm test`: the alert rules, as Prometheus reads them',
    isForTests: true,
    minimum: [2, 40],
    versionWords: ['--version'],
    versionPattern: /version ([0-9.]+)/u,
    install: { debian: 'prometheus', macos: 'prometheus', other: 'prometheus.io/download' },
  },
  {
    name: 'python3',
    title: 'Python 3.10 or newer, with venv',
    neededFor:
      '`npm run check`: the fuzzer of another author, the example for pytest, and kustomize where there is no kubectl',
    isForTests: false,
    minimum: [3, 10],
    versionWords: ['-c', 'import ensurepip, sys, venv; print(sys.version)'],
    versionPattern: DOTTED,
    install: { debian: 'python3-venv', macos: 'python' },
  },
  {
    name: 'phpunit',
    title: 'PHPUnit 9 or newer, with PHP',
    neededFor: '`npm run check`: the example for PHPUnit',
    isForTests: false,
    minimum: [9],
    versionWords: ['--version'],
    versionPattern: DOTTED,
    install: { debian: 'phpunit', macos: 'phpunit' },
  },
  {
    name: 'docker',
    title: 'Docker 20.10 or newer, with its engine running',
    neededFor: '`npm run check`: the image of the sandbox',
    isForTests: false,
    minimum: [20, 10],
    versionWords: ['version', '--format', '{{.Server.Version}}'],
    versionPattern: DOTTED,
    install: {
      debian: 'docker.io',
      macos: '--cask docker-desktop',
      other: 'where there is none, Podman takes its place',
    },
  },
  {
    name: 'firefox',
    title: 'Firefox 153 or newer',
    neededFor: "`npm run check`: paying on a shop's page in Firefox",
    isForTests: false,
    minimum: [153],
    versionWords: ['--version'],
    versionPattern: DOTTED,
    install: { debian: 'firefox-esr', macos: '--cask firefox' },
  },
  {
    name: 'WebKitWebDriver',
    title: "WebKit's driver, with the browser that it drives",
    neededFor: "`npm run check`: paying on a shop's page in WebKit",
    isForTests: false,
    minimum: [],
    versionWords: ['--help'],
    install: { debian: 'webkit2gtk-driver', other: 'for Linux alone' },
  },
  {
    name: 'Xvfb',
    title: 'Xvfb, a screen that nobody sees',
    neededFor: '`npm run check`: WebKit, which needs a screen',
    isForTests: false,
    minimum: [],
    versionWords: ['-help'],
    install: { debian: 'xvfb', other: 'for Linux alone' },
  },
];

/** Where programs that are not on the PATH lie. @type {Partial<Record<PrerequisiteName, string[]>>} */
const OTHER_NAMES = {
  chromium: [
    'chromium-browser',
    'google-chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  firefox: ['firefox-esr', '/Applications/Firefox.app/Contents/MacOS/firefox'],
};

/** The row of a name. @returns {Prerequisite} */
export function prerequisite(/** @type {PrerequisiteName} */ name) {
  const row = prerequisites.find((one) => one.name === name);
  if (row === undefined) throw new Error(`There is no prerequisite "${name}".`);
  return row;
}

/** The user's cache folder, for what is downloaded or made once. */
export function cacheFolder(/** @type {NodeJS.ProcessEnv} */ env = process.env) {
  const base = env['XDG_CACHE_HOME'] ?? '';
  return join(base === '' ? join(homedir(), '.cache') : base, 'sluice');
}

/** Apache Kafka in it. */
export function kafkaFolder(/** @type {NodeJS.ProcessEnv} */ env = process.env) {
  return join(cacheFolder(env), `kafka-${KAFKA_VERSION}`);
}

/** jPOS in it. */
export function jposFolder(/** @type {NodeJS.ProcessEnv} */ env = process.env) {
  return join(cacheFolder(env), `jpos-${JPOS_VERSION}`);
}

/** Where a variable says that the program is, if it says so. @returns {string | undefined} */
function namedCommand(/** @type {PrerequisiteName} */ name, /** @type {NodeJS.ProcessEnv} */ env) {
  const javaHome = env['JAVA_HOME'] ?? '';
  if (name === 'java' && javaHome !== '') return join(javaHome, 'bin', 'java');
  const chromium = env['CHROMIUM_PATH'] ?? '';
  if (name === 'chromium' && chromium !== '') return chromium;
  return name === 'node' ? process.execPath : undefined;
}

function isProgram(/** @type {string} */ path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The program's full path, whether or not it works. @returns {string | undefined} */
export function commandOf(
  /** @type {PrerequisiteName} */ name,
  /** @type {NodeJS.ProcessEnv} */ env = process.env,
) {
  const named = namedCommand(name, env);
  if (named !== undefined) return isProgram(named) ? named : undefined;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [name, ...(OTHER_NAMES[name] ?? [])]
    .flatMap((word) => (word.includes('/') ? [word] : folders.map((folder) => join(folder, word))))
    .find(isProgram);
}

/** Where to get it, in order of ease. @returns {string[]} commands are in backticks */
export function waysToGet(/** @type {Prerequisite} */ { install: { debian, macos, other } }) {
  return [
    ...(debian === undefined ? [] : [`Debian, Ubuntu: \`apt-get install ${debian}\``]),
    ...(macos === undefined ? [] : [`macOS: \`brew install ${macos}\``]),
    ...(other === undefined ? [] : [other]),
  ];
}

/** @returns {boolean} */
function isOlder(/** @type {string} */ version, /** @type {readonly number[]} */ minimum) {
  const parts = version.split('.').map(Number);
  const index = minimum.findIndex((part, place) => (parts[place] ?? 0) !== part);
  return index !== -1 && (parts[index] ?? 0) < (minimum[index] ?? 0);
}

/** @returns {Promise<{ text: string, code: unknown }>} */
function printed(/** @type {string} */ command, /** @type {readonly string[]} */ words) {
  return new Promise((resolve) => {
    execFile(command, [...words], { timeout: WITHIN_MS }, (error, stdout, stderr) => {
      resolve({ text: `${stdout}${stderr}`, code: error === null ? 0 : (error.code ?? 'killed') });
    });
  });
}

/** Looks for one. @returns {Promise<Found>} */
export async function look(
  /** @type {PrerequisiteName} */ name,
  /** @type {NodeJS.ProcessEnv} */ env = process.env,
) {
  const row = prerequisite(name);
  const command = commandOf(name, env);
  const instead = row.instead?.(env);
  const found = { prerequisite: row, ...(instead !== undefined && { instead }) };
  if (command === undefined) {
    const named = namedCommand(name, env);
    const where = named === undefined ? '' : ` at ${named}`;
    return { ...found, problem: `there is none${where}` };
  }
  const { text, code } = await printed(command, row.versionWords);
  const version = row.versionPattern?.exec(text)?.[1];
  if (code !== 0 || (version === undefined && row.versionPattern !== undefined)) {
    const said = text.trim().split('\n').at(-1) ?? '';
    return { ...found, command, problem: `${command} does not work: ${said}` };
  }
  if (version === undefined) return { ...found, command, printed: text };
  const whole = { ...found, command, version, printed: text };
  if (!isOlder(version, row.minimum)) return whole;
  return { ...whole, problem: `${command} is ${version}, which is too old` };
}

/** Looks for all of them at once. @returns {Promise<Found[]>} */
export function lookForAll(/** @type {NodeJS.ProcessEnv} */ env = process.env) {
  return Promise.all(prerequisites.map(({ name }) => look(name, env)));
}

/** Whether something cannot be done because of it. */
export function isMissing(/** @type {Found} */ { problem, instead }) {
  return problem !== undefined && instead === undefined;
}

/** What is missing, what for, and how to get it. @returns {string} a line */
export function sentenceOf(/** @type {Found} */ { prerequisite: row, problem }) {
  const ways = waysToGet(row).join('; ');
  return `${row.title}: ${problem ?? 'it is here'}. Needed for ${row.neededFor}. ${ways}.`.replaceAll(
    '`',
    '',
  );
}

/** A prerequisite is not there, or too old; the message says how to get it. */
export class PrerequisiteMissing extends Error {
  /** @override */
  name = 'PrerequisiteMissing';
}

/**
 * For a suite, before its first test: one sentence instead of a failure per test.
 * @returns {Promise<string>} the program's full path
 */
export async function requirePrerequisite(/** @type {PrerequisiteName} */ name) {
  const found = await look(name);
  if (found.problem !== undefined) throw new PrerequisiteMissing(sentenceOf(found));
  return found.command ?? name;
}
