import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@sluice/service';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeys } from './keys.js';

const logger = createLogger({ service: 'test', level: 'silent' });
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-keys-'));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

describe('the keys of a data folder', () => {
  it('are the same at every start', async () => {
    const first = await openKeys(folder, logger);
    const second = await openKeys(folder, logger);
    expect(second.credentials.equals(first.credentials)).toBe(true);
    expect(second.fingerprints.equals(first.fingerprints)).toBe(true);
    expect(first.fingerprints.equals(first.credentials)).toBe(false);
    first.close();
    second.close();
  });

  it('can be made by the next start when the first was ended in the middle', async () => {
    const handle = await open(folder, 'r');
    const files = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    jest.spyOn(files, 'writeFile').mockRejectedValue(new Error('cut off'));
    await expect(openKeys(folder, logger)).rejects.toThrow('cut off');
    jest.restoreAllMocks();
    const keys = await openKeys(folder, logger);
    expect(keys.fingerprints).toHaveLength(32);
    keys.close();
  });
});
