import { base64Key, databaseSettings, Variable } from '@sluice/service';
import { IsDefined, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';

const MINUTE_MS = 60_000;
/**
 * Together with the half minute between sweeps, a security code is gone within 30 minutes (D-42).
 */
const CARD_LIFETIME_MAX_MS = 29 * MINUTE_MS;
/** A payment that lasts longer should survive its vault instance. */
const CARD_WRITE_AFTER_MAX_MS = 1_000;
const SLICE_MAX_MS = 24 * 60 * MINUTE_MS;
/** S-KEY-02: beyond that, random 96-bit nonces may collide. */
const GCM_USES_MAX = 2 ** 32;

const CONNECTIONS = { least: 1, most: 20, default: 4 };

/** What the vault must be told. */
export class VaultSettings extends databaseSettings('vault', CONNECTIONS) {
  /** The wrapping keys, see FileKeyProvider. */
  @Variable('VAULT_KEY_FILE', { meaning: 'the file with its wrapping keys' })
  @IsOptional()
  @IsString()
  readonly keyFile?: string;

  /** The key of card fingerprints, 32 bytes in base64; none of the wrapping keys (S-PCI-06). */
  @Variable('VAULT_FINGERPRINT_KEY', {
    secret: true,
    parse: base64Key,
    meaning: 'key of card fingerprints, 32 bytes in base64',
  })
  @IsDefined()
  readonly fingerprintKey!: Buffer;

  /** The keys of the wallets whose tokens are opened; without it, none is. */
  @Variable('VAULT_WALLETS_FILE', { meaning: 'the file with the keys that open tokens of wallets' })
  @IsOptional()
  @IsString()
  readonly walletsFile?: string;

  /**
   * The name of this instance, which references begin with (D-42); callers find it by the number at
   * its end.
   */
  @Variable('VAULT_INSTANCE', { meaning: 'the name of this instance, with its number at the end' })
  @Matches(/^[a-z0-9-]{1,20}-[0-9]{1,3}$/)
  readonly instance: string = 'vault-0';

  /** How long a card is held at most. */
  @Variable('VAULT_CARD_LIFETIME_MS', { meaning: 'how long a card is held at most' })
  @IsInt()
  @Min(1_000)
  @Max(CARD_LIFETIME_MAX_MS)
  readonly cardLifetimeMs: number = CARD_LIFETIME_MAX_MS;

  /** How long a card may be in memory alone before its row is written; 0: written at once. */
  @Variable('VAULT_CARD_WRITE_AFTER_MS', {
    meaning: 'how long a card may be in memory alone',
  })
  @IsInt()
  @Min(0)
  @Max(CARD_WRITE_AFTER_MAX_MS)
  readonly cardWriteAfterMs: number = 50;

  /** How long one data key encrypts. */
  @Variable('VAULT_DATA_KEY_SLICE_MS', { meaning: 'how long one data key encrypts' })
  @IsInt()
  @Min(1_000)
  @Max(SLICE_MAX_MS)
  readonly dataKeySliceMs: number = 60 * MINUTE_MS;

  /** How many cards one data key encrypts. */
  @Variable('VAULT_DATA_KEY_USES_MAX', { meaning: 'how many cards one data key encrypts' })
  @IsInt()
  @Min(1)
  @Max(GCM_USES_MAX)
  readonly dataKeyUsesMax: number = 1_000_000;
}
