import {
  CELLS_MAX,
  type DatabaseRole,
  databaseRolesOf,
  databaseVariableOf,
  FIRST_CELL,
  schemaVariableOf,
  type ServiceWithTables,
  servicesWithTables,
} from '@sluice/contracts';
import type { RebuildSource } from '@sluice/projections';
import {
  databaseAddresses,
  KafkaSettings,
  loadSettings,
  SettingsError,
  Variable,
  type VariableOptions,
} from '@sluice/service';
import { IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { failed, usage } from './exit-codes.js';

/** The service of that name. Throws CommandEnded for one without tables. */
export function serviceNamed(name: string): ServiceWithTables {
  const found = servicesWithTables.find((service) => service === name);
  if (found !== undefined) return found;
  throw usage(
    `There is no service "${name}" with tables; there are: ${servicesWithTables.join(', ')}.`,
  );
}

/** As whom commands enter a database. */
export type Role = Exclude<DatabaseRole, 'reader'>;

const DATABASE = /^postgres(?:ql)?:\/\//;
const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/;
const MEANINGS: Readonly<Record<DatabaseRole, string>> = {
  app: 'its database, as the app role',
  owner: 'the same as the owner role, for what makes and drops tables',
  reader:
    'the same as a role that only reads events, for rebuilds, made and granted to where it is set; ' +
    'else the app role',
};
const SCHEMA = 'the schema with its tables';

function addressList(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((address) => address !== '');
}

/** Where the services' Kafka and databases are: the same variables as the services' own. */
export class ConnectionSettings extends KafkaSettings {
  @Variable('ADMIN_DATABASE_URL', {
    secret: true,
    meaning: 'the database as somebody who may make roles and schemas, for `database prepare`',
  })
  @IsOptional()
  @Matches(DATABASE)
  readonly admin?: string;

  /** Whose tables `migrations` makes (page 0047). */
  @Variable('PAYMENTS_CELL', {
    meaning: 'which cell of payments PAYMENTS_DATABASE_URL is, from 1, for `migrations`',
  })
  @IsInt()
  @Min(FIRST_CELL)
  @Max(CELLS_MAX)
  readonly cell: number = FIRST_CELL;

  @Variable('PAYMENTS_CELL_OWNER_DATABASE_URLS', {
    secret: true,
    parse: addressList,
    meaning:
      'the databases of payments as the owner role, of cell 1, 2, … in this order, with blanks or ' +
      'commas between them; for `cells`, `marks refill`, `restore finish --cells` and `streams show`',
  })
  @IsOptional()
  @Matches(DATABASE, { each: true })
  readonly cellOwnerUrls?: readonly string[];

  @Variable('RISK_KEY_FILE', {
    meaning:
      'the file with the keys that wrap those of risk, for `risk what-if` with lists of persons or cards',
  })
  @IsOptional()
  @IsString()
  readonly riskKeyFile?: string;

  @Variable('WEBHOOKS_KEY_FILE', {
    meaning: 'the file with the keys of webhooks, for `webhooks add`, `change` and `rotate`',
  })
  @IsOptional()
  @IsString()
  readonly webhooksKeyFile?: string;

  /** The properties of the services' databases are called like their variables, see below. */
  readonly [variable: `${string}_DATABASE_URL`]: string | undefined;
  readonly [variable: `${string}_SCHEMA`]: string;

  constructor() {
    super();
    const schemas = servicesWithTables.map((service) => [schemaVariableOf(service), service]);
    Object.assign(this, Object.fromEntries(schemas));
  }
}

/** What the class would declare one by one if the services were not in a table. */
for (const service of servicesWithTables) {
  for (const role of databaseRolesOf(service)) {
    const property = databaseVariableOf(service, role);
    declare(property, { secret: true, meaning: MEANINGS[role] }, [IsOptional(), Matches(DATABASE)]);
  }
  declare(schemaVariableOf(service), { meaning: SCHEMA }, [Matches(IDENTIFIER)]);
}

function declare(
  property: string,
  options: VariableOptions,
  checks: readonly PropertyDecorator[],
): void {
  for (const decorate of [Variable(property, options), ...checks]) {
    decorate(ConnectionSettings.prototype, property);
  }
}

/** What a running sandbox or local cluster leaves in its data folder, readable by its owner alone. */
interface InstallationFile {
  readonly pid: number;
  /** Where merchants reach it; absent of one that has not started whole. */
  readonly url?: string;
  /** Variables with the values that the installation's own services have. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Its name in the data folder. */
const INSTALLATION_FILE = 'installation.json';

/** Where `npm start` and `npm run cluster` keep their data unless told. */
const DATA_FOLDERS: readonly string[] = ['.sluice', '.sluice-cluster'].map((name) =>
  fileURLToPath(new URL(`../../../${name}`, import.meta.url)),
);

/** What every command can be told about where things are. */
export interface ConnectionFlags {
  readonly data?: string;
  readonly brokers?: string;
}

/** Where things are, as one run of the command line found it. */
export interface Connections {
  readonly settings: ConnectionSettings;
  /** The data folder of a sandbox, whose services talk in memory: there is no Kafka to ask. */
  readonly sandboxFolder?: string;
  /** Where merchants reach the sandbox or cluster that runs here. */
  readonly gatewayUrl?: string;
}

/**
 * Flags before variables before the file of the installation that runs here. Throws CommandEnded
 * with a sentence.
 */
export function readConnections(
  flags: ConnectionFlags,
  environment: NodeJS.ProcessEnv,
  folders: readonly string[] = DATA_FOLDERS,
): Connections {
  const merged: NodeJS.ProcessEnv = { ...environment };
  const found = findInstallation(flags.data, environment['SLUICE_DATA'], folders);
  const theirs = found?.file.environment ?? {};
  for (const [name, value] of Object.entries(theirs)) {
    if (isUnset(environment[name]) && isUnset(environment[`${name}_FILE`])) merged[name] = value;
  }
  if (flags.brokers !== undefined) merged['KAFKA_BROKERS'] = flags.brokers;
  const isSandbox = found !== undefined && isUnset(merged['KAFKA_BROKERS']);
  try {
    const settings = loadSettings(ConnectionSettings, merged);
    const gatewayUrl = found?.file.url;
    return {
      settings,
      ...(isSandbox && { sandboxFolder: found.folder }),
      ...(gatewayUrl !== undefined && { gatewayUrl }),
    };
  } catch (error) {
    if (error instanceof SettingsError) throw usage(error.message);
    throw error;
  }
}

function isUnset(value: string | undefined): boolean {
  return value === undefined || value === '';
}

interface FoundInstallation {
  readonly folder: string;
  readonly file: InstallationFile;
}

/** A folder that somebody named must have the file; of the usual ones, that of who runs counts. */
function findInstallation(
  flag: string | undefined,
  variable: string | undefined,
  folders: readonly string[],
): FoundInstallation | undefined {
  const named = flag ?? (isUnset(variable) ? undefined : variable);
  if (named !== undefined) {
    const file = readInstallationFile(named);
    if (file === undefined && flag !== undefined) throw failed(nothingRuns(named));
    return file && { folder: named, file };
  }
  const running = folders.flatMap((folder) => {
    const file = readInstallationFile(folder);
    return file !== undefined && isAlive(file.pid) ? [{ folder, file }] : [];
  });
  if (running.length > 1) {
    const names = running.map(({ folder }) => basename(folder)).join(' or --data ');
    throw usage(`Both a sandbox and a cluster run here: say --data ${names}.`);
  }
  return running[0];
}

/** Undefined where there is none. */
function readInstallationFile(folder: string): InstallationFile | undefined {
  const path = join(folder, INSTALLATION_FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw failed(`${path} cannot be read (${code}).`);
  }
  try {
    const { pid = 0, url, environment = {} } = JSON.parse(text) as Partial<InstallationFile>;
    return { pid, environment, ...(url !== undefined && { url }) };
  } catch {
    throw failed(`${path} is not JSON; start the sandbox or cluster again.`);
  }
}

function nothingRuns(folder: string): string {
  return (
    `There is no ${INSTALLATION_FILE} in ${folder}: no sandbox or local cluster runs there. ` +
    'Start one with that --data, or leave the flag out.'
  );
}

/** Whether the process is there; a killed one leaves its file behind. */
function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The address of a service's database. Throws CommandEnded when nobody said it. */
export function databaseUrlOf(
  settings: ConnectionSettings,
  service: ServiceWithTables,
  role: Role,
): string {
  const name = databaseVariableOf(service, role);
  const url = settings[name];
  if (url !== undefined) return url;
  throw usage(
    `Where is the database of ${service}? Start the sandbox (npm start) or the cluster (npm run cluster), name its folder with --data, or set ${name}.`,
  );
}

/** The database's administrator. Throws CommandEnded when nobody said who that is. */
export function adminDatabaseUrl(settings: ConnectionSettings): string {
  if (settings.admin !== undefined) return settings.admin;
  throw usage('Who may make roles? Set ADMIN_DATABASE_URL, or ADMIN_DATABASE_URL_FILE to a file.');
}

/**
 * The addresses at which others read a service's events for a rebuild, one for each of its cells;
 * none where none is set.
 */
export function readerUrlsOf(
  settings: ConnectionSettings,
  owner: ServiceWithTables,
): readonly string[] {
  const text = databaseRolesOf(owner).includes('reader')
    ? settings[databaseVariableOf(owner, 'reader')]
    : undefined;
  return text === undefined ? [] : databaseAddresses(text);
}

/** Where a service's events are read for a rebuild. */
export function eventSourceOf(
  settings: ConnectionSettings,
  owner: ServiceWithTables,
): Pick<RebuildSource, 'url' | 'otherCells'> {
  const [url = databaseUrlOf(settings, owner, 'app'), ...otherCells] = readerUrlsOf(
    settings,
    owner,
  );
  return { url, otherCells };
}

/** The role that reads a service's events and nothing else; undefined where there is none. */
export function readerRoleOf(
  settings: ConnectionSettings,
  owner: ServiceWithTables,
): string | undefined {
  const [url] = readerUrlsOf(settings, owner);
  if (url === undefined) return undefined;
  const role = decodeURIComponent(new URL(url).username);
  const others = (['app', 'owner'] as const).flatMap((other) => {
    const address = settings[databaseVariableOf(owner, other)];
    return address === undefined ? [] : decodeURIComponent(new URL(address).username);
  });
  // The sandbox and the local cluster read as the app role, which may see events anyway.
  return others.includes(role) ? undefined : role;
}

/** The schema of a service. */
export function schemaOf(settings: ConnectionSettings, service: ServiceWithTables): string {
  return settings[schemaVariableOf(service)] ?? service;
}

/** The role that a running service comes as; the owner grants to it. */
export function appRoleOf(settings: ConnectionSettings, service: ServiceWithTables): string {
  return decodeURIComponent(new URL(databaseUrlOf(settings, service, 'app')).username);
}

/** The databases of all cells as their owner, cell 1 first. Throws CommandEnded without any. */
export function cellOwnerUrlsOf({ cellOwnerUrls }: ConnectionSettings): readonly string[] {
  if (cellOwnerUrls !== undefined && cellOwnerUrls.length > 0) return cellOwnerUrls;
  throw usage(
    'Where are the cells? Set PAYMENTS_CELL_OWNER_DATABASE_URLS to the owner addresses of their ' +
      'databases, that of cell 1 first.',
  );
}
