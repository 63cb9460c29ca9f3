import { databaseSettings, Variable } from '@sluice/service';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const CONNECTIONS = { least: 3, most: 50, default: 8 };

/** The settings of scheduling. */
export class SchedulingSettings extends databaseSettings('scheduling', CONNECTIONS) {
  /** The keys that wrap its own keys for personal data, see FileKeyProvider. */
  @Variable('SCHEDULING_KEY_FILE', {
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

  /** Commands that wait for one schedule; more are answered "busy" (D-08). */
  @Variable('SCHEDULING_STREAM_WAITING_MAX', {
    meaning: 'commands that wait for one schedule',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  readonly streamWaitingMax: number = 1_000;

  /** A run whose process has died is taken up so late; asked twice, it is the same payment. */
  @Variable('SCHEDULING_LEASE_MS', {
    meaning: 'how long a run belongs to the process that has begun it',
  })
  @IsInt()
  @Min(1)
  @Max(HOUR_MS)
  readonly leaseMs: number = 20 * SECOND_MS;

  /** How often the sweeper looks for what is due. */
  @Variable('SCHEDULING_SWEEP_INTERVAL_MS', {
    meaning:
      'how often the sweeper looks for what is due; at rest a fifth as often, and when the next is due',
  })
  @IsInt()
  @Min(10)
  @Max(MINUTE_MS)
  readonly sweepIntervalMs: number = SECOND_MS;

  /** As many as payments begins at once in one instance (`UNSENT_MAX` there): more would only wait. */
  @Variable('SCHEDULING_RUNS_MAX', {
    meaning: 'schedules that are dealt with at once',
  })
  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly runsMax: number = 64;
}
