// `npm run doctor`: what of README's prerequisites is here, in which version, and how to get the rest.
// It installs nothing and imports no package, so that it can be asked before anything else. Exit code
// 1 when `npm test` could not be green.
import process from 'node:process';
import { isMissing, lookForAll, sentenceOf } from '../libs/prerequisites/src/prerequisites.mjs';

/** @typedef {import('../libs/prerequisites/src/prerequisites.mjs').Found} Found */

const USAGE = `Usage: npm run doctor

Looks for what README.md names as prerequisites, and says how to get what is missing.
Exit code 0: npm test can be green here. 1: it cannot. 2: wrong usage.
`;

/** @returns {string[]} a line of the table */
function cells(/** @type {Found} */ found) {
  const { prerequisite, version } = found;
  const state = found.problem === undefined ? 'ok' : isMissing(found) ? 'MISSING' : 'not needed';
  return [state, prerequisite.title, version ?? '-', prerequisite.neededFor.replaceAll('`', '')];
}

/** @returns {string} lines with columns of equal width */
function table(/** @type {string[][]} */ rows) {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** @returns {string} what follows from it */
function verdict(/** @type {Found[]} */ missing) {
  const forTests = missing.filter(({ prerequisite }) => prerequisite.isForTests);
  const names = (/** @type {Found[]} */ some) =>
    some.map(({ prerequisite }) => prerequisite.name).join(', ');
  if (missing.length === 0) return 'Everything is here: npm start, npm test and npm run check.';
  if (forTests.length > 0) return `npm test cannot be green here without ${names(forTests)}.`;
  return `npm start and npm test have all they need; npm run check needs ${names(missing)} too.`;
}

const words = process.argv.slice(2);
if (words.length > 0) {
  const isHelp = words.every((word) => word === '--help' || word === '-h');
  process.exitCode = isHelp ? 0 : 2;
  if (isHelp) process.stdout.write(USAGE);
  else process.stderr.write(`"${words.join(' ')}" is not known here; see --help.\n`);
} else {
  const all = await lookForAll();
  const missing = all.filter(isMissing);
  process.stdout.write(table([['', 'What', 'Version', 'Needed for'], ...all.map(cells)]));
  process.stdout.write('\n');
  for (const found of all) {
    if (isMissing(found)) process.stdout.write(`${sentenceOf(found)}\n\n`);
    else if (found.problem !== undefined) {
      process.stdout.write(`${found.prerequisite.title}: not needed, ${found.instead ?? ''}.\n\n`);
    }
  }
  process.stdout.write(`${verdict(missing)}\n`);
  process.exitCode = missing.some(({ prerequisite }) => prerequisite.isForTests) ? 1 : 0;
}
