import { describe, expect, it } from '@jest/globals';
import type { CpuProfile } from './account-probe.js';
import { flamePicture, foldedProfile, labelOf } from './flame-picture.js';

const EDGE = 'file:///somewhere/apps/edge/dist/answer.js';
const PG = 'file:///somewhere/node_modules/pg/lib/client.js';

/** (root) → handle → query, and idle beside it. */
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: { functionName: '(root)', url: '' }, children: [2, 4] },
    { id: 2, callFrame: { functionName: 'handle', url: EDGE }, children: [3, 5] },
    { id: 3, callFrame: { functionName: 'query', url: PG } },
    { id: 4, callFrame: { functionName: '(idle)', url: '' } },
    // The same function at another place of the caller.
    { id: 5, callFrame: { functionName: 'query', url: PG } },
  ],
  startTime: 0,
  samples: [3, 4, 4, 2, 5, 3],
};

describe('a folded profile', () => {
  it('counts samples under their callers, without what waits', () => {
    const root = foldedProfile(profile);
    expect(root.samples).toBe(4);
    const [handle] = root.children.values();
    expect(handle).toMatchObject({ label: 'handle · apps/edge/answer', about: 'edge', samples: 4 });
    const called = [...(handle?.children.values() ?? [])];
    expect(called).toMatchObject([{ label: 'query · pg', about: 'SQL client', samples: 3 }]);
  });
});

describe('a label', () => {
  it('says where a function is, and nothing of the machine', () => {
    expect(labelOf({ functionName: 'get', url: 'file:///home/me/node_modules/@a/b/x.js' })).toBe(
      'get · @a/b',
    );
    expect(labelOf({ functionName: '', url: 'node:net' })).toBe('(anonymous) · node:net');
    expect(labelOf({ functionName: 'run', url: 'file:///home/me/main.js' })).toBe('run');
  });
});

describe('a flame picture', () => {
  it('is as wide as its samples, and explains its colours', () => {
    const picture = flamePicture('a <title>', foldedProfile(profile));
    expect(picture).toContain('a &lt;title>');
    expect(picture).toContain('<title>query · pg, SQL client: 75.00 %</title>');
    expect(picture).toMatch(/<title>query[^<]*<\/title><rect [^>]*x="10.0" [^>]*width="885.0"/);
    expect(picture).toContain('SQL client 75.0 %');
    expect(picture).toContain('edge 25.0 %');
  });

  it('gives a colour to what counts for the account and calls others', () => {
    const root = foldedProfile(profile);
    const [handle] = root.children.values();
    root.children.set('count', { ...handle!, label: 'count', about: 'measuring' });
    const classes = /class="c(?<number>[^"]*)"/g;
    const used = [...flamePicture('a title', root).matchAll(classes)].map(({ groups }) => groups);
    expect(used.filter((found) => !/^[0-9]+$/.test(found?.['number'] ?? ''))).toEqual([]);
  });

  it('stays small: the narrowest boxes are left out', () => {
    const nodes = Array.from({ length: 5_000 }, (_, index) => ({
      id: index + 2,
      callFrame: { functionName: `function${index}`, url: EDGE },
    }));
    const root = { id: 1, callFrame: { functionName: '(root)', url: '' } };
    const many: CpuProfile = {
      nodes: [{ ...root, children: nodes.map(({ id }) => id) }, ...nodes],
      startTime: 0,
      samples: nodes.flatMap(({ id }) => (id < 102 ? [id, id] : [id])),
    };
    const picture = flamePicture('many', foldedProfile(many));
    expect(picture.match(/<g>/g)).toHaveLength(101);
  });
});
