// `npm run pack:sandbox`: writes sluice-sandbox-<version>.tgz, which npm installs and npx runs:
//
//   npx ./sluice-sandbox-0.1.0.tgz
//   npm install --save-dev ./sluice-sandbox-0.1.0.tgz && npx sluice-sandbox --port 0
//
// The workspace's own projects are inside, compiled; what they need of npm is named with its exact
// version, and npm installs it as usual.
import './ensure-packages.mjs';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { npmCommand } from './ensure-packages.mjs';
import { imageProjects, programsOf } from './image-files.mjs';
import { readManifest, readProjects, workspaceRoot } from './projects.mjs';

/**
 * @typedef {import('./projects.mjs').Project} Project
 * @typedef {import('./projects.mjs').Manifest} Manifest
 */

/** What people type; also the package's name. */
const COMMAND = 'sluice-sandbox';
const MAIN = 'node_modules/@sluice/sandbox/dist/packaged.main.js';
const BIN = `bin/${COMMAND}.mjs`;

const BIN_TEXT = `#!/usr/bin/env node
import process from 'node:process';

process.setSourceMapsEnabled(true);
await import('../${MAIN}');
`;

const README = `# Sluice sandbox

The whole payment gateway in one process, with a demo channel and a simulated acquirer, for tests of
shops. It needs Node 20.19 or later, and brings a PostgreSQL of its own.

    npx ${COMMAND} --help

prints all settings. It keeps its data in the folder .sluice of the folder in which it is started.
`;

/**
 * What the projects need of npm: each package once. Two versions of one could not both lie at the
 * top, where npm puts what a package names.
 * @param {readonly Project[]} projects
 * @param {'dependencies' | 'optionalDependencies'} kind
 */
export function packagesOf(projects, kind) {
  const own = new Set(projects.map(({ name }) => name));
  /** @type {Map<string, string>} */
  const versions = new Map();
  for (const { name: project, manifest } of projects) {
    for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
      if (own.has(name)) continue;
      const other = versions.get(name) ?? version;
      if (other !== version) {
        throw new Error(`${project} needs ${name} ${version}, another project ${other}.`);
      }
      versions.set(name, version);
    }
  }
  return Object.fromEntries([...versions].sort());
}

/**
 * The package's manifest. The projects inside are bundled, and their own manifests name no
 * dependency: nothing of them may ever be looked for in a registry, where others could publish it.
 * @param {readonly Project[]} projects
 */
export function sandboxManifest(projects) {
  const { version, license, engines } = /** @type {Record<string, unknown>} */ (
    /** @type {unknown} */ (readManifest(workspaceRoot))
  );
  const bundled = projects.map(({ name }) => name);
  return {
    name: COMMAND,
    version,
    description: 'A payment gateway for the tests of shops',
    license,
    type: 'module',
    engines,
    bin: { [COMMAND]: BIN },
    files: ['bin'],
    dependencies: {
      ...Object.fromEntries(projects.map(({ name }) => [name, version])),
      ...packagesOf(projects, 'dependencies'),
    },
    optionalDependencies: packagesOf(projects, 'optionalDependencies'),
    bundleDependencies: bundled,
  };
}

/** Writes what the package consists of. */
function writeFiles(/** @type {string} */ target, /** @type {readonly Project[]} */ projects) {
  const write = (/** @type {string} */ path, /** @type {string | object} */ content) => {
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(join(target, path), text);
  };
  mkdirSync(join(target, 'bin'));
  write(BIN, BIN_TEXT);
  write('README.md', README);
  write('package.json', sandboxManifest(projects));
  cpSync(join(workspaceRoot, 'LICENSE'), join(target, 'LICENSE'));
  for (const project of projects) {
    const folder = `node_modules/${project.name}`;
    for (const path of programsOf(project)) {
      const inside = path.replace(project.folder, folder);
      cpSync(join(workspaceRoot, path), join(target, inside), { recursive: true });
    }
    const { name, exports, ...rest } = project.manifest;
    const { version, license, type } = /** @type {Record<string, unknown>} */ (rest);
    write(`${folder}/package.json`, { name, version, license, type, exports });
  }
}

/**
 * Compiles, and packs.
 * @param {string} folder where the file is put
 * @returns {Promise<string>} its path
 */
export async function packSandbox(folder) {
  await build();
  const staging = mkdtempSync(join(tmpdir(), 'sluice-pack-'));
  try {
    writeFiles(staging, imageProjects(readProjects(), 'sandbox'));
    const npm = npmCommand(process.env);
    const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(folder)];
    const result = spawnSync(npm.command, [...npm.leading, ...words], {
      cwd: staging,
      shell: npm.shell,
      stdio: ['ignore', 'pipe', 2],
      encoding: 'utf8',
    });
    if (result.status !== 0) throw new Error('npm could not pack the sandbox.');
    const [{ filename }] = JSON.parse(result.stdout);
    return join(resolve(folder), filename);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { wordsBehind } = await import('./words.mjs');
  /** @type {{ options: { folder: string } }} */
  const { options } = await wordsBehind('npm run pack:sandbox --', (command) =>
    command
      .description('Packs the sandbox for npx, with everything of this repository that it needs.')
      .option('--folder <folder>', 'where to', '.'),
  );
  process.stdout.write(`${await packSandbox(options.folder)}\n`);
}
