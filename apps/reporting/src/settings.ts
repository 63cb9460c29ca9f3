import { Variable, databaseAddress } from '@sluice/service';
import { IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';

const CONNECTIONS_MAX = 50;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What reporting must be told. */
export class ReportingSettings {
  /** As the app role: feeds and reads the tables. */
  @Variable('REPORTING_DATABASE_URL', {
    secret: true,
    parse: databaseAddress,
    meaning: 'its database, as the app role',
  })
  @IsString()
  readonly databaseUrl!: string;

  /** As the owner role; absent where migrations run apart. */
  @Variable('REPORTING_OWNER_DATABASE_URL', {
    secret: true,
    parse: databaseAddress,
    meaning: 'the same as the owner role: it migrates at start',
  })
  @IsOptional()
  @IsString()
  readonly ownerDatabaseUrl?: string;

  /** Where events are read for a rebuild, which the owner role's address is needed for as well. */
  @Variable('PAYMENTS_READER_DATABASE_URL', {
    secret: true,
    parse: databaseAddress,
    meaning: "payments' database, as a role that reads its events: it rebuilds by itself",
  })
  @IsOptional()
  @IsString()
  readonly eventSourceUrl?: string;

  @Variable('PAYMENTS_SCHEMA', { meaning: 'the schema with the events of payments' })
  @Matches(/^[a-z_][a-z0-9_]{0,62}$/)
  readonly eventSourceSchema: string = 'payments';

  @Variable('REPORTING_SCHEMA', { meaning: 'the schema with its tables' })
  @Matches(/^[a-z_][a-z0-9_]{0,62}$/)
  readonly schema: string = 'reporting';

  /** Each table set that is fed uses some, and so does each query. */
  @Variable('REPORTING_CONNECTIONS_MAX', { meaning: 'connections to its database' })
  @IsInt()
  @Min(2)
  @Max(CONNECTIONS_MAX)
  readonly connectionsMax: number = 8;

  /** How often table sets, redrives and the live pointer are looked at. */
  @Variable('REPORTING_POLL_INTERVAL_MS', {
    meaning: 'how often it looks which table sets to feed and to read',
  })
  @IsInt()
  @Min(10)
  @Max(MINUTE_MS)
  readonly pollIntervalMs: number = 1_000;

  /** D-21: what the topic lost is found by then. */
  @Variable('REPORTING_COMPARE_HEADS_MS', {
    meaning: 'how often it compares its versions with those of payments',
  })
  @IsInt()
  @Min(10)
  @Max(HOUR_MS)
  readonly compareHeadsMs: number = 30_000;
}
