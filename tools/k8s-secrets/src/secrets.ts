import {
  addressFile,
  cellAddressFile,
  type DatabaseRole,
  databaseRolesOf,
  operatorKeys,
  podsWithAddress,
  readersOfEvents,
  SECOND_CELL,
  SERVICE_OF_CELLS,
  type ServiceKey,
  serviceKeys,
  type ServiceName,
  serviceNames,
  serviceRow,
  servicesWithTables,
  workloadOfCell,
} from '@sluice/contracts';
import { openKeyFiles } from '@sluice/local-installation';
import type { Logger } from '@sluice/service';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { ADMIN_ROLE, databaseAddress, roleName } from './addresses.js';
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
/** No keys of any wallet: tokens are refused until somebody writes keys into it. */
const NOTHING_YET = `${JSON.stringify({})}\n`;
/** A worthless set says so, lest somebody runs on it. */
const WORTHLESS = 'worthless: made by k8s:secrets --dummies\n';
const WORTHLESS_MARK = 'WORTHLESS';

const keyNames = Object.keys(serviceKeys) as readonly ServiceKey[];

/** Where `openKeyFiles` keeps each key; whoever else has it is given a copy. */
const keyFiles = Object.fromEntries(
  keyNames.map((key) => [key, keyFileOf(serviceKeys[key].owner, key)]),
) as Readonly<Record<ServiceKey, string>>;

const SEED_FILE = 'accounts/secrets/seed.json';
/** The vault's keys of wallets, what checkouts needs to show their buttons, and risk's scorers. */
const FILES_TO_FILL = [
  ...['vault/secrets/wallets.json', 'checkouts/secrets/wallets.json'],
  'risk/secrets/scorers.json',
] as const;
const ADMIN_PASSWORD_FILE = 'postgres/secrets/admin-password';
const ADMIN_ADDRESS_FILE = 'operator/secrets/admin-database-url';
const OPERATOR = 'operator';
/** Of the second cell, which an installation may have or not (page 0047). */
const CELL_ADMIN_PASSWORD_FILE = `${workloadOfCell('postgres', SECOND_CELL)}/secrets/admin-password`;
const CELL_ADMIN_ADDRESS_FILE = `operator/secrets/admin-${SECOND_CELL}-database-url`;
const CELL_OWNERS_FILE = 'operator/secrets/payments-cell-owner-database-urls';
/** For whoever rebuilds tables of the events of all cells. */
const CELL_READERS_FILES = ['operator', ...readersOfEvents(SERVICE_OF_CELLS)].map(
  (pod) => `${pod}/secrets/payments-cell-reader-database-urls`,
);

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
  await ensureCellAddresses(folder);
  if (wish.seed === undefined) await folder.keep(SEED_FILE, () => NO_CHANNELS);
  else await folder.write(SEED_FILE, wish.seed);
  for (const file of FILES_TO_FILL) await folder.keep(file, () => NOTHING_YET);
  return { ...folder.tally, ends };
}

/** Every file that manifests may name. */
export const secretFiles: readonly string[] = [
  ...new Set([
    ...leaves.flatMap(({ files }) => [files.key, files.certificate, ...files.authority]),
    ...keyNames.flatMap((key) => [keyFiles[key], ...keyCopies(key)]),
    ...servicesWithTables.flatMap((service) =>
      databaseRolesOf(service).flatMap((role) =>
        [OPERATOR, ...podsWithAddress(service, role)].map((pod) => addressFile(pod, service, role)),
      ),
    ),
    ...databaseRolesOf(SERVICE_OF_CELLS).flatMap((role) =>
      [OPERATOR, ...cellPods(role)].map((pod) => cellAddressFile(SECOND_CELL, pod, role)),
    ),
    ...[SEED_FILE, ...FILES_TO_FILL, ADMIN_PASSWORD_FILE, ADMIN_ADDRESS_FILE],
    ...[CELL_ADMIN_PASSWORD_FILE, CELL_ADMIN_ADDRESS_FILE, CELL_OWNERS_FILE],
    ...CELL_READERS_FILES,
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
      registrations: await folder.folderOf(keyFiles.registrations),
      checkouts: await folder.folderOf(keyFiles.checkouts),
      risk: await folder.folderOf(keyFiles.risk),
      scheduling: await folder.folderOf(keyFiles.scheduling),
      webhooks: await folder.folderOf(keyFiles.webhooks),
      commands: await folder.folderOf(keyFiles.commands),
      credentials: await folder.folderOf(keyFiles.credentials),
    },
    logger,
  );
  keys.close();
  for (const key of keyNames) {
    const text = (await folder.read(keyFiles[key])) ?? '';
    for (const copy of keyCopies(key)) await folder.write(copy, text);
  }
}

