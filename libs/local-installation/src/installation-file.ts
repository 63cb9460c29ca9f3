import {
  databaseVariableOf,
  schemaVariableOf,
  type ServiceWithTables,
  servicesWithTables,
} from '@sluice/contracts';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { InstallationDatabase } from './database.js';

/** Its name in the data folder. */
export const INSTALLATION_FILE = 'installation.json';

/** What a running installation tells of itself: to the command `sluice`, and to tests. */
export interface InstallationFile {
  /** Where merchants reach it. */
  readonly url: string;
  readonly pid: number;
  /** Variables with the values that the services have, under the services' own names; holds secrets. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Writes the file, readable by its owner alone, whole or not at all. */
export async function writeInstallationFile(
  folder: string,
  content: InstallationFile,
): Promise<void> {
  const path = join(folder, INSTALLATION_FILE);
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, path);
}

/** With the installation goes what it told: the passwords in it are new at each start. */
export async function removeInstallationFile(folder: string): Promise<void> {
  await rm(join(folder, INSTALLATION_FILE), { force: true });
}

/** Where one service's database is, in the variables that the service itself reads. */
export function databaseVariables(
  { services }: Pick<InstallationDatabase, 'services'>,
  service: ServiceWithTables,
): Readonly<Record<string, string>> {
  const { appUrl, ownerUrl, schema } = services[service];
  return {
    [databaseVariableOf(service, 'app')]: appUrl,
    [databaseVariableOf(service, 'owner')]: ownerUrl,
    [schemaVariableOf(service)]: schema,
  };
}

/** The same of every service. */
export function allDatabaseVariables(
  database: Pick<InstallationDatabase, 'services'>,
): Readonly<Record<string, string>> {
  return Object.assign(
    {},
    ...servicesWithTables.map((name) => databaseVariables(database, name)),
  ) as Record<string, string>;
}
