import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DetailsToHold } from '@sluice/contracts';
import { Detail } from '@sluice/secrets';
import { createLogger, ensureRolesAndSchema, type ServiceDatabase } from '@sluice/service';
import { startTestDatabase, type TestDatabase } from '@sluice/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type RunningVault, VaultModule, type VaultOptions } from './index.js';

let database: TestDatabase;
let service: ServiceDatabase;
let folder: string;
let keyFile: string;
const logged: string[] = [];
const logger = createLogger({
  service: 'vault',
  level: 'debug',
  destination: { write: (line) => void logged.push(line) },
});

beforeAll(async () => {
  database = await startTestDatabase();
  service = (await ensureRolesAndSchema(database.url, ['vault'])).vault;
  folder = await mkdtemp(join(tmpdir(), 'sluice-vault-'));
  keyFile = join(folder, 'keys.json');
  const keys = { '1': Buffer.alloc(32, 1).toString('base64') };
  await writeFile(keyFile, JSON.stringify({ current: '1', keys }), { mode: 0o600 });
});

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function start(settings: Partial<VaultOptions['settings']> = {}): Promise<RunningVault> {
  return VaultModule.start({
    settings: {
      databaseUrl: service.appUrl,
      ownerDatabaseUrl: service.ownerUrl,
      fingerprintKey: Buffer.alloc(32, 7),
      keyFile,
      ...settings,
    },
    logger,
  });
}

const card: DetailsToHold = {
  kind: 'card',
  details: {
    'card.number': new Detail('4200000000000042'),
    'card.expiryMonth': new Detail('05'),
    'card.expiryYear': new Detail('2034'),
  },
  inMemory: { 'card.cvv': new Detail('918') },
};

describe('the vault', () => {
  it('starts, holds, and still reveals after a restart, without the security code', async () => {
    const first = await start();
    const { reference } = await first.vault.hold(card);
    expect((await first.vault.reveal(reference))?.details['card.cvv']?.reveal()).toBe('918');
    await first.close();
    await first.close();
    const second = await start();
    const revealed = await second.vault.reveal(reference);
    expect(revealed?.details['card.number']?.reveal()).toBe('4200000000000042');
    expect(revealed?.details).not.toHaveProperty(['card.cvv']);
    await second.vault.forget(reference);
    await second.close();
    expect(logged.join('')).not.toContain('4200000000000042');
  });

  it('tells when held cards cannot be written, and when they can again', async () => {
    const running = await start();
    const owner = new Client({ connectionString: service.ownerUrl });
    await owner.connect();
    const appRole = new URL(service.appUrl).username;
    const told = async (what: string): Promise<void> => {
      while (!logged.some((line) => line.includes(what))) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await owner.query(`REVOKE INSERT ON vault.held_cards FROM "${appRole}"`);
    const { reference } = await running.vault.hold(card);
    await told('Held cards are in memory only.');
    await owner.query(`GRANT INSERT ON vault.held_cards TO "${appRole}"`);
    await told('Held cards are written again.');
    await owner.end();
    await running.vault.forget(reference);
    await running.close();
  });

  it.each<[string, Partial<VaultOptions['settings']>, RegExp]>([
    ['no key file', { keyFile: '/nowhere/keys.json' }, /key file \/nowhere\/keys\.json/],
    ['no file of wallets', { walletsFile: '/nowhere/wallets.json' }, /VAULT_WALLETS_FILE .*ENOENT/],
    ['a database that is not there', { databaseUrl: 'postgres://x@127.0.0.1:1/x' }, /ECONNREFUSED/],
  ])('does not start with %s', async (_name, settings, message) => {
    await expect(start(settings)).rejects.toThrow(message);
  });
});
