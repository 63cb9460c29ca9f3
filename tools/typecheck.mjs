// Checks the types: of the whole workspace at once (`npm run typecheck`), which is one program for the
// compiler and takes a fraction of the sum, or of one project with what it imports, for which Nx asks
// (nx-targets.mjs): `node tools/typecheck.mjs apps/edge`.
import './ensure-packages.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import process from 'node:process';
import { readProjects, workspaceRoot } from './projects.mjs';
import { sourceFilesBelow } from './source-files.mjs';
import { wordsBehind } from './words.mjs';

const known = readProjects().map(({ folder }) => folder);
const { words } = await wordsBehind('npm run typecheck --', (command) =>
  command
    .description('Checks the types of every project.')
    .addArgument(command.createArgument('[folder]', 'of this project alone').choices(known)),
);
const [folder] = words;
const compiler = join(workspaceRoot, 'node_modules', 'typescript', 'bin', 'tsc');
const programs = folder === undefined ? programsOfAll() : programsOf(folder);
const failed = programs.filter((program) => {
  const options = [compiler, '--noEmit', '--project', program];
  return (
    spawnSync(process.execPath, options, { cwd: workspaceRoot, stdio: 'inherit' }).status !== 0
  );
});
process.exitCode = failed.length === 0 ? 0 : 1;

/** Scripts of pages and bundles run in a browser, and have a configuration of their own. */
function browserProgramsOf(/** @type {string} */ project) {
  return ['page', 'src']
    .map((folder) => join(workspaceRoot, project, folder, 'tsconfig.json'))
    .filter((file) => existsSync(file));
}

/** @returns {string[]} the compiler's configurations, each of which is one program for it */
function programsOfAll() {
  return [join(workspaceRoot, 'tsconfig.json'), ...known.flatMap(browserProgramsOf)];
}

/** @returns {string[]} the same for one project */
function programsOf(/** @type {string} */ project) {
  // What the root's tsconfig.json includes of it.
  const inBrowsers = browserProgramsOf(project);
  const files = sourceFilesBelow(workspaceRoot, project)
    .map((file) => join(workspaceRoot, file))
    .filter((file) => !inBrowsers.some((program) => file.startsWith(join(program, '..', sep))));
  const cache = join(workspaceRoot, 'node_modules', '.cache', 'sluice', 'typecheck', project);
  const configuration = join(cache, 'tsconfig.json');
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
  return [...(files.length > 0 ? [configuration] : []), ...inBrowsers];
}
