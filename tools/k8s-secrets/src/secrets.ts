import { DEMO_ACCESS_TOKEN } from '@sluice/domain-accounts';
import { openKeyFiles } from '@sluice/local-installation';
import type { Logger } from '@sluice/service';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import {
  ADMIN_ROLE,
  databaseAddress,
  type DatabaseService,
  databaseServices,
  READER_ROLE,
  roleName,
} from './addresses.js';
import { type CertificateEnds, ensureCertificates, type Renewal } from './certificates.js';
import { leaves } from './leaves.js';
import { SecretFolder } from './secret-folder.js';

/** What is made, and where. */
export interface SecretsWish {
  /** Absolute. */
  readonly output: string;
  /** Worthless ones of the same names, with which manifests can be rendered and nothing can run. */
  readonly dummies: boolean;
  readonly renewal: Renewal;
  /** The text of a seed file; absent: the one before, or no channels. */
  readonly seed?: string | undefined;
  readonly from: Date;
  readonly logger: Logger;
}

/** What was made. */
export interface SecretsMade {
  readonly kept: number;
  readonly made: number;
  readonly renewed: number;
  /** Absent with worthless ones. */
  readonly ends?: CertificateEnds;
}

/** The folder has what it must not have together; the message is a sentence. */
export class SecretsRefused extends Error {
  override readonly name = 'SecretsRefused';
}

const PASSWORD_BYTES = 24;
const NO_CHANNELS = `${JSON.stringify({ channels: [] })}\n`;
/** A worthless set says so, lest somebody runs on it. */
const WORTHLESS = 'worthless: made by k8s:secrets --dummies\n';
const WORTHLESS_MARK = 'WORTHLESS';

/** Whose tables a service comes to; the relay empties the outbox of payments. */
const addressFiles: Readonly<Record<DatabaseService, readonly string[]>> = {
  payments: ['payments/secrets/database-url', 'payments-relay/secrets/database-url'],
  vault: ['vault/secrets/database-url'],
  accounts: ['accounts/secrets/database-url'],
  reporting: ['reporting/secrets/database-url'],
};

const keyFiles = {
  vault: 'vault/secrets/vault-keys.json',
  fingerprints: 'vault/secrets/fingerprint.key',
  payments: 'payments/secrets/payments-keys.json',
  commands: 'payments/secrets/command-keys.json',
  credentials: 'accounts/secrets/credential.key',
} as const;

/** The same key as of accounts (S-AUT-01). */
const EDGE_CREDENTIAL_FILE = 'edge/secrets/credential.key';
/** The same keys as of payments (page 0035). */
const EDGE_COMMAND_KEY_FILE = 'edge/secrets/command-keys.json';
const DEMO_TOKEN_FILE = 'edge/secrets/demo-access-token';
const SEED_FILE = 'accounts/secrets/seed.json';
const ADMIN_PASSWORD_FILE = 'postgres/secrets/admin-password';
const ADMIN_ADDRESS_FILE = 'operator/secrets/admin-database-url';
const OPERATOR_READER_FILE = 'operator/secrets/payments-reader-database-url';
/** Both together let reporting rebuild by itself. */
const REPORTING_OWNER_FILE = 'reporting/secrets/owner-database-url';
const REPORTING_READER_FILE = 'reporting/secrets/payments-reader-database-url';

/** Makes what is missing in the folder; what is there stays, so that it can be run again. */
export async function makeSecrets(wish: SecretsWish): Promise<SecretsMade> {
  const folder = new SecretFolder(wish.output);
  const isWorthless = (await folder.read(WORTHLESS_MARK)) !== undefined;
  if (wish.dummies) {
    if (!isWorthless) await assertEmpty(wish.output);
    return makeWorthless(folder);
  }
  // Nothing of a worthless set may pass for a real one.
  if (isWorthless) await folder.clear();
  const ends = await ensureCertificates(folder, wish.renewal, wish.from);
  await ensureKeys(folder, wish.logger);
  await ensureAddresses(folder);
  await folder.write(DEMO_TOKEN_FILE, `${DEMO_ACCESS_TOKEN}\n`);
  if (wish.seed === undefined) await folder.keep(SEED_FILE, () => NO_CHANNELS);
  else await folder.write(SEED_FILE, wish.seed);
  return { ...folder.tally, ends };
}

