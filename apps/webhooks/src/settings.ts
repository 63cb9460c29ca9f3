import { BIN_FILE_BYTES_MAX, type BinTable, parseBinTable } from '@sluice/answers';
import {
  databaseSettings,
  type GatewayEnvironment,
  privateTargetsOf,
  textOfNamedFile,
  Variable,
} from '@sluice/service';
import { type NotificationScheduleName, notificationSchedules } from '@sluice/domain-webhooks';
import {
  ArrayMaxSize,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateIf,
} from 'class-validator';
import {
  mailCredentialsOf,
  type MailCredentials,
  mailRelayOf,
  type MailRelay,
  mailSenderOf,
} from './mails/mail-relay.js';

/** Whoever has more private receivers than this says `all`. */
const PRIVATE_TARGETS_MAX = 100;
const MINUTE_MS = 60_000;

const CONNECTIONS = { least: 3, most: 50, default: 6 };

/** The settings of webhooks. */
export class WebhooksSettings extends databaseSettings('webhooks', CONNECTIONS) {
  /** The keys that wrap those of secrets, see FileKeyProvider. */
  @Variable('WEBHOOKS_KEY_FILE', {
    meaning: "the file with the keys that wrap those of receivers' secrets",
  })
  @IsOptional()
  @IsString()
  readonly keyFile?: string;

  @Variable('GATEWAY_ENVIRONMENT', {
    meaning: 'test or live; live: receivers are called by https alone',
  })
  @IsIn(['test', 'live'])
  readonly gatewayEnvironment: GatewayEnvironment = 'test';

  /** Whoever names a receiver gets nobody inside called by it (S-SSRF-02). */
  @Variable('WEBHOOKS_PRIVATE_TARGETS', {
    parse: (text) => (text === 'all' ? 'all' : privateTargetsOf(text)),
    meaning:
      'which receivers are called although they are private, have another port, or no TLS: ' +
      'host:port, with commas between; or all',
  })
  @ValidateIf(({ privateTargets }: WebhooksSettings) => privateTargets !== 'all')
  @ArrayMaxSize(PRIVATE_TARGETS_MAX)
  @IsString({ each: true })
  readonly privateTargets: readonly string[] | 'all' = [];

  /** What merchants know, or a denser one (R-WH-04). */
  @Variable('WEBHOOKS_RETRIES', {
    meaning:
      'when a notification is tried again: family (1, 2, 4, 8, 15, 30 min, 1 h, then daily) or ' +
      'dense (from 5 s on)',
  })
  @IsIn(Object.keys(notificationSchedules))
  readonly retries: NotificationScheduleName = 'family';

  /** All receivers together. */
  @Variable('WEBHOOKS_CALLS_MAX', { meaning: 'receivers that are called at once' })
  @IsInt()
  @Min(1)
  @Max(2_000)
  readonly callsMax: number = 256;

  /** A receiver that hangs takes no more of them than this. */
  @Variable('WEBHOOKS_CALLS_PER_RECEIVER_MAX', {
    meaning: 'calls of one receiver at once',
  })
  @IsInt()
  @Min(1)
  @Max(256)
  readonly callsPerReceiverMax: number = 16;

  /** How often it is looked whether anything is due that another process has noted. */
  @Variable('WEBHOOKS_LOOK_EVERY_MS', {
    meaning: 'how often it is looked whether a notification is due',
  })
  @IsInt()
  @Min(10)
  @Max(MINUTE_MS)
  readonly lookEveryMs: number = 500;

  /** Absent: nobody is mailed, and no address is taken. */
  @Variable('WEBHOOKS_MAIL_RELAY', {
    parse: mailRelayOf,
    meaning:
      'where mails about failing receivers go: smtp://host:port or smtps://host:port, or file:/// and a folder to look at them; absent: none are sent',
  })
  @IsOptional()
  readonly mailRelay?: MailRelay;

  @Variable('WEBHOOKS_MAIL_SENDER', {
    parse: mailSenderOf,
    meaning: 'the address that mails are from; set with WEBHOOKS_MAIL_RELAY',
  })
  @IsOptional()
  @IsString()
  readonly mailSender?: string;

  @Variable('WEBHOOKS_MAIL_CREDENTIALS', {
    ...{ secret: true, parse: mailCredentialsOf },
    meaning: 'user:password for the relay of mails, which is then spoken to by TLS alone',
  })
  @IsOptional()
  readonly mailCredentials?: MailCredentials;

  /** As edge has it, so that notifications say what answers say. */
  @Variable('WEBHOOKS_BIN_FILE', {
    parse: (path) => parseBinTable(textOfNamedFile(path, BIN_FILE_BYTES_MAX)),
    meaning: 'the file with details of cards by BIN that edge has, in place of the built-in ones',
  })
  @IsOptional()
  readonly binTable?: BinTable;

  /** As in answers. */
  @Variable('BUILD_NUMBER', { meaning: 'as notifications name it; absent: computed' })
  @IsOptional()
  @IsString()
  readonly buildNumber?: string;
}
