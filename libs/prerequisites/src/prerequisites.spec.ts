import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { JPOS_VERSION, KAFKA_VERSION, look, prerequisites, waysToGet } from './prerequisites.mjs';

const workspaceRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** The rows of the table in README, without what only makes columns equally wide. */
function rowsOfReadme(): readonly string[][] {
  const text = readFileSync(join(workspaceRoot, 'README.md'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1));
}

describe('the prerequisites in README', () => {
  it('are those that the commands look for', () => {
    const expected = prerequisites.map((row) => [
      row.title,
      row.neededFor,
      waysToGet(row).join('; '),
    ]);
    expect(rowsOfReadme()).toEqual(expect.arrayContaining(expected));
  });
});

describe('the version of jPOS', () => {
  it('is the one that Maven gets', () => {
    const file = join(workspaceRoot, 'libs/testing/src/jpos-host/pom.xml');
    expect(readFileSync(file, 'utf8')).toContain(`<jpos.version>${JPOS_VERSION}</jpos.version>`);
  });
});

/** A computer with exactly these programs, each of which prints what it is. */
describe('npm run doctor', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-doctor-'));
    mkdirSync(join(folder, 'bin'));
    symlinkSync('/bin/sh', join(folder, 'bin', 'sh'));
    add('git', 'git version 2.39.5');
    add('curl', 'curl 8.1.0');
    add('bash', 'GNU bash, version 5.2.15');
    add('java', 'openjdk version "21.0.1" 2023-10-17');
    add('mvn', 'Apache Maven 3.9.6');
    add('chromium', 'Chromium 140.0.1');
    add('promtool', 'promtool, version 2.42.0+ds');
    add('python3', '3.11.2 (main)');
    add('javac', 'javac 21.0.1');
    add('phpunit', 'PHPUnit 9.5.28');
    add('docker', '28.2.2');
    add('firefox-esr', 'Mozilla Firefox 153.7.0esr');
    add('WebKitWebDriver', 'Usage: WebKitWebDriver options');
    add('Xvfb', 'use: X [:<display>] [option]');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function add(name: string, says: string, code = 0): void {
    const file = join(folder, 'bin', name);
    writeFileSync(file, `#!/bin/sh\necho '${says}'\nexit ${code}\n`);
    chmodSync(file, 0o755);
  }

  const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
    ...{ PATH: join(folder, 'bin'), HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') },
    ...more,
  });

  function doctor(
    more: NodeJS.ProcessEnv = {},
    words: readonly string[] = [],
  ): { readonly code: number | null; readonly out: string; readonly err: string } {
    const script = join(workspaceRoot, 'tools', 'doctor.mjs');
    const options = { encoding: 'utf8', env: environment(more) } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], options);
    return { code: status, out: stdout, err: stderr };
  }

  it('finds everything', () => {
    const { code, out } = doctor();
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('is here') });
    expect(out).toMatch(/^ok +promtool .* 2\.42\.0 /m);
    expect(out).not.toContain('MISSING');
  });

  it('says how to get what is missing, and that the tests cannot be green', () => {
    rmSync(join(folder, 'bin', 'promtool'));
    const { code, out } = doctor();
    expect(code).toBe(1);
    expect(out).toMatch(/^MISSING +promtool/m);
    expect(out).toMatch(/^promtool .*: there is none.*apt-get install prometheus/m);
    expect(out).toContain('npm test cannot be green here without promtool.');
  });

  it('takes what is too old, or does not work, for missing', () => {
    add('java', 'openjdk version "11.0.2" 2019-01-15');
    add('git', 'a library is missing', 127);
    const { code, out } = doctor();
    expect(code).toBe(1);
    expect(out).toMatch(/^Java 17 or newer: .*\/bin\/java is 11\.0\.2, which is too old/m);
    expect(out).toMatch(/^git: .*\/bin\/git does not work: a library is missing/m);
  });

  it('does not ask for Maven where all that it would get is there already', () => {
    rmSync(join(folder, 'bin', 'mvn'));
    for (const name of [`kafka-${KAFKA_VERSION}`, `jpos-${JPOS_VERSION}`]) {
      expect(doctor().code).toBe(1);
      mkdirSync(join(folder, 'cache', 'sluice', name, 'libs'), { recursive: true });
    }
    const { code, out } = doctor();
    expect(code).toBe(0);
    expect(out).toMatch(/^Maven .*: not needed, Apache Kafka .* are in the cache folder already/m);
  });

  it('counts for nothing else what only npm run check needs', () => {
    rmSync(join(folder, 'bin', 'python3'));
    const { code, out } = doctor();
    expect(code).toBe(0);
    expect(out).toContain('npm run check needs python3 too');
  });

  it('asks for a browser only where npm run check is meant, and needs no version of what says none', () => {
    const { out } = doctor();
    expect(out).toMatch(/^ok +WebKit's driver.* - /m);
    add('Xvfb', 'a library is missing', 127);
    rmSync(join(folder, 'bin', 'firefox-esr'));
    const { code, out: without } = doctor();
    expect(code).toBe(0);
    expect(without).toMatch(
      /^Xvfb.*: .*\/bin\/Xvfb does not work.*apt-get install xvfb; for Linux/m,
    );
    expect(without).toContain('npm run check needs firefox, Xvfb too');
  });

  it('believes the variables that name a program', () => {
    const { code, out } = doctor({ CHROMIUM_PATH: '/nope', JAVA_HOME: '/nowhere' });
    expect(code).toBe(1);
    expect(out).toContain('there is none at /nope');
    expect(out).toContain('there is none at /nowhere/bin/java');
  });

  it('has help, and refuses a wrong word', () => {
    expect(doctor({}, ['--help'])).toMatchObject({ code: 0, err: '' });
    expect(doctor({}, ['wrong'])).toMatchObject({ code: 2, out: '' });
  });

  it.each([
    ['2.39.9', 'which is too old'],
    ['2.40.0', undefined],
    ['3.0', undefined],
    ['10.1.2', undefined],
  ])('compares versions by their numbers: promtool %s', async (version, problem) => {
    add('promtool', `promtool, version ${version} (branch: HEAD)`);
    const found = await look('promtool', environment());
    expect(found.version).toBe(version);
    expect(found.problem?.includes(problem ?? '')).toBe(problem === undefined ? undefined : true);
  });
});
