import { FIRST_CELL } from '@sluice/contracts';
import type { BuiltImage } from './builders.js';

/**
 * The component of the local overlay that says which images there are and what the release is called,
 * after which jobs are named; git ignores it. What a second cell of payments has comes before it.
 */
export function imagesComponent(
  images: readonly BuiltImage[],
  release: string,
  cells = FIRST_CELL,
): string {
  return [
    '# Written by `npm run deploy:local`.',
    'apiVersion: kustomize.config.k8s.io/v1alpha1',
    'kind: Component',
    ...(cells === FIRST_CELL ? [] : ['components:', '  - ../second-cell']),
    'images:',
    ...images.flatMap(({ name, repository, tag }) => [
      `  - name: ${name}`,
      `    newName: ${repository}`,
      // In quotes, because twelve digits could all be decimal ones.
      `    newTag: '${tag}'`,
    ]),
    'configMapGenerator:',
    '  - name: release',
    `    literals: [name=${release}]`,
    '    options: { disableNameSuffixHash: true }',
    '',
  ].join('\n');
}
