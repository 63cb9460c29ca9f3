import { base64Key, databaseSettings, type GatewayEnvironment, Variable } from '@sluice/service';
import { IsDefined, IsIn, IsOptional, IsString, Length } from 'class-validator';

const PATH_CHARACTERS_MAX = 4_096;

/** Edge and payments ask every two seconds, and seeding is rare. */
const CONNECTIONS = { least: 1, most: 20, default: 2 };

/** The settings of accounts. */
export class AccountsSettings extends databaseSettings('accounts', CONNECTIONS) {
  /** The key of credential hashes; edge has the same one (S-AUT-01). */
  @Variable('CREDENTIAL_KEY', {
    secret: true,
    parse: base64Key,
    meaning: 'key of credential hashes, 32 bytes in base64; the same as of edge',
  })
  @IsDefined()
  readonly credentialKey!: Buffer;

  @Variable('GATEWAY_ENVIRONMENT', { meaning: 'test or live' })
  @IsIn(['test', 'live'])
  readonly gatewayEnvironment: GatewayEnvironment = 'test';

  @Variable('ACCOUNTS_SEED_FILE', { meaning: 'channels to create or replace at start' })
  @IsOptional()
  @IsString()
  @Length(1, PATH_CHARACTERS_MAX)
  readonly seedFile?: string;

  /** Its token is published in the documentation, so it is for test installations only. */
  @Variable('ACCOUNTS_DEMO_CHANNEL', {
    meaning: 'whether there is the demo channel of the sandbox',
  })
  readonly demoChannel: boolean = false;
}
