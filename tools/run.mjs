// The one launcher: installs what is missing, compiles what changed, and becomes the program itself.
// No second process, so that signals and exit codes are the program's own. Its words pass through:
// `npm run cluster -- --instances payments=3` is
// `node tools/run.mjs tools/cluster/dist/main.js --instances payments=3`.
//
// Stack traces name lines of the sources. Programs that measure go without, because each trace of an
// error then costs time of its own: `node tools/run.mjs --no-source-maps tools/bench/dist/main.js`.
import { isWriteRefusal, refuseForeign } from './ensure-packages.mjs';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { build } from './build.mjs';
import { workspaceRoot } from './projects.mjs';

const WITHOUT_MAPS = '--no-source-maps';
const hasMaps = process.argv[2] !== WITHOUT_MAPS;
if (!hasMaps) process.argv.splice(2, 1);
const entry = process.argv[2];
if (entry === undefined) {
  process.stderr.write('Say which: node tools/run.mjs apps/<name>/dist/main.js\n');
  process.exit(2);
}
await build().catch((/** @type {unknown} */ error) => {
  if (!isWriteRefusal(error)) throw error;
  refuseForeign(workspaceRoot, 'Sluice has not been compiled since its last change');
});
const program = resolve(entry);
process.argv.splice(1, 2, program);
process.setSourceMapsEnabled(hasMaps);
await import(pathToFileURL(program).href);
