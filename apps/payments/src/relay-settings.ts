import { Variable, databaseAddress } from '@sluice/service';
import { IsString, Matches } from 'class-validator';

/** What the relay must be told; the same variables as payments, whose outbox it empties. */
export class RelaySettings {
  /** As the app role. */
  @Variable('PAYMENTS_DATABASE_URL', {
    secret: true,
    parse: databaseAddress,
    meaning: 'the database of payments',
  })
  @IsString()
  readonly databaseUrl!: string;

  @Variable('PAYMENTS_SCHEMA', { meaning: 'the schema with its tables' })
  @Matches(/^[a-z_][a-z0-9_]{0,62}$/)
  readonly schema: string = 'payments';
}
