import {
  databaseAddress,
  LOG_LEVELS,
  type LogLevel,
  privateTargetsOf,
  Variable,
} from '@sluice/service';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
} from 'class-validator';
import { fileURLToPath } from 'node:url';

/** The highest port there is. */
export const PORT_MAX = 65_535;
const THROTTLE_MAX = 1_000_000;
const PATH_CHARACTERS_MAX = 4_096;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Edge waits 25 s for an outcome (D-03); a longer call could never be answered in time. */
const CONNECTOR_TIMEOUT_MAX_MS = 20_000;
const INQUIRIES_MAX = 50;
/** As many as payments takes. */
const PRIVATE_TARGETS_MAX = 100;
/** Numbers with commas between them. */
const NUMBER_LIST = /^[0-9]{1,9}(?:,[0-9]{1,9}){0,49}$/;

/** `.sluice` in the repository's folder, wherever the command was typed. */
export const SANDBOX_DATA_FOLDER = fileURLToPath(new URL('../../../.sluice', import.meta.url));

/** The same for the cluster, which has a Kafka and logs in it too. */
export const CLUSTER_DATA_FOLDER = fileURLToPath(
  new URL('../../../.sluice-cluster', import.meta.url),
);

/**
 * What every installation on one machine can be told, be it one process or several; flags and
 * environment variables set the same.
 */
export class LocalSettings {
  @Variable('SLUICE_PORT')
  @IsInt()
  @Min(0)
  @Max(PORT_MAX)
  readonly port: number = 8080;

  @Variable('SLUICE_HOST')
  @Length(1, 255)
  readonly host: string = '127.0.0.1';

  @Variable('SLUICE_DATA')
  @Length(1, PATH_CHARACTERS_MAX)
  readonly dataFolder: string = SANDBOX_DATA_FOLDER;

  @Variable('DATABASE_URL', { secret: true, parse: databaseAddress })
  @IsOptional()
  readonly databaseUrl?: string;

  @Variable('SLUICE_SEED')
  @IsOptional()
  @Length(1, PATH_CHARACTERS_MAX)
  readonly seedFile?: string;

  @Variable('EDGE_BIN_FILE')
  @IsOptional()
  @Length(1, PATH_CHARACTERS_MAX)
  readonly binFile?: string;

  @Variable('SLUICE_LENIENT')
  readonly isLenient: boolean = false;

  @Variable('SLUICE_RESET')
  readonly reset: boolean = false;

  @Variable('SLUICE_LOG_LEVEL')
  @IsIn(LOG_LEVELS)
  readonly logLevel: LogLevel = 'warn';

  @Variable('SLUICE_THROTTLE_PER_SECOND')
  @IsInt()
  @Min(0)
  @Max(THROTTLE_MAX)
  readonly throttlePerSecond: number = 5_000;

  @Variable('SLUICE_THROTTLE_READS_PER_SECOND')
  @IsInt()
  @Min(0)
  @Max(THROTTLE_MAX)
  readonly throttleReadsPerSecond: number = 5_000;

  @Variable('SLUICE_CONNECTOR_TIMEOUT_MS')
  @IsInt()
  @Min(1)
  @Max(CONNECTOR_TIMEOUT_MAX_MS)
  readonly connectorTimeoutMs: number = 20_000;

  @Variable('SLUICE_SEND_WINDOW_MS')
  @IsInt()
  @Min(1)
  @Max(DAY_MS)
  readonly sendWindowMs: number = 2_000;

  @Variable('SLUICE_MAX_IN_FLIGHT_MS')
  @IsInt()
  @Min(0)
  @Max(DAY_MS)
  readonly maxInFlightMs: number = 30_000;

  @Variable('SLUICE_SWEEPER_LEASE_MS')
  @IsInt()
  @Min(1)
  @Max(DAY_MS)
  readonly sweeperLeaseMs: number = 60_000;

  @Variable('SLUICE_INQUIRE_AFTER_MS', { parse: numberList })
  @ArrayMinSize(1)
  @ArrayMaxSize(INQUIRIES_MAX)
  @Min(0, { each: true })
  @Max(7 * DAY_MS, { each: true })
  readonly inquireAfterMs: readonly number[] = [
    5_000,
    30_000,
    MINUTE_MS,
    2 * MINUTE_MS,
    10 * MINUTE_MS,
    60 * MINUTE_MS,
    ...[1, 2, 3, 4, 5, 6, 7].map((day) => day * DAY_MS),
  ];

  @Variable('SLUICE_RESOLVE_BY_MS')
  @IsInt()
  @Min(0)
  @Max(DAY_MS)
  readonly resolveByMs: number = 15 * MINUTE_MS;

  @Variable('SLUICE_LATE_INQUIRY_MS')
  @IsInt()
  @Min(0)
  @Max(DAY_MS)
  readonly lateInquiryMs: number = 60 * MINUTE_MS;

  @Variable('SLUICE_SWEEP_INTERVAL_MS')
  @IsInt()
  @Min(10)
  @Max(MINUTE_MS)
  readonly sweepIntervalMs: number = 1_000;

  /** Absent: the simulator takes direct debits, as it takes everything. */
  @Variable('SLUICE_SEPA_GATHER_MS')
  @IsOptional()
  @IsInt()
  @Min(10)
  @Max(DAY_MS)
  readonly sepaGatherMs?: number;

  /** As payments has it: a merchant account may lead to another installation on this machine. */
  @Variable('PAYMENTS_SECRETS_FOLDER')
  @IsOptional()
  @Length(1, PATH_CHARACTERS_MAX)
  readonly secretsFolder?: string;

  @Variable('PAYMENTS_PRIVATE_TARGETS', { parse: privateTargetsOf })
  @ArrayMaxSize(PRIVATE_TARGETS_MAX)
  @IsString({ each: true })
  readonly privateTargets: readonly string[] = [];

