import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstAccounts } from './first-accounts.js';

const folder = mkdtempSync(join(tmpdir(), 'sluice-first-accounts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const channel = {
  ...{ entityId: '1'.repeat(32), name: 'Shop', merchant: 'Books' },
  accessTokens: ['a-token-of-this-spec'],
};
const read = (more: object) => {
  const seedFile = join(folder, 'seed.json');
  writeFileSync(seedFile, JSON.stringify({ channels: [{ ...channel, ...more }] }));
  return firstAccounts({ seedFile, demoChannel: false, gatewayEnvironment: 'live' });
};

describe('the seed file of an installation', () => {
  it('has channels, with all that is above them', async () => {
    expect((await read({})).at(-1)).toMatchObject({ kind: 'channel', name: 'Shop' });
  });

  it('is refused with receivers of notifications, which nobody would make', async () => {
    const webhooks = [{ url: 'https://shop.example/hook', secret: 'a'.repeat(64) }];
    await expect(read({ webhooks })).rejects.toThrow('"Shop" has "webhooks", which only a sandbox');
  });
});
