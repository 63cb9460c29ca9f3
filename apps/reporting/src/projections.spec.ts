import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { projections } from './projections.js';

const folder = new URL('projections/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.projection.ts'));

describe('the list of projections', () => {
  it.each(files)('has the projection of %s, which would otherwise never be fed', async (file) => {
    const declared = Object.values((await import(new URL(file, folder).href)) as object);
    expect(projections.filter((projection) => declared.includes(projection))).not.toEqual([]);
  });
});
