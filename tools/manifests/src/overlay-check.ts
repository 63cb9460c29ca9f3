import type { Definitions } from './definitions.js';
import type { Render } from './kustomize.js';
import type { Manifests } from './manifests.js';
import { ownRules } from './own-rules.js';
import { imagesComponent, type LocalFiles, renderedOverlay } from './rendered-overlay.js';
import { changedJobs } from './rules/jobs.js';

/** What was found in an overlay. */
export interface OverlayCheck {
  /** How many objects it makes. */
  readonly objects: number;
  readonly problems: readonly string[];
}

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

/** Images as an operator may name them, beside the plain tag that every overlay has here. */
const IMAGES: Readonly<Record<string, string>> = {
  'a registry with a port': imagesComponent(
    'registry.internal:5000',
    { newTag: '1.4.2' },
    'release-1.4.2',
  ),
  'a digest': imagesComponent('registry.example.com', { digest: DIGEST }, '2031-05-04'),
};

/**
 * Renders and checks an overlay: as it is, with images named otherwise, and once more with secrets
 * that are renewed.
 */
export async function checkedOverlay(
  overlay: string,
  render: Render,
  definitions: Pick<Definitions, 'problemsOf'>,
  files: Pick<LocalFiles, 'component'> = {},
): Promise<OverlayCheck> {
  const manifests = await renderedOverlay(overlay, render, files);
  const renewed = await renderedOverlay(overlay, render, { ...files, secrets: 'renewed\n' });
  const problems = [...problemsOf(manifests, definitions), ...changedJobs(manifests, renewed)];
  for (const [name, images] of Object.entries(IMAGES)) {
    const found = problemsOf(
      await renderedOverlay(overlay, render, { ...files, images }),
      definitions,
    );
    problems.push(
      ...found
        .filter((problem) => !problems.includes(problem))
        .map((problem) => `with ${name}: ${problem}`),
    );
  }
  return { objects: manifests.objects.length, problems };
}

function problemsOf(
  manifests: Manifests,
  definitions: Pick<Definitions, 'problemsOf'>,
): readonly string[] {
  return [
    ...manifests.objects.flatMap((object) => definitions.problemsOf(object)),
    ...Object.entries(ownRules).flatMap(([sentence, rule]) =>
      rule(manifests).map((problem) => `${problem} [${sentence}]`),
    ),
  ];
}
