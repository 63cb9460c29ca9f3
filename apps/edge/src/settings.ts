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
import { CREDENTIAL_KEY_BYTES } from '@sluice/contracts';
import { Variable } from '@sluice/service';
import { BUILD_NUMBER } from './build-number.js';
import { DUPLICATE_WAIT_MS } from './idempotency.js';

/** Test installations have a simulator and test modes; live ones have neither (D-41). */
export type GatewayEnvironment = 'test' | 'live';

const PORT_MAX = 65_535;
/** Beyond it a limit is no limit. */
const THROTTLE_MAX = 1_000_000;
const CLOSE_WAIT_MAX_MS = 60_000;

/** Base64 of 32 bytes has 44 characters. */
const KEY_TEXT = /^[A-Za-z0-9+/]{43}=$/;

/** What edge must be told. */
export class EdgeSettings {
  /** 0: any free port. */
  @Variable('EDGE_PORT')
  @IsInt()
  @Min(0)
  @Max(PORT_MAX)
  port = 8080;

  @Variable('EDGE_HOST')
  @IsString()
  @Length(1, 255)
  host = '127.0.0.1';

  @Variable('GATEWAY_ENVIRONMENT')
  @IsIn(['test', 'live'])
  gatewayEnvironment: GatewayEnvironment = 'test';

  /** The key of credential hashes, 32 bytes in base64; accounts has the same one (S-AUT-01). */
  @Variable('CREDENTIAL_KEY', { secret: true, parse: credentialKeyOf })
  @IsDefined()
  credentialKey!: Buffer;

  /** Requests per second of one access token for one entity; 0 switches throttling off (D-40). */
  @Variable('THROTTLE_PER_SECOND')
  @IsInt()
  @Min(0)
  @Max(THROTTLE_MAX)
  throttlePerSecond = 200;

  @Variable('THROTTLE_BURST')
  @IsInt()
  @Min(1)
  @Max(THROTTLE_MAX)
  throttleBurst = 400;

  /** `<40 hex>@yyyy-MM-dd HH:mm:ss +0000`; absent: computed from the compiled files. */
  @Variable('BUILD_NUMBER')
  @IsOptional()
  @Matches(BUILD_NUMBER)
  buildNumber?: string;

  /** How long a duplicate of a running request waits for its outcome (D-36). */
  @Variable('DUPLICATE_WAIT_MS')
  @IsInt()
  @Min(0)
  @Max(DUPLICATE_WAIT_MS)
  duplicateWaitMs = DUPLICATE_WAIT_MS;

  /** How long `close` waits for requests in hand before their connections are cut (D-20). */
  @Variable('EDGE_CLOSE_WAIT_MS')
  @IsInt()
  @Min(0)
  @Max(CLOSE_WAIT_MAX_MS)
  closeWaitMs = 30_000;
}

function credentialKeyOf(text: string): Buffer {
  if (!KEY_TEXT.test(text)) {
    throw new Error(`must be ${CREDENTIAL_KEY_BYTES} bytes in base64`);
  }
  return Buffer.from(text, 'base64');
}
