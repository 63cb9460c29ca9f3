import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileKeyProvider, KeyFileError } from './file-key-provider.js';
import { createLogger } from './logger.js';
import { openKeys } from './open-keys.js';
import { SettingsError } from './settings.js';

const variable = 'VAULT_KEY_FILE';
let folder: string;
let keyFile: string;
let logged: string[];
const logger = createLogger({
  service: 'vault',
  level: 'info',
  destination: { write: (line) => void logged.push(line) },
});

beforeEach(() => {
  logged = [];
  folder = mkdtempSync(join(tmpdir(), 'sluice-open-keys-'));
  keyFile = join(folder, 'keys.json');
  const keys = { first: Buffer.alloc(32, 1).toString('base64') };
  writeFileSync(keyFile, JSON.stringify({ current: 'first', keys }), { mode: 0o600 });
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Changes the file into one that cannot be used and waits until somebody noticed. */
async function spoil(): Promise<void> {
  writeFileSync(keyFile, 'spoilt');
  while (logged.length === 0) await new Promise((resolve) => setImmediate(resolve));
}

describe('the keys of a service', () => {
  it('come from its file, which is looked at while it runs', async () => {
    const keys = await openKeys({ keyFile, variable }, logger);
    expect(keys.provider.currentVersion()).toBe('first');
    await spoil();
    expect(logged[0]).toContain('The key file was not taken over.');
    expect(logged[0]).toContain(`The key file ${keyFile} is not JSON.`);
    expect(keys.provider.currentVersion()).toBe('first');
    keys.close();
  });

  it('are those it was given, which stay open when it lets go of them', async () => {
    const keyProvider = await FileKeyProvider.open(keyFile, {
      pollIntervalMs: 5,
      onProblem: ({ message }) => logged.push(message),
    });
    const keys = await openKeys({ keyProvider, keyFile: '/none', variable }, logger);
    expect(keys.provider).toBe(keyProvider);
    keys.close();
    await spoil();
    keyProvider.close();
    expect(logged).toContain(`The key file ${keyFile} is not JSON.`);
  });

  it('are refused in a sentence where there are none', async () => {
    await expect(openKeys({ variable }, logger)).rejects.toThrow(
      new SettingsError('VAULT_KEY_FILE must be set.'),
    );
    await expect(openKeys({ keyFile: '/none', variable }, logger)).rejects.toThrow(KeyFileError);
  });
});
