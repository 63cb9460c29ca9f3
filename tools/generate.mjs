// `npm run generate`: writes every file that is made from code (tools/generated-files.mjs).
// With `--check` it writes nothing, lists what is stale, and fails when something is.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { build } from './build.mjs';
import { generatedFiles, staleFiles } from './generated-files.mjs';
import { workspaceRoot } from './projects.mjs';
import { wordsBehind } from './words.mjs';

/** @type {{ options: { check?: true } }} */
const { options } = await wordsBehind('npm run generate --', (command) =>
  command
    .description('Writes every file that is made from code.')
    .option('--check', 'writes nothing, lists what is stale, and fails when something is'),
);
await build();
const files = await generatedFiles();
const stale = await staleFiles(files, workspaceRoot);
const isCheck = options.check === true;
for (const { path, text } of stale) {
  process.stdout.write(`${isCheck ? 'stale' : 'written'}: ${path}\n`);
  if (!isCheck) {
    mkdirSync(dirname(join(workspaceRoot, path)), { recursive: true });
    writeFileSync(join(workspaceRoot, path), text);
  }
}
const count = `${stale.length} of ${files.length} generated files`;
if (!isCheck) {
  process.stdout.write(`${count} written.\n`);
} else if (stale.length === 0) {
  process.stdout.write(`All ${files.length} generated files are current.\n`);
} else {
  process.stdout.write(`${count} are stale; run "npm run generate" and commit the result.\n`);
  process.exitCode = 1;
}
