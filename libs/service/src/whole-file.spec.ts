import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileKeyProvider } from './file-key-provider.js';
import { makeWholeFile } from './whole-file.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-whole-file-'));
  path = join(folder, 'secret.key');
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** From here on the disk takes no byte, as if the process ended when it had opened its file. */
async function breakWrites(): Promise<void> {
  const handle = await open(folder, 'r');
  const files = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  jest.spyOn(files, 'writeFile').mockRejectedValue(new Error('cut off'));
}

describe('a file that is made once', () => {
  it('is for its owner alone, and nothing else is left in the folder', async () => {
    await makeWholeFile(path, 'text');
    expect(await readFile(path, 'utf8')).toBe('text');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['secret.key']);
  });

  it('stays as it is when there is one', async () => {
    await writeFile(path, 'first');
    await makeWholeFile(path, 'second');
    expect(await readFile(path, 'utf8')).toBe('first');
    expect(await readdir(folder)).toEqual(['secret.key']);
  });

  it('is one file for many makers at once', async () => {
    const texts = Array.from({ length: 20 }, (_each, index) => `text ${index}`);
    const seen = await Promise.all(
      texts.map(async (text) => {
        await makeWholeFile(path, text);
        return readFile(path, 'utf8');
      }),
    );
    expect(new Set(seen).size).toBe(1);
  });

  it('is not there at all when its making is cut off, and can be made afterwards', async () => {
    await breakWrites();
    await expect(makeWholeFile(path, 'text')).rejects.toThrow('cut off');
    await expect(FileKeyProvider.open(path, { createIfAbsent: true })).rejects.toThrow('cut off');
    expect(await readdir(folder)).toEqual([]);
    jest.restoreAllMocks();
    const provider = await FileKeyProvider.open(path, { createIfAbsent: true, pollIntervalMs: 0 });
    expect(provider.currentVersion()).toBe('1');
  });

  it('throws where no file can be made', async () => {
    await expect(makeWholeFile(join(folder, 'none', 'x'), 'text')).rejects.toThrow('ENOENT');
  });
});
