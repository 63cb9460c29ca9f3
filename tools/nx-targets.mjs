// A plugin of Nx: gives every project the targets that are the same everywhere, so that no project
// has to repeat them and none can lack one. `test` is each project's own script, in its package.json.
//
//   npx nx run-many -t lint                every project, from Nx's cache where nothing has changed
//   npx nx run @sluice/money:typecheck     one
//   npx nx serve @sluice/vault             one service, as `npm start -w apps/vault`
//
// The root's commands (`npm run lint`, `typecheck`, `build`) do the same to everything at once, in one
// process, which is what the CI runs: that is faster than some 60 compilers one after another.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @typedef {{ command: string, options: { cwd: string }, [option: string]: unknown }} Target */

const AT_ROOT = { cwd: '{workspaceRoot}' };

/**
 * @param {string} folder the project's
 * @param {string} root the workspace's
 * @returns {Record<string, Target>}
 */
export function targetsOf(folder, root) {
  const entry = join(folder, 'src', 'main.ts');
  const isService = folder.startsWith('apps/') && existsSync(join(root, entry));
  return {
    build: { command: `node tools/run-build.mjs ${folder}`, options: AT_ROOT },
    lint: { command: `eslint --max-warnings 0 ${folder}`, options: AT_ROOT },
    typecheck: { command: `node tools/typecheck.mjs ${folder}`, options: AT_ROOT },
    ...(isService && {
      serve: {
        command: `node tools/run.mjs ${folder}/dist/main.js`,
        options: AT_ROOT,
        continuous: true,
      },
    }),
  };
}

/** What Nx asks of a plugin: by pattern of files, the projects that they are and their targets. */
export const createNodesV2 = [
  '{apps/*,libs/*,libs/domain/*,tools/*}/package.json',
  (
    /** @type {readonly string[]} */ files,
    /** @type {unknown} */ _options,
    /** @type {{ workspaceRoot: string }} */ { workspaceRoot },
  ) =>
    files.map((file) => {
      const folder = dirname(file);
      return [file, { projects: { [folder]: { targets: targetsOf(folder, workspaceRoot) } } }];
    }),
];
