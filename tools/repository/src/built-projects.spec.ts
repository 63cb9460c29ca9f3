import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { build } from '../../build.mjs';
import { readProjects, workspaceRoot } from '../../projects.mjs';

// Specs run the sources through jest's own module loader. Some errors of ES modules (a name that is
// a type only, a missing ".js", an undeclared package) show when plain Node loads what was built.
describe('what is built', () => {
  const names = readProjects()
    .filter(({ folder, manifest }) => {
      const isProduct = folder.startsWith('apps/') || folder.startsWith('libs/');
      const isTesting = manifest.nx?.tags?.includes('type:testing') === true;
      return isProduct && !isTesting && existsSync(join(workspaceRoot, folder, 'src/index.ts'));
    })
    .map(({ name }) => name);

  beforeAll(async () => {
    await build();
  }, 60_000);

  it.each(names)('%s can be imported by plain Node', (name) => {
    const result = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', `await import('${name}'); process.exit(0)`],
      { cwd: workspaceRoot, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
    );
    expect(`${result.stderr}exit code ${result.status}`).toBe('exit code 0');
  });
});
