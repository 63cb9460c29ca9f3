import { base64Key, databaseAddress, type GatewayEnvironment, Variable } from '@sluice/service';
import {
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
} from 'class-validator';

const CONNECTIONS_MAX = 20;
const PATH_CHARACTERS_MAX = 4_096;

/** What accounts must be told. */
export class AccountsSettings {
  /** As the app role: reads, and seeds. */
  @Variable('ACCOUNTS_DATABASE_URL', {
    secret: true,
    parse: databaseAddress,
    meaning: 'its database, as the app role',
  })
  @IsString()
  readonly databaseUrl!: string;

  /** As the owner role; absent where migrations run apart. */
  @Variable('ACCOUNTS_OWNER_DATABASE_URL', {
    secret: true,
    parse: databaseAddress,
    meaning: 'the same as the owner role: it migrates at start',
  })
  @IsOptional()
  @IsString()
  readonly ownerDatabaseUrl?: string;

  @Variable('ACCOUNTS_SCHEMA', { meaning: 'the schema with its tables' })
  @Matches(/^[a-z_][a-z0-9_]{0,62}$/)
  readonly schema: string = 'accounts';

  /** Edges ask every two seconds, and seeding is rare. */
  @Variable('ACCOUNTS_CONNECTIONS_MAX', { meaning: 'connections to its database' })
  @IsInt()
  @Min(1)
  @Max(CONNECTIONS_MAX)
  readonly connectionsMax: number = 2;

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

  /** Its token is printed in the documentation: for test installations alone. */
  @Variable('ACCOUNTS_DEMO_CHANNEL', {
    meaning: 'whether there is the demo channel of the sandbox',
  })
  readonly demoChannel: boolean = false;
}
