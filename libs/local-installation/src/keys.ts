import { FileKeyProvider, type Logger, makeWholeFile } from '@sluice/service';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureTestWallets, type TestWalletFiles } from './test-wallets.js';

/** The keys of one installation; each has one purpose. */
export interface Keys {
  /** Wraps the vault's data keys. */
  readonly vault: FileKeyProvider;
  /** Wraps the keys of payments' personal data. */
  readonly payments: FileKeyProvider;
  /** Wraps the keys of registrations' personal data. */
  readonly registrations: FileKeyProvider;
  /** Wraps the keys of checkouts' personal data. */
  readonly checkouts: FileKeyProvider;
  /** Wraps the keys of risk's personal data. */
  readonly risk: FileKeyProvider;
  /** Wraps the keys of schedules' personal data. */
  readonly scheduling: FileKeyProvider;
  /** Wraps the keys of the secrets that notifications are encrypted with. */
  readonly webhooks: FileKeyProvider;
  /** Wraps the keys that personal data is sealed with on its way from edge to who takes its commands. */
  readonly commands: FileKeyProvider;
  /** The key of credential hashes, 32 bytes (S-AUT-01). */
  readonly credentials: Buffer;
  /** The key of card fingerprints, 32 bytes (S-PCI-06). */
  readonly fingerprints: Buffer;
  close(): void;
}

const KEY_BYTES = 32;

/** Where the wallets of a data folder lie, which is one of a test installation. */
export function testWalletFiles(dataFolder: string): TestWalletFiles {
  const folder = join(dataFolder, 'keys');
  return {
    recipients: join(folder, 'wallets.json'),
    senders: join(folder, 'test-wallets.json'),
  };
}

/** Where the keys of a data folder lie, for services that are processes of their own. */
export interface KeyFiles {
  readonly vault: string;
  readonly payments: string;
  readonly registrations: string;
  readonly checkouts: string;
  readonly risk: string;
  readonly scheduling: string;
  readonly webhooks: string;
  readonly commands: string;
  readonly credentials: string;
  readonly fingerprints: string;
}

/** The files that `openKeys` reads and makes. */
export function keyFiles(dataFolder: string): KeyFiles {
  const folder = join(dataFolder, 'keys');
  return {
    vault: join(folder, 'vault.json'),
    payments: join(folder, 'payments.json'),
    registrations: join(folder, 'registrations.json'),
    checkouts: join(folder, 'checkouts.json'),
    risk: join(folder, 'risk.json'),
    scheduling: join(folder, 'scheduling.json'),
    webhooks: join(folder, 'webhooks.json'),
    commands: join(folder, 'commands.json'),
    credentials: join(folder, 'credentials.key'),
    fingerprints: join(folder, 'fingerprints.key'),
  };
}

/** Reads the keys of the data folder, mode 0600, and makes what is not there, the wallets' too. */
export async function openKeys(dataFolder: string, logger: Logger): Promise<Keys> {
  const files = keyFiles(dataFolder);
  await mkdir(dirname(files.vault), { recursive: true, mode: 0o700 });
  const wallets = ensureTestWallets(testWalletFiles(dataFolder), new Date());
  const keys = openKeyFiles(files, logger);
  // Whoever is told of a failure finds nothing that is still being written.
  await Promise.allSettled([keys, wallets]);
  await wallets;
  return keys;
}

/** The same wherever the files lie; their folders are there. One after the other, so that a failure ends it. */
export async function openKeyFiles(files: KeyFiles, logger: Logger): Promise<Keys> {
  const onProblem = (error: Error): void => {
    logger.error({ err: error }, 'A changed key file was not taken over');
  };
  const options = { createIfAbsent: true, onProblem };
  const vault = await FileKeyProvider.open(files.vault, options);
  const payments = await FileKeyProvider.open(files.payments, options);
  const registrations = await FileKeyProvider.open(files.registrations, options);
  const checkouts = await FileKeyProvider.open(files.checkouts, options);
  const risk = await FileKeyProvider.open(files.risk, options);
  const scheduling = await FileKeyProvider.open(files.scheduling, options);
  const webhooks = await FileKeyProvider.open(files.webhooks, options);
  const commands = await FileKeyProvider.open(files.commands, options);
  const credentials = await secretKey(files.credentials);
  const fingerprints = await secretKey(files.fingerprints);
  const wrapping = { vault, payments, registrations, checkouts, risk, scheduling, webhooks };
  const providers = { ...wrapping, commands };
  const close = (): void => {
    for (const provider of Object.values(providers)) provider.close();
  };
  return { ...providers, credentials, fingerprints, close };
}

async function secretKey(path: string): Promise<Buffer> {
  await makeWholeFile(path, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
  const key = Buffer.from(await readFile(path, 'utf8'), 'base64');
  if (key.length !== KEY_BYTES) throw new Error(`The key file ${path} is damaged.`);
  return key;
}
