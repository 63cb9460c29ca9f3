// Prints what of libs/prerequisites is on this computer:
//
//   node tools/prerequisites.mjs            what the tests use, with versions, and what they use where
//                                           it is: Nx makes its cache depend on this text (nx.json)
//   node tools/prerequisites.mjs --debian   Debian's packages for what is missing
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { isMissing, lookForAll } from '../libs/prerequisites/src/prerequisites.mjs';

/**
 * The languages in which the samples of the reference page are tried where they are, and skipped where
 * they are not: a result without one must not be taken for a result with it. A Java without its
 * compiler runs no sample.
 * @type {[program: string, words: string[], says: RegExp][]}
 */
const LANGUAGES_OF_SAMPLES = [
  ['python3', ['--version'], /[0-9][0-9.]*/u],
  ['php', ['--version'], /[0-9][0-9.]*/u],
  ['java', ['--list-modules'], /jdk\.compiler@\S+/u],
];

/** @returns {string[]} what is for the tests, a line each */
function usedByTests(/** @type {typeof all} */ found) {
  const needed = found
    .filter(({ prerequisite: { isForTests } }) => isForTests)
    .map(({ prerequisite: { name }, command, version }) => [name, command, version].join(' '));
  const languages = LANGUAGES_OF_SAMPLES.map(([program, words, says]) => {
    const { stdout, error } = spawnSync(program, words, { encoding: 'utf8' });
    const said = error === undefined ? says.exec(stdout)?.[0] : undefined;
    return `sample ${program} ${said ?? 'is not here'}`;
  });
  return [...needed, ...languages];
}

const all = await lookForAll();
const lines = process.argv.includes('--debian')
  ? all.filter(isMissing).flatMap(({ prerequisite: { install } }) => install.debian ?? [])
  : usedByTests(all);
process.stdout.write(lines.map((line) => `${line}\n`).join(''));
