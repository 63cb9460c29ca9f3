import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  optionalComponents,
  overlays,
  renderedOverlay,
  secretFilesOf,
} from './rendered-overlay.js';

describe('a rendered overlay', () => {
  it('is made in a copy that has dummies for whatever is not committed', async () => {
    const seen: string[] = [];
    const manifests = await renderedOverlay('local', (folder) => {
      seen.push(
        folder,
        readFileSync(join(folder, 'secrets/vault/secrets/vault-keys.json'), 'utf8'),
      );
      expect(readFileSync(join(folder, 'images/kustomization.yaml'), 'utf8')).toContain('newTag');
      return Promise.resolve('kind: A\n---\nkind: B\n---\n');
    });
    expect(seen[1]).toBe('dummy\n');
    expect(manifests.objects).toEqual([{ kind: 'A' }, { kind: 'B' }]);
    expect(existsSync(seen[0]!)).toBe(false);
  });

  it('leaves no copy behind when it cannot be made', async () => {
    const seen: string[] = [];
    const refused = renderedOverlay('production', (folder) => {
      seen.push(folder);
      return Promise.reject(new Error('no'));
    });
    await expect(refused).rejects.toThrow('no');
    expect(existsSync(seen[0]!)).toBe(false);
  });

  it('may have a second cell of payments, directory servers or a relay of mails, which come before the images', async () => {
    const added = overlays.flatMap((overlay) =>
      optionalComponents[overlay].map((component) => ({ overlay, component })),
    );
    expect(added).toHaveLength(4);
    for (const { overlay, component } of added) {
      const seen: string[] = [];
      const render = (folder: string) => {
        seen.push(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
        expect(existsSync(join(folder, component, 'kustomization.yaml'))).toBe(true);
        return Promise.resolve('');
      };
      await renderedOverlay(overlay, render, { component });
      expect(seen[0]).toContain(`\n  - ${component}\n  - images\n`);
    }
  });

  it('is one of two', () => {
    expect(overlays).toEqual(['local', 'production']);
  });

  it('has secrets of the files that the overlay names, but for those that are committed', () => {
    const text =
      'secretGenerator: [{ name: a, files: [secrets/b, c.key, secrets/../d] }, { name: e }]';
    expect(secretFilesOf(text)).toEqual(['secrets/b']);
    expect(secretFilesOf('resources: []')).toEqual([]);
  });
});
