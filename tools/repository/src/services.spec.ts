import {
  programOf,
  serviceKeys,
  serviceNames,
  serviceRow,
  type ServiceRow,
  services,
} from '@sluice/contracts';
import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../../projects.mjs';
import { placesOf, type ServicePlace } from './service-places.js';

/** What of these places is not there, a line for each. */
function missing(places: readonly ServicePlace[]): readonly string[] {
  return places
    .filter((place) => !isThere(place))
    .map(({ file, entry }) => (entry === undefined ? file : `${file}: ${entry}`));
}

/** As a word of its own: `payments` is not in `payments-relay`. */
function isThere({ file, entry }: ServicePlace): boolean {
  const path = join(workspaceRoot, file);
  if (!existsSync(path)) return false;
  return entry === undefined || (readFileSync(path, 'utf8').match(wordOf(entry)) ?? []).length > 0;
}

function wordOf(entry: string): RegExp {
  const text = entry.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w-])${text}(?![\\w-])`);
}

describe.each(serviceNames)('the service %s', (name) => {
  it('is wherever its row asks for it', () => {
    expect(missing(placesOf(name, serviceRow(name)))).toEqual([]);
  });
});

describe('the table of services', () => {
  it('has every program of the apps', () => {
    const folders = readdirSync(join(workspaceRoot, 'apps')).filter(
      (folder) => !['cli', 'sandbox'].includes(folder),
    );
    const programs = folders.flatMap((folder) =>
      readdirSync(join(workspaceRoot, 'apps', folder, 'src'))
        .filter((file) => /(?:^|\.)main\.ts$/.test(file))
        .map((file) => `apps/${folder}/dist/${file.replace(/\.ts$/, '.js')}`),
    );
    const rows: readonly ServiceRow[] = Object.values(services);
    expect(programs.sort()).toEqual([...new Set(rows.map(programOf))].sort());
  });

  it('has every folder of a service that Kubernetes runs', () => {
    const base = join(workspaceRoot, 'k8s/base');
    const jobsAndPeople = ['migrations', 'operator', 'topics'];
    const folders = readdirSync(base, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !jobsAndPeople.includes(entry.name))
      .map((entry) => entry.name);
    expect(folders.sort()).toEqual([...serviceNames].sort());
  });
});

describe('what operators read about keys', () => {
  /** With several versions in them, which are rotated. */
  const files = Object.values(serviceKeys)
    .map(({ file }) => file)
    .filter((file) => file.endsWith('.json'));

  it.each(files)('has a word about %s', (file) => {
    const pages = ['keys-and-certificates-on-kubernetes', 'rotate-the-vault-key'].map((page) => ({
      file: `docs/how-to/${page}.md`,
      entry: file,
    }));
    expect(missing(pages)).toEqual([]);
  });
});

describe('the row of a service that is nowhere yet', () => {
  const nowhere: ServiceRow = {
    ...{ folder: 'nowhere', program: 'main', instances: 'alike', purpose: 'does nothing' },
    ...{ keepsTables: true, takesCommands: true, publishes: 'nothing' },
    ...{ routes: { place: ['edge'] }, startsAfter: [], stopsAfter: ['edge'] },
    ...{ autoscaled: 'everywhere', outwardNetwork: 'acquirers' },
  };

  it('names all that it asks for', () => {
    const places = placesOf('nowhere', nowhere);
    expect(missing(places)).toHaveLength(places.length);
    expect(missing(places)).toEqual([
      'apps/nowhere/package.json: "scope:nowhere"',
      "apps/nowhere/src/main.ts: name: 'nowhere'",
      "apps/all/src/apps.ts: import('@sluice/nowhere')",
      'k8s/base/nowhere/autoscaler.yaml',
      'k8s/overlays/production/acquirers.yaml: name: nowhere',
    ]);
  });
});
