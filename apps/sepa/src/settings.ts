import { databaseSettings, Variable } from '@sluice/service';
import { IsDefined, IsInt, IsOptional, IsString, Length, Matches, Max, Min } from 'class-validator';

const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;
const PATH_CHARACTERS_MAX = 4_096;
/** No bank wants an ordinary collection earlier. */
const LEAD_DAYS_MAX = 14;
const CONNECTIONS = { least: 2, most: 20, default: 4 };

/** The settings of the files for a bank. */
export class SepaSettings extends databaseSettings('sepa', CONNECTIONS) {
  /** Files have accounts in clear: nobody but this service and whoever brings them may read here. */
  @Variable('SEPA_FOLDER', {
    meaning: 'the folder with outgoing and incoming files; made if it is not there',
  })
  @IsDefined()
  @IsString()
  @Length(1, PATH_CHARACTERS_MAX)
  readonly folder!: string;

  @Variable('SEPA_CREDITORS_FILE', {
    meaning: 'the file with the creditors: names, accounts and creditor identifiers',
  })
  @IsOptional()
  @IsString()
  @Length(1, PATH_CHARACTERS_MAX)
  readonly creditorsFile?: string;

  /** Its account is an example of a bank: for test installations only. */
  @Variable('SEPA_DEMO_CREDITOR', {
    meaning: 'whether there is the creditor "demo", whose account is nobody\'s',
  })
  readonly demoCreditor: boolean = false;

  @Variable('SEPA_CUT_OFF', {
    meaning: 'when the files of a day are made, as HH:MM in UTC',
  })
  @Matches(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/)
  readonly cutOff: string = '14:00';

  @Variable('SEPA_GATHER_EVERY_MS', {
    meaning: 'for tests: files are made so often, in place of once a day',
  })
  @IsOptional()
  @IsInt()
  @Min(10)
  @Max(DAY_MS)
  readonly gatherEveryMs?: number;

  @Variable('SEPA_DEBIT_LEAD_DAYS', {
    meaning: 'how many days on which banks work the bank wants a file before its collections',
  })
  @IsInt()
  @Min(1)
  @Max(LEAD_DAYS_MAX)
  readonly debitLeadDays: number = 2;

  @Variable('SEPA_LOOK_EVERY_MS', {
    meaning: 'how often it looks for files of the bank and for what is left to do',
  })
  @IsInt()
  @Min(10)
  @Max(60 * SECOND_MS)
  readonly lookEveryMs: number = 10 * SECOND_MS;
}
