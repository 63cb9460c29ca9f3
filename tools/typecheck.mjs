// Checks the types of one project, with what it imports: `node tools/typecheck.mjs apps/edge`. Nx asks
// for it (nx-targets.mjs); `npm run typecheck` checks the whole workspace at once, which is one program
// for the compiler and takes a fraction of the sum.
import './ensure-packages.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { readProjects, workspaceRoot } from './projects.mjs';
import { sourceFilesBelow } from './source-files.mjs';

const word = process.argv[2];
const project = readProjects().find(({ folder }) => folder === word);
if (project === undefined || process.argv.length > 3) {
  process.stderr.write('Say which project: node tools/typecheck.mjs apps/edge\n');
  process.exit(2);
}
const { folder } = project;
const cache = join(workspaceRoot, 'node_modules', '.cache', 'sluice', 'typecheck', folder);
/** What the root's tsconfig.json includes of it; scripts of pages have a configuration of their own. */
const files = sourceFilesBelow(workspaceRoot, folder)
  .filter((file) => !file.startsWith(`${folder}/page/`))
  .map((file) => join(workspaceRoot, file));
const configuration = join(cache, 'tsconfig.json');
const page = join(workspaceRoot, folder, 'page', 'tsconfig.json');

mkdirSync(cache, { recursive: true });
writeFileSync(
  configuration,
  JSON.stringify({
    extends: join(workspaceRoot, 'tsconfig.json'),
    compilerOptions: { tsBuildInfoFile: join(cache, 'tsbuildinfo') },
    include: [],
    files,
  }),
);
const programs = [
  ...(files.length > 0 ? [configuration] : []),
  ...(existsSync(page) ? [page] : []),
];
const compiler = join(workspaceRoot, 'node_modules', 'typescript', 'bin', 'tsc');
const failed = programs.filter((program) => {
  const words = [compiler, '--noEmit', '--project', program];
  return spawnSync(process.execPath, words, { cwd: workspaceRoot, stdio: 'inherit' }).status !== 0;
});
process.exitCode = failed.length === 0 ? 0 : 1;
