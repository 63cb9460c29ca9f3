import { databaseSettings, Variable } from '@sluice/service';
import { IsInt, IsOptional, IsString, IsUrl, Length, Matches, Max, Min } from 'class-validator';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const PATH_LENGTH_MAX = 4_096;

const CONNECTIONS = { least: 3, most: 50, default: 6 };

/** The settings of checkouts. */
export class CheckoutsSettings extends databaseSettings('checkouts', CONNECTIONS) {
  /** The keys that wrap its own keys for personal data, see FileKeyProvider. */
  @Variable('CHECKOUTS_KEY_FILE', {
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

  /** What shows the buttons of Apple Pay and Google Pay, and asks Apple (docs/how-to/take-wallets.md). */
  @Variable('CHECKOUTS_WALLETS_FILE', {
    meaning: 'the file with who takes Apple Pay and Google Pay on pages; absent: nobody does',
  })
  @IsOptional()
  @IsString()
  @Length(1, PATH_LENGTH_MAX)
  readonly walletsFile?: string;

  /** Its wallets take the place of the providers' own in everything but live payments. */
  @Variable('CHECKOUTS_WALLET_SIMULATOR_URL', {
    meaning: 'a simulator that plays the wallets on pages, in test installations',
  })
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  readonly walletSimulatorUrl?: string;

  /** Without it, browsers reach it where this service does. */
  @Variable('CHECKOUTS_WALLET_PAGES_URL', {
    meaning: "where browsers reach that simulator: an address, or a path below the gateway's own",
  })
  @IsOptional()
  @Matches(/^(?:https?:\/\/[^\s?#]+|\/[\w/-]*)$/)
  readonly walletPagesUrl?: string;

  /** Commands that wait for one checkout; more are answered "busy" (D-08). */
  @Variable('CHECKOUTS_STREAM_WAITING_MAX', { meaning: 'commands that wait for one checkout' })
  @IsInt()
  @Min(1)
  @Max(10_000)
  readonly streamWaitingMax: number = 1_000;

  /** How long an attempt is edge's, who asks for it, before recovery looks what became of it. */
  @Variable('CHECKOUTS_LEASE_MS', {
    meaning: 'how long after an attempt recovery looks what became of it',
  })
  @IsInt()
  @Min(1)
  @Max(HOUR_MS)
  readonly leaseMs: number = 20 * SECOND_MS;

  /** How often the sweeper looks for what is due. */
  @Variable('CHECKOUTS_SWEEP_INTERVAL_MS', {
    meaning:
      'how often the sweeper looks for what is due; at rest a fifth as often, and when the next is due',
  })
  @IsInt()
  @Min(10)
  @Max(MINUTE_MS)
  readonly sweepIntervalMs: number = SECOND_MS;

  /** Checkouts that are dealt with at once. */
  @Variable('CHECKOUTS_SWEEP_CONCURRENCY_MAX', {
    meaning: 'checkouts that are dealt with at once',
  })
  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly sweepConcurrencyMax: number = 32;
}
