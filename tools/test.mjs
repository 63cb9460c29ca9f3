// `npm test`: the tests of every project, through Nx and its cache, then one line per project and
// the closing line `N passed, N failed`.
//
//   npm test                    all projects
//   npm test -- money edge      these projects alone
//   npm run test:kill           the long kill test instead (`test:kill` of the projects that have it)
//   npm run test:kill:cluster   the same for the cluster (`test:kill:cluster`)
//   npm run test:browsers       paying on a shop's page in three browsers (`test:browsers`)
import { npmCommand } from './ensure-packages.mjs';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { isMissing, lookForAll, sentenceOf } from '../libs/prerequisites/src/prerequisites.mjs';
import { readProjects, workspaceRoot } from './projects.mjs';
import { forgetCounts, readCounts } from './test-counts.mjs';
import { wordsBehind } from './words.mjs';

/**
 * @typedef {import('./projects.mjs').Project} Project
 * @typedef {import('./test-counts.mjs').TestCounts} TestCounts
 */

/**
 * What runs: `test`, or what the flag says, by which npm's scripts for it begin.
 * @param {{ kill?: true, killCluster?: true, browsers?: true }} options
 */
function scriptOf({ kill, killCluster, browsers }) {
  if (kill === true) return 'test:kill';
  if (browsers === true) return 'test:browsers';
  return killCluster === true ? 'test:kill:cluster' : 'test';
}

/** What was typed, by the flag that npm's script for it begins with. */
function typedCommand() {
  if (process.argv.includes('--kill')) return 'npm run test:kill --';
  if (process.argv.includes('--browsers')) return 'npm run test:browsers --';
  return process.argv.includes('--kill-cluster') ? 'npm run test:kill:cluster --' : 'npm test --';
}

/** @returns {never} */
function refuse(/** @type {string} */ sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

/** @returns {Project[]} the projects that were named, or all that have the script */
function selectProjects(/** @type {string[]} */ names, /** @type {string} */ script) {
  const projects = readProjects().filter(
    ({ manifest }) => manifest.scripts?.[script] !== undefined,
  );
  for (const name of names) {
    if (!projects.some((project) => [project.shortName, project.name].includes(name))) {
      const known = projects.map(({ shortName }) => shortName).join(', ');
      refuse(`There is no project "${name}" with the script "${script}". There are: ${known}.`);
    }
  }
  if (names.length === 0) return projects;
  return projects.filter(
    ({ name, shortName }) => names.includes(name) || names.includes(shortName),
  );
}

/**
 * A folder with the npm that started us under the name `npm`: Nx starts its tasks by `npm run`, and
 * an npm that was called by its full path need not be on the PATH. Windows finds npm beside Node.
 */
function npmFolder() {
  const folder = join(workspaceRoot, '.nx', 'bin'); // Nx drops folders of node_modules from the PATH
  const { command, leading } = npmCommand(process.env);
  if (process.platform === 'win32' || leading.length === 0) return dirname(process.execPath);
  const words = [command, ...leading].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 });
  return folder;
}

/** For Nx and what it starts. */
function environment() {
  const path = [
    join(workspaceRoot, 'node_modules', '.bin'),
    npmFolder(),
    dirname(process.execPath),
    process.env['PATH'] ?? '',
  ].join(delimiter);
  // Nx asks its tasks for colours even where its own output is a file.
  const colour = process.stdout.isTTY ? {} : { FORCE_COLOR: '0', NO_COLOR: '1' };
  return {
    ...process.env,
    ...colour,
    PATH: path,
    NX_DAEMON: 'false',
    NX_ISOLATE_PLUGINS: 'false', // a process for our small one would take a second
    NX_TUI: 'false',
    NX_NO_CLOUD: 'true',
  };
}

/** @returns {boolean} whether Nx calls every target a success */
function runTargets(/** @type {Project[]} */ projects, /** @type {string} */ script) {
  const isAlone = script !== 'test';
  const result = spawnSync(
    process.execPath,
    [
      join(workspaceRoot, 'node_modules', 'nx', 'dist', 'bin', 'nx.js'),
      ...['run-many', '--target', script, '--projects', projects.map(({ name }) => name).join(',')],
      ...(isAlone ? ['--parallel=1', '--output-style=stream-without-prefixes'] : ['--parallel=2']),
    ],
    { cwd: workspaceRoot, env: environment(), stdio: ['ignore', 1, 1] },
  );
  return result.status === 0;
}

/** @returns {string} one line of the summary */
function summaryLine(/** @type {Project} */ project, /** @type {TestCounts | undefined} */ counts) {
  const name = project.shortName.padEnd(22);
  if (counts === undefined) return `${name} no counts: its tests did not run to their end`;
  const { passed, failed, skipped, seconds } = counts;
  const numbers = [`${passed} passed`, `${failed} failed`, `${skipped} skipped`];
  return `${name}${numbers.map((text) => text.padStart(14)).join('')}${seconds.toFixed(1).padStart(9)} s`;
}

/** What no suite that needs it can be green without: a line each. */
async function missingSentences() {
  const found = await lookForAll();
  return found
    .filter((one) => isMissing(one) && one.prerequisite.isForTests)
    .map((one) => `Missing: ${sentenceOf(one)}\n`);
}

async function main() {
  const { options, words } = await wordsBehind(typedCommand(), (command) =>
    command
      .description(
        "The tests of every project, through Nx and its cache. To give jest a flag, run `npm test` in the project's folder.",
      )
      .argument('[projects...]', 'these alone, e.g. money edge')
      .addOption(command.createOption('--kill', 'the long kill test instead').hideHelp())
      .addOption(command.createOption('--kill-cluster', 'the same for the cluster').hideHelp())
      .addOption(command.createOption('--browsers', 'paying in three browsers instead').hideHelp()),
  );
  const script = scriptOf(options);
  const projects = selectProjects(words, script);
  if (projects.length === 0) refuse(`No project has the script "${script}".`);
  const missing = await missingSentences();
  process.stdout.write(missing.join(''));
  for (const { folder } of projects) forgetCounts(join(workspaceRoot, folder), script);

  const succeeded = runTargets(projects, script);

  process.stdout.write('\n');
  let passed = 0;
  let failed = 0;
  for (const project of projects) {
    const counts = readCounts(join(workspaceRoot, project.folder), script);
    process.stdout.write(`${summaryLine(project, counts)}\n`);
    passed += counts?.passed ?? 0;
    failed += counts?.failed ?? 1;
  }
  // A target may fail after its last test (an exit code, a process left behind): that counts too.
  if (!succeeded && failed === 0) failed = 1;
  if (failed > 0 && missing.length > 0) process.stdout.write(`\n${missing.join('')}`);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

await main();
