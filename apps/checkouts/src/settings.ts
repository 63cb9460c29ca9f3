import { databaseSettings, Variable } from '@sluice/service';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

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

  /** Commands that wait for one checkout; more are answered "busy" (D-08). */
  @Variable('CHECKOUTS_STREAM_WAITING_MAX', { meaning: 'commands that wait for one checkout' })
  @IsInt()
  @Min(1)
  @Max(10_000)
  readonly streamWaitingMax: number = 1_000;
}