/** Every file that manifests may name. */
export const secretFiles: readonly string[] = [
  ...new Set([
    ...leaves.flatMap(({ files }) => [files.key, files.certificate, ...files.authority]),
    ...Object.values(keyFiles),
    ...databaseServices.flatMap((service) => [
      ...addressFiles[service],
      operatorFile(service, 'app'),
      operatorFile(service, 'owner'),
    ]),
    ...[
      EDGE_CREDENTIAL_FILE,
      EDGE_COMMAND_KEY_FILE,
      DEMO_TOKEN_FILE,
      SEED_FILE,
      ADMIN_PASSWORD_FILE,
      ADMIN_ADDRESS_FILE,
    ],
    ...[OPERATOR_READER_FILE, REPORTING_OWNER_FILE, REPORTING_READER_FILE],
  ]),
].sort();

async function makeWorthless(folder: SecretFolder): Promise<SecretsMade> {
  for (const file of [WORTHLESS_MARK, ...secretFiles]) await folder.write(file, WORTHLESS);
  return folder.tally;
}

async function assertEmpty(path: string): Promise<void> {
  const files = await readdir(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  if (files.length === 0) return;
  throw new SecretsRefused(
    `${path} has secrets that an installation may run on: worthless ones need a folder of their own.`,
  );
}

async function ensureKeys(folder: SecretFolder, logger: Logger): Promise<void> {
  for (const file of Object.values(keyFiles)) {
    if ((await folder.read(file)) === undefined) folder.tally.made += 1;
    else await folder.found(file);
  }
  const keys = await openKeyFiles(
    {
      vault: await folder.folderOf(keyFiles.vault),
      fingerprints: await folder.folderOf(keyFiles.fingerprints),
      payments: await folder.folderOf(keyFiles.payments),
      commands: await folder.folderOf(keyFiles.commands),
      credentials: await folder.folderOf(keyFiles.credentials),
    },
    logger,
  );
  keys.close();
  await folder.write(EDGE_CREDENTIAL_FILE, (await folder.read(keyFiles.credentials)) ?? '');
  await folder.write(EDGE_COMMAND_KEY_FILE, (await folder.read(keyFiles.commands)) ?? '');
}

/** The operator's addresses are those that count; the services' are copies. */
async function ensureAddresses(folder: SecretFolder): Promise<void> {
  const adminPassword = await folder.keep(ADMIN_PASSWORD_FILE, () => `${newPassword()}\n`);
  await folder.write(ADMIN_ADDRESS_FILE, databaseAddress(ADMIN_ROLE, adminPassword.trimEnd()));
  for (const service of databaseServices) {
    const addressOf = (kind: 'owner' | 'app'): Promise<string> =>
      folder.keep(operatorFile(service, kind), () =>
        databaseAddress(roleName(service, kind), newPassword()),
      );
    const ownerAddress = await addressOf('owner');
    if (service === 'reporting') await folder.write(REPORTING_OWNER_FILE, ownerAddress);
    const address = await addressOf('app');
    for (const file of addressFiles[service]) await folder.write(file, address);
  }
  const readerAddress = await folder.keep(OPERATOR_READER_FILE, () =>
    databaseAddress(READER_ROLE, newPassword()),
  );
  await folder.write(REPORTING_READER_FILE, readerAddress);
}

function operatorFile(service: DatabaseService, kind: 'owner' | 'app'): string {
  return `operator/secrets/${service}${kind === 'owner' ? '-owner' : ''}-database-url`;
}

function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
