// Prints what of libs/prerequisites is on this computer:
//
//   node tools/prerequisites.mjs            what the tests use, with versions: Nx makes its cache
//                                           depend on this text (nx.json)
//   node tools/prerequisites.mjs --debian   Debian's packages for what is missing
import process from 'node:process';
import { isMissing, lookForAll } from '../libs/prerequisites/src/prerequisites.mjs';

const all = await lookForAll();
const lines = process.argv.includes('--debian')
  ? all.filter(isMissing).flatMap(({ prerequisite: { install } }) => install.debian ?? [])
  : all
      .filter(({ prerequisite: { isForTests } }) => isForTests)
      .map(({ prerequisite: { name }, command, version }) => [name, command, version].join(' '));
process.stdout.write(lines.map((line) => `${line}\n`).join(''));