  /** One of the inquiries above comes then: nobody hears of the approval before the next of them. */
  @Variable('SLUICE_SIMULATOR_PENDING_MS')
  @IsInt()
  @Min(0)
  @Max(DAY_MS)
  readonly simulatorPendingMs: number = MINUTE_MS;

  /** As for a pending: the next inquiry finds that the page is closed. */
  @Variable('SLUICE_SIMULATOR_PAGE_MS')
  @IsInt()
  @Min(0)
  @Max(DAY_MS)
  readonly simulatorPageMs: number = 30 * MINUTE_MS;
}

function numberList(text: string): readonly number[] {
  if (!NUMBER_LIST.test(text)) throw new Error('must be whole numbers with commas between them');
  const list = text.split(',').map(Number);
  if (list.some((value, index) => value <= (list[index - 1] ?? -1))) {
    throw new Error('must be ascending');
  }
  return list;
}

/** One flag of the command line and the environment variable that is the same setting. */
export interface Flag<Settings extends LocalSettings = LocalSettings> {
  /** As commander writes it: `--port <number>`. */
  readonly flag: string;
  readonly variable: string;
  readonly description: string;
  /** The property of the settings class, for its default. */
  readonly property: keyof Settings & string;
}

/** What `--help` lists of LocalSettings, in this order. */
export const localFlags: readonly Flag[] = [
  ['--port <number>', 'SLUICE_PORT', 'where the gateway listens; 0 = any free port', 'port'],
  ['--host <address>', 'SLUICE_HOST', 'the address it listens on', 'host'],
  ['--data <folder>', 'SLUICE_DATA', 'where everything is kept between starts', 'dataFolder'],
  [
    '--database <url>',
    'DATABASE_URL',
    'an existing PostgreSQL instead of the embedded one; or DATABASE_URL_FILE',
    'databaseUrl',
  ],
  ['--seed <file>', 'SLUICE_SEED', 'channels of your own beside the demo channel', 'seedFile'],
  [
    '--bin-file <file>',
    'EDGE_BIN_FILE',
    'details of cards by their first digits, in place of the built-in ones',
    'binFile',
  ],
  [
    '--lenient',
    'SLUICE_LENIENT',
    'turn every compatibility switch on: accept what clients send although the interface forbids it',
    'isLenient',
  ],
  ['--reset', 'SLUICE_RESET', 'delete the data in the folder first', 'reset'],
  ['--log-level <level>', 'SLUICE_LOG_LEVEL', LOG_LEVELS.join(', '), 'logLevel'],
  [
    '--throttle <number>',
    'SLUICE_THROTTLE_PER_SECOND',
    'payments and references per second of one token for one entity; 0 = no limit',
    'throttlePerSecond',
  ],
  [
    '--throttle-reads <number>',
    'SLUICE_THROTTLE_READS_PER_SECOND',
    'the same for GET: statuses and queries',
    'throttleReadsPerSecond',
  ],
  [
    '--connector-timeout <ms>',
    'SLUICE_CONNECTOR_TIMEOUT_MS',
    'how long one call to the acquirer may take',
    'connectorTimeoutMs',
  ],
  [
    '--send-window <ms>',
    'SLUICE_SEND_WINDOW_MS',
    'how long after it was recorded a call may still begin',
    'sendWindowMs',
  ],
  [
    '--max-in-flight <ms>',
    'SLUICE_MAX_IN_FLIGHT_MS',
    'how long a lost request may still arrive',
    'maxInFlightMs',
  ],
  [
    '--sweeper-lease <ms>',
    'SLUICE_SWEEPER_LEASE_MS',
    'when the sweeper takes over a request without an outcome',
    'sweeperLeaseMs',
  ],
  [
    '--inquire-after <ms,ms,…>',
    'SLUICE_INQUIRE_AFTER_MS',
    'when the acquirer is asked about an unknown outcome',
    'inquireAfterMs',
  ],
  [
    '--resolve-by <ms>',
    'SLUICE_RESOLVE_BY_MS',
    'when an outcome that stays unknown is reversed',
    'resolveByMs',
  ],
  [
    '--late-inquiry <ms>',
    'SLUICE_LATE_INQUIRY_MS',
    'how long after that it is asked once more',
    'lateInquiryMs',
  ],
  [
    '--sweep-interval <ms>',
    'SLUICE_SWEEP_INTERVAL_MS',
    'how often the sweeper looks for what is due',
    'sweepIntervalMs',
  ],
  [
    '--simulator-pending <ms>',
    'SLUICE_SIMULATOR_PENDING_MS',
    'when a forced pending is approved; the next inquiry finds it',
    'simulatorPendingMs',
  ],
  [
    '--simulator-page <ms>',
    'SLUICE_SIMULATOR_PAGE_MS',
    'how long a shopper has at a bank or provider; the next inquiry finds it',
    'simulatorPageMs',
  ],
  [
    '--sepa-gather <ms>',
    'SLUICE_SEPA_GATHER_MS',
    'files for a bank are made, so often, for channels that route to the connector sepa; the demo shop does not',
    'sepaGatherMs',
  ],
  [
    '--secrets <folder>',
    'PAYMENTS_SECRETS_FOLDER',
    'the folder with the secrets that merchant accounts name',
    'secretsFolder',
  ],
  [
    '--private-targets <host:port,…>',
    'PAYMENTS_PRIVATE_TARGETS',
    'where merchant accounts may lead although it is private, or has no TLS',
    'privateTargets',
  ],
].map(([flag = '', variable = '', description = '', property = '']) => ({
  flag,
  variable,
  description,
  property: property as keyof LocalSettings,
}));
