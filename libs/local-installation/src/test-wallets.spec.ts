import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureTestWallets } from './test-wallets.js';

const from = new Date('2026-11-24T12:00:00Z');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-test-wallets-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the wallets of a test installation', () => {
  const files = () => ({
    recipients: join(folder, 'wallets.json'),
    senders: join(folder, 'test-wallets.json'),
  });
  const texts = () => Promise.all(Object.values(files()).map((file) => readFile(file, 'utf8')));

  it('are made once, for their owner alone to read', async () => {
    await ensureTestWallets(files(), from);
    const made = await texts();
    await ensureTestWallets(files(), from);
    expect(await texts()).toEqual(made);
    for (const file of Object.values(files())) expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('give whoever makes tokens no key that opens them', async () => {
    const [recipients = '', senders = ''] = await texts();
    const keys = [...recipients.matchAll(/BEGIN PRIVATE KEY-----\\n(.+?)-----END/g)].map(
      ([, key]) => key ?? '',
    );
    expect(keys).toHaveLength(4);
    expect(keys.filter((key) => senders.includes(key))).toEqual([]);
  });

  it('have a chain that leads from the signer to the root', async () => {
    const [recipients = '', senders = ''] = await texts();
    const { applePay } = JSON.parse(recipients) as { applePay: { roots: [string] } };
    const { leaf, intermediate } = (
      JSON.parse(senders) as { applePay: { leaf: string; intermediate: string } }
    ).applePay;
    const [root, middle, end] = [applePay.roots[0], intermediate, leaf].map(
      (text) => new X509Certificate(text),
    );
    expect(end?.verify(middle!.publicKey)).toBe(true);
    expect(middle?.verify(root!.publicKey)).toBe(true);
  });

  it('get what an installation of before does not have, and keep the rest', async () => {
    const whole = (await texts()).map((text) => JSON.parse(text) as Record<string, unknown>);
    for (const [at, file] of Object.values(files()).entries()) {
      const { clickToPay: _, ...before } = whole[at]!;
      await writeFile(file, JSON.stringify(before));
    }
    await ensureTestWallets(files(), from);
    const after = (await texts()).map((text) => JSON.parse(text) as Record<string, unknown>);
    const names = ['applePay', 'googlePay', 'samsungPay', 'clickToPay'];
    for (const [at, wallets] of after.entries()) {
      expect(Object.keys(wallets)).toEqual(names);
      expect(wallets).toMatchObject({ samsungPay: whole[at]!['samsungPay'] });
      expect(wallets['clickToPay']).not.toEqual(whole[at]!['clickToPay']);
    }
    for (const file of Object.values(files())) expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('are both made again where one is missing, because they belong together', async () => {
    const before = await texts();
    await rm(files().recipients);
    await ensureTestWallets(files(), from);
    const after = await texts();
    expect(after.map((text, at) => text === before[at])).toEqual([false, false]);
  });
});
