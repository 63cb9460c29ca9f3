import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { generatedFiles, staleFiles } from '../../generated-files.mjs';

describe('generated files', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sluice-generate-'));
    mkdirSync(join(root, 'docs'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  const files = [{ path: 'docs/table.md', make: () => Promise.resolve('| a |\n') }];

  it('are stale when they are missing or differ', async () => {
    expect(await staleFiles(files, root)).toEqual([{ path: 'docs/table.md', text: '| a |\n' }]);
    writeFileSync(join(root, 'docs/table.md'), '| b |\n');
    expect(await staleFiles(files, root)).toHaveLength(1);
  });

  it('are current when they are what the code makes', async () => {
    writeFileSync(join(root, 'docs/table.md'), '| a |\n');
    expect(await staleFiles(files, root)).toEqual([]);
  });

  it('are each listed once, in the reference or beside what reads them', async () => {
    const paths = (await generatedFiles()).map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    const others = paths.filter((path) => !/^(?:docs\/reference|docker|k8s)\//.test(path));
    expect(others).toEqual([
      // A table of a standard, from the library that keeps it.
      'libs/money/src/iso-4217.ts',
      // Documents as pages, for a gateway without any file of docs/.
      'apps/reference-page/page/interface.html',
      'apps/reference-page/page/wire-contract.html',
      // What depends on every app.
      'apps/all/package.json',
    ]);
  });
});
