import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from '../../build.mjs';

describe('the build', () => {
  let root: string;
  const path = (file: string) => join(root, file);
  const write = (file: string, text: string) => {
    mkdirSync(dirname(path(file)), { recursive: true });
    writeFileSync(path(file), text);
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sluice-build-'));
    write('package.json', '{"workspaces": ["libs/*", "tools/*"]}');
    write('libs/one/package.json', '{"name": "@sluice/one"}');
    write('libs/one/src/index.ts', 'export const one: number = 1;\n');
    write('libs/one/src/deep/two.ts', 'export const two: number = 2;\n');
    write('libs/one/src/one.spec.ts', 'throw new Error("a spec is not part of the product");\n');
    write('libs/one/src/table.json', '{"rows": 3}\n');
  });

  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it('compiles programs with their source maps, copies data, leaves specs', async () => {
    expect(await build(root)).toEqual({ compiled: 3, removed: 0 });
    const code = readFileSync(path('libs/one/dist/index.js'), 'utf8');
    expect(code).toContain('export const one = 1;');
    expect(code).toContain('//# sourceMappingURL=index.js.map');
    const map = JSON.parse(readFileSync(path('libs/one/dist/deep/two.js.map'), 'utf8')) as {
      sources: string[];
    };
    expect(map.sources).toEqual(['../../src/deep/two.ts']);
    expect(readFileSync(path('libs/one/dist/table.json'), 'utf8')).toBe('{"rows": 3}\n');
    expect(existsSync(path('libs/one/dist/one.spec.js'))).toBe(false);
  });

  it('does nothing when nothing changed', async () => {
    await build(root);
    expect(await build(root)).toEqual({ compiled: 0, removed: 0 });
  });

  it('compiles what changed, also when the new file is older', async () => {
    await build(root);
    write('libs/one/src/index.ts', 'export const one: number = 7;\n');
    utimesSync(path('libs/one/src/index.ts'), 1_000_000, 1_000_000);
    expect(await build(root)).toEqual({ compiled: 1, removed: 0 });
    expect(readFileSync(path('libs/one/dist/index.js'), 'utf8')).toContain('one = 7');
  });

  it('compiles again what somebody deleted', async () => {
    await build(root);
    rmSync(path('libs/one/dist'), { recursive: true });
    expect(await build(root)).toEqual({ compiled: 3, removed: 0 });
  });

  it('removes what has no source any more', async () => {
    await build(root);
    rmSync(path('libs/one/src/deep/two.ts'));
    expect(await build(root)).toEqual({ compiled: 0, removed: 2 });
    expect(existsSync(path('libs/one/dist/deep/two.js'))).toBe(false);
    expect(existsSync(path('libs/one/dist/index.js'))).toBe(true);
  });

  it('emits the decorator metadata that Nest injects by', async () => {
    write(
      'libs/one/src/injected.ts',
      'import { Clock } from "./clock.js";\n@decorate()\nexport class Service { constructor(clock: Clock) {} }\n',
    );
    await build(root);
    const code = readFileSync(path('libs/one/dist/injected.js'), 'utf8');
    expect(code).toContain('"design:paramtypes"');
    expect(code).toContain('from "./clock.js"');
  });

  it('says which file it could not compile', async () => {
    write('libs/one/src/broken.ts', 'export const = ;\n');
    await expect(build(root)).rejects.toThrow('libs/one/src/broken.ts');
  });
});
