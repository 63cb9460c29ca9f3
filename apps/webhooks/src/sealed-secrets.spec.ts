import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebhookSecret } from '@sluice/secrets';
import { FileKeyProvider, systemClock } from '@sluice/service';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SealedSecrets } from './sealed-secrets.js';

const ID = '5eed5eed000000000000000000000001';
const OTHER_ID = '5eed5eed000000000000000000000002';
const SECRET = new WebhookSecret('0123456789abcdef'.repeat(4));

let folder: string;
let keys: FileKeyProvider;
let secrets: SealedSecrets;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-sealed-secrets-'));
  keys = await FileKeyProvider.open(join(folder, 'keys.json'), { createIfAbsent: true });
  secrets = new SealedSecrets(keys, systemClock);
});
afterAll(async () => {
  keys.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a sealed secret', () => {
  it('opens for its subscription', async () => {
    const sealed = await secrets.seal(ID, SECRET);
    expect(sealed).not.toContain(SECRET.reveal());
    expect((await secrets.open(ID, sealed)).reveal()).toBe(SECRET.reveal());
  });

  it('opens for no other one, whoever writes it there', async () => {
    const sealed = await secrets.seal(ID, SECRET);
    await expect(secrets.open(OTHER_ID, sealed)).rejects.toThrow();
  });
});
