import { databaseAddresses, databaseSettings, Variable } from '@sluice/service';
import { ArrayMinSize, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Each table set that is fed uses some, and so does each query. */
const CONNECTIONS = { least: 2, most: 50, default: 8 };

/** The settings of reporting. */
export class ReportingSettings extends databaseSettings('reporting', CONNECTIONS) {
  /** Where events are read for a rebuild, which the owner role's address is needed for as well. */
  @Variable('PAYMENTS_READER_DATABASE_URL', {
    secret: true,
    parse: databaseAddresses,
    meaning:
      "payments' database, as a role that reads its events: it rebuilds by itself; one for each cell, with blanks between",
  })
  @IsOptional()
  @ArrayMinSize(1)
  readonly eventSourceUrls?: readonly string[];

  @Variable('PAYMENTS_SCHEMA', { meaning: 'the schema with the events of payments' })
  @Matches(/^[a-z_][a-z0-9_]{0,62}$/)
  readonly eventSourceSchema: string = 'payments';

  /** The same of registrations. */
  @Variable('REGISTRATIONS_READER_DATABASE_URL', {
    secret: true,
    meaning: "registrations' database, as a role that reads its events: it rebuilds by itself",
  })
  @IsOptional()
  @IsString()
  readonly registrationSourceUrl?: string;

  @Variable('REGISTRATIONS_SCHEMA', { meaning: 'the schema with the events of registrations' })
  @Matches(/^[a-z_][a-z0-9_]{0,62}$/)
  readonly registrationSourceSchema: string = 'registrations';

  /** The same of schedules. */
  @Variable('SCHEDULING_READER_DATABASE_URL', {
    secret: true,
    meaning: "scheduling's database, as a role that reads its events: it rebuilds by itself",
  })
  @IsOptional()
  @IsString()
  readonly scheduleSourceUrl?: string;

  @Variable('SCHEDULING_SCHEMA', { meaning: 'the schema with the events of scheduling' })
  @Matches(/^[a-z_][a-z0-9_]{0,62}$/)
  readonly scheduleSourceSchema: string = 'scheduling';

  /** How often table sets, redrives and the live pointer are looked at. */
  @Variable('REPORTING_POLL_INTERVAL_MS', {
    meaning: 'how often it looks which table sets to feed and to read; at rest a fifth as often',
  })
  @IsInt()
  @Min(10)
  @Max(MINUTE_MS)
  readonly pollIntervalMs: number = 1_000;

  /** D-21: by then lost messages of the topic are noticed. */
  @Variable('REPORTING_COMPARE_HEADS_MS', {
    meaning: 'how often it compares its versions with those of payments',
  })
  @IsInt()
  @Min(10)
  @Max(HOUR_MS)
  readonly compareHeadsMs: number = 30_000;
}
