import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { job, object, serviceContainer } from './manifests-fixtures.js';
import { checkedOverlay } from './overlay-check.js';

const definitions = { problemsOf: () => [] };

interface ImagesComponent {
  readonly images: readonly { newName: string; newTag?: string; digest?: string }[];
  readonly configMapGenerator: readonly [{ readonly literals: readonly [string] }];
}

/** What a Job is made of in a rendered copy. */
interface Parts {
  readonly image: string;
  readonly release: string;
  /** Of the files of an operator, as kustomize would take it. */
  readonly hash: string;
}

/** Renders one Job, by what the copy has. */
function rendering(seen: Parts[], nameOf: (parts: Parts) => string, hashed: boolean) {
  return async (folder: string): Promise<string> => {
    const text = await readFile(join(folder, 'images/kustomization.yaml'), 'utf8');
    const { images, configMapGenerator } = parse(text) as ImagesComponent;
    const { newName = '', newTag, digest } = images[0] ?? {};
    const secret = await readFile(join(folder, 'secrets/operator/kafka/user.key'), 'utf8');
    const parts = {
      image: digest === undefined ? `${newName}:${newTag ?? ''}` : `${newName}@${digest}`,
      release: configMapGenerator[0].literals[0].replace('name=', ''),
      hash: createHash('sha256').update(secret).digest('hex').slice(0, 10),
    };
    seen.push(parts);
    const envFrom = [{ secretRef: { name: hashed ? `operator-${parts.hash}` : 'operator' } }];
    const container = serviceContainer({ image: parts.image, envFrom });
    return [
      job(nameOf(parts), container),
      object('ConfigMap', 'release', { data: { name: parts.release } }),
    ]
      .map((one) => stringify(one))
      .join('---\n');
  };
}

describe('the check of an overlay', () => {
  it('renders it with a plain tag, a registry with a port and a digest, and after a renewal', async () => {
    const seen: Parts[] = [];
    const render = rendering(seen, ({ release }) => `migrations-${release}`, false);
    const { objects, problems } = await checkedOverlay('local', render, definitions);
    expect(objects).toBe(2);
    expect(seen.map(({ image, release }) => [image, release])).toEqual([
      ['localhost/sluice:0123456789ab', '0123456789ab'],
      ['localhost/sluice:0123456789ab', '0123456789ab'],
      ['registry.internal:5000/sluice:1.4.2', 'release-1.4.2'],
      [`registry.example.com/sluice@sha256:${'0123456789abcdef'.repeat(4)}`, '2031-05-04'],
    ]);
    expect(seen[0]!.hash).not.toBe(seen[1]!.hash);
    expect(
      problems.filter((one) => /a renewal|no name|cannot be|the release's|no fixed tag/.test(one)),
    ).toEqual([]);
  });

  it('finds a Job that is another one after a renewal', async () => {
    const render = rendering([], ({ release }) => `migrations-${release}`, true);
    const { problems } = await checkedOverlay('local', render, definitions);
    expect(problems).toContain(
      'Job migrations-0123456789ab: is another one after a renewal, and a Job cannot be changed',
    );
  });

  it('finds names that are cut out of the image', async () => {
    const cut = ({ image }: Parts) => `migrations-${image.split(':')[1] ?? ''}`;
    const { problems } = await checkedOverlay('local', rendering([], cut, false), definitions);
    const text = problems.join('\n');
    expect(text).toContain('with a registry with a port: Job migrations-5000/sluice: is no name');
    expect(text).toMatch(/with a digest: Job migrations-[0-9a-f]{64}: is no name/);
  });
});
