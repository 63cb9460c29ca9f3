import { describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';

const FOLDER = new URL('.', import.meta.url);

describe('every connector', () => {
  it('is held to the contract', async () => {
    const entries = await readdir(FOLDER, { withFileTypes: true });
    const acquirers = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(acquirers).toContain('simulator');
    for (const acquirer of acquirers) {
      const spec = new URL(`${acquirer}/${acquirer}-contract.int.spec.ts`, FOLDER);
      expect(await readFile(spec, 'utf8')).toContain(`describeConnectorContract('${acquirer}'`);
    }
  });
});
