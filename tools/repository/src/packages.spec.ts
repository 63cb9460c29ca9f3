import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from '@jest/globals';
import { isInstalled, npmCommand } from '../../ensure-packages.mjs';

describe('installed packages', () => {
  const computer = { os: 'linux', cpu: 'x64', libc: 'glibc' };
  const installed = { 'node_modules/pg': { version: '8.23.1' } };
  const says = (wanted: Parameters<typeof isInstalled>[0]) =>
    isInstalled(wanted, installed, computer);

  it('are those of the lock file, in its versions', () => {
    expect(says({ '': {}, 'node_modules/pg': { version: '8.23.1' } })).toBe(true);
    expect(says({ 'node_modules/pg': { version: '8.23.2' } })).toBe(false);
    expect(says({ 'node_modules/pino': { version: '10.4.0' } })).toBe(false);
  });

  it('may lack what is for another platform', () => {
    const version = '1.0.0';
    const says_ = (entry: object) =>
      says({ 'node_modules/binary': { version, optional: true, ...entry } });
    expect(says_({ os: ['darwin'], cpu: ['x64'] })).toBe(true);
    expect(says_({ os: ['linux'], cpu: ['arm64'] })).toBe(true);
    expect(says_({ os: ['linux'], cpu: ['x64'], libc: ['musl'] })).toBe(true);
    expect(says_({ os: ['linux'], cpu: ['x64'], libc: ['glibc'] })).toBe(false);
  });

  it('may lack what only a package for another platform needs', () => {
    const binary = 'node_modules/binary-wasm32';
    const wasm = { version: '1.0.0', optional: true, cpu: ['wasm32'] };
    const own = { [`${binary}/node_modules/runtime`]: { version: '1.0.0', optional: true } };
    expect(says({ [binary]: wasm, ...own })).toBe(true);
    expect(says({ [binary]: { ...wasm, cpu: ['x64'] }, ...own })).toBe(false);
    expect(says(own)).toBe(false);
  });

  it('do not include the projects of the workspace', () => {
    expect(says({ 'libs/money': { version: '0.1.0' } })).toBe(true);
  });
});

describe('npm', () => {
  it('is the one that started us, by its full path', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-npm-'));
    const script = join(folder, 'npm-cli.js');
    writeFileSync(script, '');
    try {
      const expected = { command: process.execPath, leading: [script], shell: false };
      expect(npmCommand({ npm_execpath: script })).toEqual(expected);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is found without that, and another package manager is not taken for it', () => {
    const found = npmCommand({});
    expect(found.command === process.execPath || found.command === 'npm').toBe(true);
    expect(npmCommand({ npm_execpath: '/somewhere/yarn.js' })).toEqual(found);
    expect(npmCommand({ npm_execpath: '/nowhere/npm-cli.js' })).toEqual(found);
  });
});
