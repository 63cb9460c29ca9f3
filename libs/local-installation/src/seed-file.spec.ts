import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSeedFile } from './seed-file.js';
import { SettingRefused } from './setting-refused.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-seed-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('a seed file', () => {
  it('is read as it is', async () => {
    const path = join(folder, 'Übung 1.json');
    writeFileSync(path, '{"channels": "Söhne"}');
    expect(await readSeedFile(path)).toBe('{"channels": "Söhne"}');
  });

  it('is read to 32 MiB at most, which is more than is parsed', async () => {
    const path = join(folder, 'film');
    writeFileSync(path, '');
    truncateSync(path, 40 * 1024 * 1024);
    expect((await readSeedFile(path)).length).toBe(32 * 1024 * 1024);
  });

  it('that cannot be read is refused in words', async () => {
    const missing = join(folder, 'none.json');
    await expect(readSeedFile(missing)).rejects.toThrow(SettingRefused);
    await expect(readSeedFile(missing)).rejects.toThrow(`The seed file ${missing} does not exist.`);
    await expect(readSeedFile(folder)).rejects.toThrow(`The seed file ${folder} is a folder.`);
  });
});
