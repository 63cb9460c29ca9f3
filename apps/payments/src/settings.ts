import { CELLS_MAX, FIRST_CELL } from '@sluice/contracts';
import { databaseSettings, privateTargetsOf, Variable } from '@sluice/service';
import { ArrayMaxSize, ArrayMinSize, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_DAYS = [1, 2, 3, 4, 5, 6, 7];

/** A list of whole milliseconds. */
const MILLISECONDS_LIST = /^[0-9]{1,12}(?:,[0-9]{1,12}){0,49}$/;
const INSTANTS_MAX = 50;

/** As many as nodes have merchant accounts. */
const PRIVATE_TARGETS_MAX = 100;

const CONNECTIONS = { least: 3, most: 50, default: 8 };

/** The settings of payments. */
export class PaymentsSettings extends databaseSettings('payments', CONNECTIONS) {
  /** It takes the commands of this cell, and its database must be this cell's (page 0047). */
  @Variable('PAYMENTS_CELL', { meaning: 'which cell of payments this is, from 1' })
  @IsInt()
  @Min(FIRST_CELL)
  @Max(CELLS_MAX)
  readonly cell: number = FIRST_CELL;

  /** The keys that wrap payments' own keys for personal data, see FileKeyProvider. */
  @Variable('PAYMENTS_KEY_FILE', {
    meaning: 'the file with the keys that wrap its keys for personal data',
  })
  @IsOptional()
  @IsString()
  readonly keyFile?: string;

  /** The keys that open sealed commands (page 0035). */
  @Variable('COMMAND_KEY_FILE', {
    meaning: 'the file with the keys that open personal data in commands; the same as of edge',
  })
  @IsOptional()
  @IsString()
  readonly commandKeyFile?: string;

  /** Files by the names that merchant accounts have for secrets: `secret:a/key` is `a/key` there. */
  @Variable('PAYMENTS_SECRETS_FOLDER', {
    meaning: 'where the secrets are mounted that merchant accounts name',
  })
  @IsOptional()
  @IsString()
  readonly secretsFolder?: string;

  /** Whoever says the address of a merchant account gets nobody inside called by it (S-SSRF-02). */
  @Variable('PAYMENTS_PRIVATE_TARGETS', {
    parse: privateTargetsOf,
    meaning:
      'which hosts merchant accounts may lead to although they are private, have another port, or no ' +
      'TLS: host:port, with commas between',
  })
  @ArrayMaxSize(PRIVATE_TARGETS_MAX)
  @IsString({ each: true })
  readonly privateTargets: readonly string[] = [];

  /** How long one call to an acquirer may take (D-03). */
  @Variable('PAYMENTS_CALL_TIMEOUT_MS', { meaning: 'how long one call to an acquirer may take' })
  @IsInt()
  @Min(1)
  @Max(MINUTE_MS)
  readonly callTimeoutMs: number = 20 * SECOND_MS;

  /** The longest a request may be under way and still be booked. */
  @Variable('PAYMENTS_MAX_IN_FLIGHT_MS', { meaning: 'how long a lost call may still be booked' })
  @IsInt()
  @Min(0)
  @Max(HOUR_MS)
  readonly maxInFlightMs: number = 30 * SECOND_MS;

  /** Calls under way per connector; more are not performed, `800.120.100` (D-12). */
  @Variable('PAYMENTS_CALLS_MAX', { meaning: 'calls under way per connector' })
  @IsInt()
  @Min(1)
  @Max(100_000)
  readonly callsMax: number = 1_024;

  /** Commands that wait for one payment; more are answered "busy" (D-08). */
  @Variable('PAYMENTS_STREAM_WAITING_MAX', { meaning: 'commands that wait for one payment' })
  @IsInt()
  @Min(1)
  @Max(10_000)
  readonly streamWaitingMax: number = 1_000;

  /** How long after its request event a call may still begin (D-25). */
  @Variable('PAYMENTS_SEND_WINDOW_MS', {
    meaning: 'how long after it was recorded a call may still begin',
  })
  @IsInt()
  @Min(1)
  @Max(MINUTE_MS)
  readonly sendWindowMs: number = 2 * SECOND_MS;

  /** How long a request belongs to the process that recorded it (D-03). */
  @Variable('PAYMENTS_LEASE_MS', {
    meaning: 'how long a request belongs to the process that recorded it',
  })
  @IsInt()
  @Min(1)
  @Max(HOUR_MS)
  readonly leaseMs: number = MINUTE_MS;

  /** When to inquire, after an outcome became unknown or pending (D-24 to D-28). */
  @Variable('PAYMENTS_INQUIRE_AFTER_MS', {
    parse: milliseconds,
    meaning: 'when the acquirer is asked about an unknown outcome',
  })
  @ArrayMinSize(1)
  @ArrayMaxSize(INSTANTS_MAX)
  @IsInt({ each: true })
  readonly inquireAfterMs: readonly number[] = [
    5 * SECOND_MS,
    30 * SECOND_MS,
    MINUTE_MS,
    2 * MINUTE_MS,
    10 * MINUTE_MS,
    HOUR_MS,
    ...WEEK_DAYS.map((day) => day * DAY_MS),
  ];

  /** When to reverse what nobody can confirm (D-27). */
  @Variable('PAYMENTS_RESOLVE_BY_MS', { meaning: 'when an outcome that stays unknown is reversed' })
  @IsInt()
  @Min(1)
  @Max(DAY_MS)
  readonly resolveByMs: number = 15 * MINUTE_MS;

  /** When to ask once more after an end (D-27). */
  @Variable('PAYMENTS_LATE_INQUIRY_AFTER_MS', {
    meaning: 'how long after that it is asked once more',
  })
  @IsInt()
  @Min(1)
  @Max(DAY_MS)
  readonly lateInquiryAfterMs: number = HOUR_MS;

  /** How often the sweeper looks for what is due. */
  @Variable('PAYMENTS_SWEEP_INTERVAL_MS', {
    meaning:
      'how often the sweeper looks for what is due; at rest a fifth as often, and when the next is due',
  })
  @IsInt()
  @Min(10)
  @Max(MINUTE_MS)
  readonly sweepIntervalMs: number = SECOND_MS;

  /** Payments recovered at once. */
  @Variable('PAYMENTS_SWEEP_CONCURRENCY_MAX', { meaning: 'payments recovered at once' })
  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly sweepConcurrencyMax: number = 32;
}

function milliseconds(text: string): number[] {
  if (!MILLISECONDS_LIST.test(text)) throw new Error('must be whole numbers with commas between');
  const list = text.split(',').map(Number);
  if (list.some((value, index) => value <= (list[index - 1] ?? 0))) {
    throw new Error('must be ascending');
  }
  return list;
}
