import { afterEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { targetsOf } from '../../nx-targets.mjs';
import { prerequisites } from '@sluice/prerequisites';
import { readProjects, workspaceRoot } from '../../projects.mjs';
import { isTestFile, sourceFilesBelow } from '../../source-files.mjs';
import { cachedVariables, environmentInputs, isSeen } from '../../suite-environment.mjs';

interface NxFile {
  readonly namedInputs: Readonly<Record<string, readonly (string | object)[]>>;
  readonly targetDefaults: Readonly<Record<string, { readonly inputs?: readonly string[] }>>;
}

interface ProjectFile {
  readonly nx?: { readonly targets?: Readonly<Record<string, { inputs?: readonly string[] }>> };
}

const json = (file: string): unknown => JSON.parse(readFileSync(join(workspaceRoot, file), 'utf8'));
const nx = json('nx.json') as NxFile;
const projects = readProjects();
const read = (file: string): string => readFileSync(join(workspaceRoot, file), 'utf8');

/** What the cached result of a project's tests depends on, named inputs opened. */
function testInputs(folder: string): readonly (string | object)[] {
  const own = (json(`${folder}/package.json`) as ProjectFile).nx?.targets?.['test']?.inputs;
  const open = (input: string | object): readonly (string | object)[] =>
    typeof input === 'string' && input in nx.namedInputs
      ? (nx.namedInputs[input] ?? []).flatMap(open)
      : [input];
  return (own ?? nx.targetDefaults['test']?.inputs ?? []).flatMap(open);
}

/** What is said of the languages of samples on a computer with these programs alone. */
function samplesPrinted(folder: string): string[] {
  const script = join(workspaceRoot, 'tools', 'prerequisites.mjs');
  const env = { ...process.env, PATH: folder };
  const { stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8', env });
  return stdout.split('\n').filter((line) => line.startsWith('sample '));
}

describe('what a cached test result depends on', () => {
  const files = [
    ...sourceFilesBelow(workspaceRoot, 'apps'),
    ...sourceFilesBelow(workspaceRoot, 'libs'),
    ...sourceFilesBelow(workspaceRoot, 'tools'),
  ];

  it('is every variable that a source reads', () => {
    // What is only written is not read; `??=` reads first.
    const reads = /\b(?:process\.env|env)(?:\['([A-Za-z_]+)'\]|\.([A-Z][A-Z_0-9]+))(?!\s*=[^=])/gu;
    const found = files.flatMap((file) =>
      [...read(file).matchAll(reads)].map(([, first, second]) => [file, first ?? second ?? '']),
    );
    expect(found.map(([, name]) => name)).toEqual(
      expect.arrayContaining(['KAFKA_BROKERS', 'CHROMIUM_PATH', 'JAVA_HOME', 'DATABASE_URL']),
    );
    const children = ['SLUICE_STUB', 'MANAGEMENT_PORT', 'SECRET']; // given by a spec to its own child
    const forgotten = found.filter(([, name = '']) => !isSeen(name) && !children.includes(name));
    expect(forgotten).toEqual([]);
  });

  it('is the version of every program that the tests use', () => {
    expect(environmentInputs()).toContainEqual({ runtime: 'node tools/prerequisites.mjs' });
    const script = join(workspaceRoot, 'tools', 'prerequisites.mjs');
    const { stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    const names = stdout.split('\n').map((line) => line.split(' ')[0] ?? '');
    const used = prerequisites.filter(({ isForTests }) => isForTests).map(({ name }) => name);
    expect(names.filter((name) => !['', 'sample'].includes(name))).toEqual(used);
    expect(stdout).toContain(`node ${process.execPath} ${process.versions.node}\n`);
  });

  it('is the version of every language in which a sample is tried where it is', () => {
    const samples = read('apps/sandbox/test/code-samples.e2e.spec.ts');
    const found = [...samples.matchAll(/: \['(\w+)', '[Ss]ample\.\w+'\]/gu)];
    const languages = found.map(([, name = '']) => name).filter((name) => name !== 'sh');
    expect(languages).toEqual(['python3', 'php', 'java']);
    const folder = mkdtempSync(join(tmpdir(), 'sluice-languages-spec-'));
    try {
      const nowhere = languages.map((name) => `sample ${name} is not here`);
      expect(samplesPrinted(folder)).toEqual(nowhere);
      for (const name of languages) {
        const says = name === 'java' ? 'jdk.compiler@17.0.1' : 'Version 8.4.1';
        writeFileSync(join(folder, name), `#!/bin/sh\necho '${says}'\n`, { mode: 0o755 });
      }
      expect(samplesPrinted(folder)).toEqual([
        ...['sample python3 8.4.1', 'sample php 8.4.1', 'sample java jdk.compiler@17.0.1'],
      ]);
      writeFileSync(join(folder, 'java'), '#!/bin/sh\necho java.base@17.0.1\n');
      expect(samplesPrinted(folder)).toContain('sample java is not here');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each(projects)('of $shortName is both of that', ({ folder }) => {
    expect(testInputs(folder)).toEqual(expect.arrayContaining([...environmentInputs()]));
  });

  it.each(['docs', 'k8s', 'docker'])('is the folder %s, where a suite names it', (place) => {
    const inString = new RegExp(`['"\`/]${place}/[a-z]`, 'u');
    const without = projects.filter(({ folder }) => {
      const tests = sourceFilesBelow(workspaceRoot, folder).filter(isTestFile);
      if (!tests.some((file) => inString.test(read(file)))) return false;
      return !testInputs(folder).some(
        (input) =>
          typeof input === 'string' &&
          (input === '{workspaceRoot}/**/*' || input.startsWith(`{workspaceRoot}/${place}/`)),
      );
    });
    expect(without.map(({ shortName }) => shortName)).toEqual([]);
  });
});

describe('what a suite sees of the environment', () => {
  const folders: string[] = [];

  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  it('is what the cache knows of, and what has no effect', () => {
    // Inside of the repository, so that jest's packages are found; git and Nx ignore the place.
    mkdirSync(join(workspaceRoot, '.nx'), { recursive: true });
    const folder = mkdtempSync(join(workspaceRoot, '.nx', 'environment-spec-'));
    folders.push(folder);
    mkdirSync(join(folder, 'src'));
    writeFileSync(
      join(folder, 'src', 'seen.spec.ts'),
      `import { it } from '@jest/globals';
       import { writeFileSync } from 'node:fs';
       it('writes', () => writeFileSync('seen.json', JSON.stringify(Object.keys(process.env))));`,
    );
    const { stderr, status } = spawnSync(
      process.execPath,
      [join(workspaceRoot, 'tools', 'jest.mjs')],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PORT: '1', VAULT_URL: 'x', KAFKA_BROKERS: 'y', TEST_SEED: 'z' },
      },
    );
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const seen = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8')) as string[];
    expect(seen).toEqual(expect.arrayContaining(['KAFKA_BROKERS', 'TEST_SEED', 'PATH']));
    expect(seen.filter((name) => ['PORT', 'VAULT_URL'].includes(name))).toEqual([]);
  });

  it('is named once each', () => {
    expect(cachedVariables()).toEqual([...new Set(cachedVariables())].sort());
  });
});

describe('the targets of Nx', () => {
  it.each(projects)('$shortName can be built, linted and checked', ({ folder }) => {
    const targets = targetsOf(folder, workspaceRoot);
    const isService = existsSync(join(workspaceRoot, folder, 'src/main.ts'));
    const isServed = folder.startsWith('apps/') && folder !== 'apps/cli';
    const serve = isServed && isService ? ['serve'] : [];
    expect(Object.keys(targets)).toEqual(['build', 'lint', 'typecheck', ...serve]);
    expect(Object.keys(nx.targetDefaults)).toEqual(expect.arrayContaining(Object.keys(targets)));
  });
});
