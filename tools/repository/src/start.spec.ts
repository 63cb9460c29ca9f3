import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '../../projects.mjs';

/** The account that every Unix has for programs that own nothing. */
const NOBODY = 65_534;
/** Root may write everywhere, whatever the modes say; an ordinary user goes by them. */
const AS_NOBODY =
  process.getuid?.() === 0
    ? ['--import', `data:text/javascript,process.setgid(${NOBODY});process.setuid(${NOBODY})`]
    : [];

/** A repository with one program, which needs no compiler, and no package at all. */
describe('a repository that belongs to somebody else', () => {
  let root: string;
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const start = (flags: readonly string[] = []) => {
    const program = ['tools/run.mjs', 'apps/sandbox/dist/main.js'].map((path) => join(root, path));
    const result = spawnSync(process.execPath, [...flags, ...program], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    return { code: result.status, out: result.stdout, err: result.stderr };
  };
  /** As its owner leaves it: everybody may read, nobody else may write. */
  const close = (mode: number) => {
    const folders = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const folder of [root, ...folders]) chmodSync(folder, mode);
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sluice-start-'));
    for (const name of readdirSync(join(workspaceRoot, 'tools'))) {
      if (!name.endsWith('.mjs')) continue;
      cpSync(join(workspaceRoot, 'tools', name), join(root, 'tools', name));
    }
    cpSync(join(workspaceRoot, '.swcrc'), join(root, '.swcrc'));
    write('package.json', '{"type": "module", "workspaces": ["apps/*"]}');
    write('package-lock.json', '{"packages": {}}');
    write('node_modules/.package-lock.json', '{"packages": {}}');
    write('node_modules/@swc/core/package.json', '{"version": "1.0.0"}');
    write('apps/sandbox/package.json', '{"name": "@sluice/sandbox"}');
    write('apps/sandbox/src/main.js', 'console.log("started");\n');
  });

  afterEach(() => {
    close(0o755);
    rmSync(root, { recursive: true });
  });

  it('is started as it is, when nothing has to be installed or compiled', () => {
    expect(start()).toEqual({ code: 0, out: 'started\n', err: '' });
    rmSync(join(root, 'node_modules', '.cache', 'sluice', 'packages-stamp'));
    close(0o555);
    expect(start(AS_NOBODY)).toEqual({ code: 0, out: 'started\n', err: '' });
  });

  it('is refused in a sentence, when it would have to be compiled', () => {
    close(0o555);
    expect(start(AS_NOBODY)).toEqual({
      code: 1,
      out: '',
      err:
        'Sluice has not been compiled since its last change, and this user may not write to ' +
        `${root}/. Run the same command there once as its owner, or clone the repository to a ` +
        'folder of your own.\n',
    });
  });

  it('is refused in a sentence, when packages would have to be installed', () => {
    rmSync(join(root, 'node_modules', '.package-lock.json'));
    close(0o555);
    const { code, err } = start(AS_NOBODY);
    expect(code).toBe(1);
    expect(err).toMatch(/^The npm packages are not installed, and this user may not write to \//);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});
