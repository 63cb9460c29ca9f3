import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '../../projects.mjs';
import { secretReaders } from './secret-readers.mjs';

describe('the list of files that may reveal a secret', () => {
  it.each(Object.keys(secretReaders))('%s still does', (path) => {
    const file = join(workspaceRoot, path);
    expect(existsSync(file) && readFileSync(file, 'utf8').includes('.reveal()')).toBe(true);
  });

  it('gives each a reason', () => {
    expect(Object.values(secretReaders).filter((reason) => reason.length < 10)).toEqual([]);
  });
});
