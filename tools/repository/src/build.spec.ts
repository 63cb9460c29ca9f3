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

  describe('of what runs in browsers', () => {
    const index = () =>
      JSON.parse(readFileSync(path('apps/shown/dist/bundle/bundle.json'), 'utf8')) as {
        readonly version: string;
        readonly templates: Readonly<Record<string, string>>;
        readonly files: readonly string[];
      };
    const textOf = (name: string) =>
      readFileSync(path(`apps/shown/dist/bundle/${index().version}/${name}`), 'utf8');

    beforeEach(() => {
      write('package.json', '{"workspaces": ["apps/*", "libs/*"]}');
      const exported = { '.': { 'sluice-source': './src/index.ts' } };
      write('libs/one/package.json', JSON.stringify({ name: '@sluice/one', exports: exported }));
      const shown = {
        name: '@sluice/shown',
        dependencies: { '@sluice/one': '0.1.0' },
        nx: { tags: ['type:browser'] },
      };
      write('apps/shown/package.json', JSON.stringify(shown));
      write('apps/shown/src/index.ts', 'export const place: string = "here";\n');
      write(
        'apps/shown/src/told.ts',
        'export const told = (text: string) => console.warn(text);\n',
      );
      write(
        'apps/shown/src/hello.entry.ts',
        "import { one } from '@sluice/one';\nimport { told } from './told.js';\ntold(`number ${one}`);\n",
      );
      // Images are built without the file that it names.
      write('apps/shown/src/tsconfig.json', '{"extends": "../../../tsconfig.json"}');
      write('apps/shown/src/page.html', '<p>page</p>\n');
      write('apps/shown/src/languages/de.json', '{ "a": "b" }\n');
    });

    it('makes one script of each entry, and compiles the index alone for Node', async () => {
      expect(await build(root)).toEqual({ compiled: 5, removed: 0 });
      expect(index().files).toEqual(['hello.js', 'language-de.json', 'page.html']);
      expect(textOf('hello.js')).toContain('number');
      expect(textOf('hello.js')).not.toContain('import');
      expect(textOf('language-de.json')).toBe('{"a":"b"}');
      expect(existsSync(path('apps/shown/dist/index.js'))).toBe(true);
      expect(existsSync(path('apps/shown/dist/told.js'))).toBe(false);
    });

    it('does so again when something that it imports has changed, and then alone', async () => {
      await build(root);
      const before = index().version;
      expect(await build(root)).toEqual({ compiled: 0, removed: 0 });
      write('libs/one/src/index.ts', 'export const one: number = 77;\n');
      expect(await build(root)).toEqual({ compiled: 2, removed: 0 });
      expect(index().version).not.toBe(before);
      expect(existsSync(path(`apps/shown/dist/bundle/${before}`))).toBe(false);
      expect(textOf('hello.js')).toContain('77');
    });

    it('is of the same name for the same content', async () => {
      await build(root);
      const before = index().version;
      rmSync(path('apps/shown/dist'), { recursive: true });
      await build(root);
      expect(index().version).toBe(before);
    });
  });
});
