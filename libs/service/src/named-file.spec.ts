import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textOfNamedFile } from './named-file.js';

const folder = mkdtempSync(join(tmpdir(), 'sluice-named-file-'));
afterAll(() => rmSync(folder, { recursive: true }));
const BYTES_MAX = 1_000_000;

describe('a file that a setting names', () => {
  it('is read as it stands', () => {
    const path = join(folder, 'file');
    writeFileSync(path, 'Zoë');
    expect(textOfNamedFile(path, BYTES_MAX)).toBe('Zoë');
  });

  it('that is not there, no file or too long is refused', () => {
    const read = (path: string) => () => textOfNamedFile(path, BYTES_MAX);
    expect(read(join(folder, 'none'))).toThrow('names a file that cannot be read (ENOENT)');
    expect(read(folder)).toThrow('names a file that cannot be read (EISDIR)');
    const path = join(folder, 'long');
    writeFileSync(path, '');
    truncateSync(path, BYTES_MAX + 1);
    expect(read(path)).toThrow('names a file of more than 1000000 bytes');
  });
});
