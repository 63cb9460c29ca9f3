import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { examples, missingPrograms } from '../../examples.mjs';
import { prerequisites } from '@sluice/prerequisites';
import { workspaceRoot } from '../../projects.mjs';

const read = (path: string) => readFileSync(join(workspaceRoot, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { readonly version: string };
const ci = read('.ci/run');

describe('the examples', () => {
  it('are all run', () => {
    const folders = readdirSync(join(workspaceRoot, 'examples'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(examples.map(({ name }) => name).sort()).toEqual(folders.sort());
  });

  it('are none of them skipped in CI, which installs what they need', () => {
    expect(ci).toMatch(/= true \]; then languages=\(--require-all\)/);
    expect(ci).toMatch(/^step examples .*"\$\{languages\[@\]\}"$/m);
    expect(ci).toContain('node tools/prerequisites.mjs --debian');
    const installed = prerequisites.map(({ install }) => install.debian);
    const needed = examples.flatMap(({ packages }) => packages.split(' '));
    expect(needed.filter((name) => name !== 'nodejs' && !installed.includes(name))).toEqual([]);
  });

  it('miss what is not on the PATH', () => {
    expect(missingPrograms({ programs: ['node', 'no-such-program'] })).toEqual(['no-such-program']);
  });
});

describe('the pages about the sandbox', () => {
  const pages = [
    'docs/how-to/sandbox-in-your-tests.md',
    'examples/README.md',
    ...examples
      .filter(({ needsNoSandbox }) => !needsNoSandbox)
      .map(({ name }) => `examples/${name}/README.md`),
  ];

  it.each(pages)('%s names the file of this version', (page) => {
    const names = read(page).match(/sluice-sandbox-[^\s`]+\.tgz/g);
    expect(new Set(names)).toEqual(new Set([`sluice-sandbox-${version}.tgz`]));
  });
});
