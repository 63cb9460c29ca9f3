import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parseSeed } from '../src/seed.js';

describe('the seed files that documents print', () => {
  const PAGES = ['how-to/sandbox-in-your-tests.md', 'reference/compatibility-switches.md'];
  const printed = PAGES.flatMap((page) => {
    const text = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8');
    return [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => [page, json]);
  }).filter(([, json]) => json?.includes('"channels"'));

  it('are found', () => {
    expect(printed.length).toBeGreaterThanOrEqual(3);
  });

  it.each(printed)('%s: is accepted', (_, json = '') => {
    expect(parseSeed(json)).toMatchObject({ kind: 'seed' });
  });
});
