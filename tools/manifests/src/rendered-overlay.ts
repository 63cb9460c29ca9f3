import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { isRecord, type KubernetesObject } from './json-schema.js';
import type { Render } from './kustomize.js';
import type { Manifests } from './manifests.js';

/** The overlays that there are. */
export const overlays = ['local', 'production'] as const;

const MANIFESTS = fileURLToPath(new URL('../../../k8s', import.meta.url));

/** What a build and `npm run k8s:secrets` would write; nobody has built or made anything here. */
const IMAGES = `apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
images:
  - { name: sluice, newName: localhost/sluice, newTag: '0123456789ab' }
  - { name: sluice-postgres, newName: localhost/sluice-postgres, newTag: '0123456789ab' }
  - { name: sluice-kafka, newName: localhost/sluice-kafka, newTag: '0123456789ab' }
`;

/**
 * Renders an overlay in a copy, in which files that are not committed are dummies: never the secrets
 * of somebody who has made some.
 */
export async function renderedOverlay(overlay: string, render: Render): Promise<Manifests> {
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
    await writeDummies(folder);
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

async function writeDummies(folder: string): Promise<void> {
  for (const file of secretFilesOf(await readFile(join(folder, 'kustomization.yaml'), 'utf8'))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), 'dummy\n');
  }
  const images = join(folder, 'images/kustomization.yaml');
  if (existsSync(images)) return;
  await mkdir(dirname(images), { recursive: true });
  await writeFile(images, IMAGES);
}

/** Which files an overlay's secrets are made from. */
export function secretFilesOf(kustomization: string): readonly string[] {
  const { secretGenerator = [] } = parse(kustomization) as {
    secretGenerator?: readonly { files?: readonly string[] }[];
  };
  return secretGenerator.flatMap(({ files = [] }) => files);
}
