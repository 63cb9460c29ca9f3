import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type SandboxProcess, sandboxDatabaseUrl, startSandbox } from '@sluice/testing';
import { mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

const START_WITHIN_MS = 120_000;
/** Enough to have payments at every stage whenever the key changes. */
const PAYERS = 8;

const folder = mkdtempSync(join(tmpdir(), 'sluice-rotation-'));
const keyFile = join(folder, 'keys', 'vault.json');
let sandbox: SandboxProcess;
let database: Client;

beforeAll(async () => {
  sandbox = await startSandbox({ dataFolder: folder });
  database = new Client({ connectionString: await sandboxDatabaseUrl(folder) });
  await database.connect();
}, START_WITHIN_MS);

afterAll(async () => {
  await database.end();
  await sandbox.stop();
  await rm(folder, { recursive: true });
}, START_WITHIN_MS);

/** The result code of one payment. */
async function pay(): Promise<string> {
  const output = sandbox.output();
  const response = await fetch(`${sandbox.url}/v1/payments`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${/Bearer ([!-&(-~]+)'/.exec(output)?.[1] ?? ''}` },
    body: new URLSearchParams({
      entityId: /entityId=([0-9a-f]{32})/.exec(output)?.[1] ?? '',
      paymentType: 'DB',
      amount: '92.00',
      currency: 'EUR',
      paymentBrand: 'VISA',
      'card.number': '4200000000000000',
      'card.expiryMonth': '05',
      'card.expiryYear': '2034',
      'card.cvv': '123',
    }),
  });
  const { result } = (await response.json()) as { result: { code: string } };
  return result.code;
}

/** As docs/how-to/rotate-the-vault-key.md does it. */
function rotateTo(version: string): void {
  const { keys } = JSON.parse(readFileSync(keyFile, 'utf8')) as { keys: Record<string, string> };
  keys[version] = Buffer.alloc(32, version).toString('base64');
  writeFileSync(`${keyFile}.new`, JSON.stringify({ current: version, keys }), { mode: 0o600 });
  renameSync(`${keyFile}.new`, keyFile);
}

async function isInUse(version: string): Promise<boolean> {
  const { rowCount } = await database.query(
    'SELECT FROM vault.data_keys WHERE wrapping_key_version = $1',
    [version],
  );
  return rowCount !== 0;
}

describe('a sandbox whose wrapping key is rotated twice while it is paid with (S-KEY-03)', () => {
  it('refuses no payment', async () => {
    const codes: string[] = [];
    const rotation = { isOver: false };
    const payers = Array.from({ length: PAYERS }, async () => {
      while (!rotation.isOver) codes.push(await pay());
    });
    const rotated = (async () => {
      for (const version of ['2', '3']) {
        const before = codes.length;
        rotateTo(version);
        // A payment that began before it may be the only one until the new version is in use.
        while (!(await isInUse(version)) || codes.length === before) {
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
    })().finally(() => (rotation.isOver = true));
    await Promise.all([rotated, ...payers]);
    expect(new Set(codes)).toEqual(new Set(['000.100.110']));
  }, 60_000);
});