function keyFileOf(pod: string, key: ServiceKey): string {
  return `${pod}/secrets/${serviceKeys[key].file}`;
}

/** For whoever is given the key and does not own it, and for the second cell of those who have it. */
function keyCopies(key: ServiceKey): readonly string[] {
  const holders = serviceNames.filter((name) => serviceRow(name).keys?.includes(key));
  const inCells = cellPods('app').filter((name) => holders.includes(name));
  return [
    ...holders.filter((name) => name !== serviceKeys[key].owner),
    ...(operatorKeys.includes(key) ? [OPERATOR] : []),
    ...inCells.map((name) => workloadOfCell(name, SECOND_CELL)),
  ].map((pod) => keyFileOf(pod, key));
}

/** The operator's addresses are those that count; the services' are copies. */
async function ensureAddresses(folder: SecretFolder): Promise<void> {
  const adminPassword = await folder.keep(ADMIN_PASSWORD_FILE, () => `${newPassword()}\n`);
  await folder.write(ADMIN_ADDRESS_FILE, databaseAddress(ADMIN_ROLE, adminPassword.trimEnd()));
  for (const service of servicesWithTables) {
    for (const role of databaseRolesOf(service)) {
      const address = await folder.keep(addressFile(OPERATOR, service, role), () =>
        databaseAddress(roleName(service, role), newPassword()),
      );
      for (const pod of podsWithAddress(service, role)) {
        await folder.write(addressFile(pod, service, role), address);
      }
    }
  }
}

/** Those of the second cell's own server. */
async function ensureCellAddresses(folder: SecretFolder): Promise<void> {
  const password = await folder.keep(CELL_ADMIN_PASSWORD_FILE, () => `${newPassword()}\n`);
  const admin = databaseAddress(ADMIN_ROLE, password.trimEnd(), SECOND_CELL);
  await folder.write(CELL_ADMIN_ADDRESS_FILE, admin);
  for (const role of databaseRolesOf(SERVICE_OF_CELLS)) {
    const name = roleName(SERVICE_OF_CELLS, role);
    const address = await folder.keep(cellAddressFile(SECOND_CELL, OPERATOR, role), () =>
      databaseAddress(name, newPassword(), SECOND_CELL),
    );
    for (const pod of cellPods(role)) {
      await folder.write(cellAddressFile(SECOND_CELL, pod, role), address);
    }
  }
  await folder.write(CELL_OWNERS_FILE, await ofAllCells(folder, 'owner'));
  const readers = await ofAllCells(folder, 'reader');
  for (const file of CELL_READERS_FILES) await folder.write(file, readers);
}

/** One address a line, the first cell's first. */
async function ofAllCells(folder: SecretFolder, role: DatabaseRole): Promise<string> {
  const first = await folder.read(addressFile(OPERATOR, SERVICE_OF_CELLS, role));
  const second = await folder.read(cellAddressFile(SECOND_CELL, OPERATOR, role));
  return `${first ?? ''}${second ?? ''}`;
}

/** Only its own pods come to the database of a cell, and as its app role. */
function cellPods(role: DatabaseRole): readonly ServiceName[] {
  return role === 'app' ? podsWithAddress(SERVICE_OF_CELLS, role) : [];
}

function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
