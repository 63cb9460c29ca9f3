import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { isRecord, type KubernetesObject } from './json-schema.js';
import type { Render } from './kustomize.js';
import type { Manifests } from './manifests.js';

/** The overlays that there are. */
export const overlays = ['local', 'production'] as const;

const MANIFESTS = fileURLToPath(new URL('../../../k8s', import.meta.url));

/** What a second cell of payments is added by, for each overlay (docs/how-to/add-a-cell.md). */
const secondCell: Readonly<Record<(typeof overlays)[number], string>> = {
  local: 'second-cell',
  production: '../../components/second-cell-operated',
};

/** What an operator may add to an overlay: each is checked with it. */
export const optionalComponents: Readonly<Record<(typeof overlays)[number], readonly string[]>> = {
  local: [secondCell.local],
  // docs/how-to/connect-directory-servers.md and hear-of-changes.md.
  production: [
    secondCell.production,
    ...['../../components/directory-servers', '../../components/mail-relay'],
  ],
};

/** What is not committed, or an operator changes. */
export interface LocalFiles {
  /** What every file of `npm run k8s:secrets` holds. */
  readonly secrets?: string;
  /** The component of the images; absent: the committed one, or one with plain tags. */
  readonly images?: string;
  /** A component that is added before the images, as a path in the overlay's folder. */
  readonly component?: string;
}

const TAG = '0123456789ab';
/** What stands in the place of every secret; whatever else a Secret holds is committed. */
export const DUMMY_SECRET = 'dummy\n';
/** Where an overlay's secrets are, which git ignores. */
const SECRETS = 'secrets/';

/** A component of the images as it is written by a deployment or by hand. */
export function imagesComponent(registry: string, version: object, release: string): string {
  const images = ['sluice', 'sluice-postgres', 'sluice-kafka'];
  return stringify({
    apiVersion: 'kustomize.config.k8s.io/v1alpha1',
    kind: 'Component',
    images: images.map((name) => ({ name, newName: `${registry}/${name}`, ...version })),
    configMapGenerator: [
      {
        name: 'release',
        literals: [`name=${release}`],
        options: { disableNameSuffixHash: true },
      },
    ],
  });
}

/**
 * Renders an overlay in a copy, in which files that are not committed are dummies: never the secrets
 * of somebody who has made some.
 */
export async function renderedOverlay(
  overlay: string,
  render: Render,
  files: LocalFiles = {},
): Promise<Manifests> {
  const copy = await mkdtemp(join(tmpdir(), 'sluice-manifests-'));
  try {
    const notCommitted = ['secrets', 'images'].map((name) =>
      join(MANIFESTS, 'overlays/local', name),
    );
    await cp(MANIFESTS, copy, {
      recursive: true,
      filter: (source) => !notCommitted.includes(source),
    });
    const folder = join(copy, 'overlays', overlay);
    await writeDummies(folder, files);
    if (files.component !== undefined) await addComponent(folder, files.component);
    return { overlay, objects: objectsIn(await render(folder)) };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** The objects of a file. */
export function objectsIn(text: string): readonly KubernetesObject[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as unknown)
    .filter((value): value is KubernetesObject => isRecord(value));
}

/** As a person would write it, or a deployment into its own file. */
async function addComponent(folder: string, component: string): Promise<void> {
  const path = join(folder, 'kustomization.yaml');
  const text = await readFile(path, 'utf8');
  const images = '\n  - images\n';
  if (!text.includes(images)) throw new Error(`${path} has no component images.`);
  await writeFile(path, text.replace(images, `\n  - ${component}${images}`));
}

async function writeDummies(
  folder: string,
  { secrets = DUMMY_SECRET, images }: LocalFiles,
): Promise<void> {
  for (const file of secretFilesOf(await readFile(join(folder, 'kustomization.yaml'), 'utf8'))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), secrets);
  }
  const component = join(folder, 'images/kustomization.yaml');
  if (images === undefined && existsSync(component)) return;
  await mkdir(dirname(component), { recursive: true });
  await writeFile(component, images ?? imagesComponent('localhost', { newTag: TAG }, TAG));
}

/**
 * Which files an overlay's secrets are made from. One that is elsewhere than all is committed: it stays as
 * it is, so that rules see it.
 */
export function secretFilesOf(kustomization: string): readonly string[] {
  const { secretGenerator = [] } = parse(kustomization) as {
    secretGenerator?: readonly { files?: readonly string[] }[];
  };
  return secretGenerator
    .flatMap(({ files = [] }) => files)
    .filter((file) => normalize(file).startsWith(SECRETS));
}
