import { IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { databaseAddress } from './database-address.js';
import type { ServiceAddress } from './migrate.js';
import { Variable } from './settings.js';

/** Where a service's tables are, and how many connections it has to them. */
export interface DatabaseSettings extends ServiceAddress {
  readonly connectionsMax: number;
}

/** How many connections a process may have, and the default. */
export interface ConnectionLimits {
  readonly least: number;
  readonly most: number;
  readonly default: number;
}

/** Only such names need no quotes in PostgreSQL. */
const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * The settings of a process that uses a service's tables as its app role, under the service's name.
 */
export function tablesSettings(
  service: string,
  meaning: string,
): new () => Pick<DatabaseSettings, 'databaseUrl' | 'schema'> {
  const prefix = variablePrefix(service);
  class TablesSettings {
    @Variable(`${prefix}_DATABASE_URL`, { secret: true, parse: databaseAddress, meaning })
    @IsString()
    readonly databaseUrl!: string;

    @Variable(`${prefix}_SCHEMA`, { meaning: 'the schema with its tables' })
    @Matches(IDENTIFIER)
    readonly schema: string = prefix.toLowerCase();
  }
  return TablesSettings;
}

/**
 * The settings of a service's own database, for its settings class to extend:
 * `<SERVICE>_DATABASE_URL`, `…_OWNER_DATABASE_URL`, `…_SCHEMA` and `…_CONNECTIONS_MAX`.
 */
export function databaseSettings(
  service: string,
  connections: ConnectionLimits,
): new () => DatabaseSettings {
  const prefix = variablePrefix(service);
  class OwnDatabaseSettings extends tablesSettings(service, 'its database, as the app role') {
    /** As the owner role; absent if migrations run elsewhere. */
    @Variable(`${prefix}_OWNER_DATABASE_URL`, {
      secret: true,
      parse: databaseAddress,
      meaning: 'the same as the owner role: it migrates at start',
    })
    @IsOptional()
    @IsString()
    readonly ownerDatabaseUrl?: string;

    @Variable(`${prefix}_CONNECTIONS_MAX`, { meaning: 'connections to its database' })
    @IsInt()
    @Min(connections.least)
    @Max(connections.most)
    readonly connectionsMax: number = connections.default;
  }
  return OwnDatabaseSettings;
}

function variablePrefix(service: string): string {
  return service.toUpperCase().replaceAll('-', '_');
}
