import type { BinTable } from '@sluice/answers';
import {
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  Length,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { BODY_BYTES_MAX } from '@sluice/parameters';
import { base64Key, BUILD_NUMBER, type GatewayEnvironment, Variable } from '@sluice/service';
import { readBinFile } from './bin-file.js';
import { trustedProxies, type TrustedProxies } from './client-address.js';
import { DUPLICATE_WAIT_MS } from './idempotency.js';
import { CONNECTIONS_MAX } from './listener.js';

const PORT_MAX = 65_535;
/** Node's whole memory is rarely more. */
const BODY_BUDGET_MAX_BYTES = 4 * 1024 ** 3;
/** Beyond this a limit has no effect. */
const THROTTLE_MAX = 1_000_000;
const CLOSE_WAIT_MAX_MS = 60_000;

/** The settings of edge. */
export class EdgeSettings {
  /** 0: any free port. */
  @Variable('EDGE_PORT', { meaning: 'where merchants reach it; 0 = any free port' })
  @IsInt()
  @Min(0)
  @Max(PORT_MAX)
  readonly port: number = 8080;

  @Variable('EDGE_HOST', { meaning: 'the address it listens on' })
  @IsString()
  @Length(1, 255)
  readonly host: string = '127.0.0.1';

  @Variable('GATEWAY_ENVIRONMENT', { meaning: 'test or live' })
  @IsIn(['test', 'live'])
  readonly gatewayEnvironment: GatewayEnvironment = 'test';

  /** The key of credential hashes, 32 bytes in base64; accounts has the same one (S-AUT-01). */
  @Variable('CREDENTIAL_KEY', {
    secret: true,
    parse: base64Key,
    meaning: 'key of credential hashes, 32 bytes in base64; the same as of accounts',
  })
  @IsDefined()
  readonly credentialKey!: Buffer;

  /** The keys that wrap those of sealed commands, see FileKeyProvider (page 0035). */
  @Variable('COMMAND_KEY_FILE', {
    meaning: 'the file with the keys that seal personal data in commands; the same as of payments',
  })
  @IsOptional()
  @IsString()
  readonly commandKeyFile?: string;

  /** Payments per second of one access token for one entity; 0 switches throttling off (D-40). */
  @Variable('THROTTLE_PER_SECOND', {
    meaning: 'payments and references per second of one token for one entity; 0 = no limit',
  })
  @IsInt()
  @Min(0)
  @Max(THROTTLE_MAX)
  readonly throttlePerSecond: number = 200;

  @Variable('THROTTLE_BURST', { meaning: 'how many of them at once' })
  @IsInt()
  @Min(1)
  @Max(THROTTLE_MAX)
  readonly throttleBurst: number = 400;

  /** Reads have their own limit, so that a merchant's reconciliation cannot stop its payments. */
  @Variable('THROTTLE_READS_PER_SECOND', {
    meaning: 'the same for GET: statuses and queries; 0 = no limit',
  })
  @IsInt()
  @Min(0)
  @Max(THROTTLE_MAX)
  readonly throttleReadsPerSecond: number = 200;

  @Variable('THROTTLE_READS_BURST', { meaning: 'how many of them at once' })
  @IsInt()
  @Min(1)
  @Max(THROTTLE_MAX)
  readonly throttleReadsBurst: number = 400;

  /** What clients are told that they may do (wire contract 1); polling more often learns nothing. */
  @Variable('EDGE_CHECKOUT_READS_PER_MINUTE', {
    meaning: "how often a minute one checkout's status is read, at each instance; 0 = no limit",
  })
  @IsInt()
  @Min(0)
  @Max(THROTTLE_MAX)
  readonly checkoutReadsPerMinute: number = 2;

  /** Behind the digits of a checkout's id; says to people which installation it is of. A version follows. */
  @Variable('EDGE_CHECKOUT_LABEL', {
    meaning: "what is behind the digits of a checkout's id: 1 to 6 of a-z, 0-9 and hyphens",
  })
  @Matches(/^[a-z0-9-]{1,6}$/)
  readonly checkoutLabel: string = 'sluice';

  /**
   * Ordinary requests have 1 to 2 kB, the largest 1 MiB, and each takes some three times its bytes
   * while it is handled: this much fits beside everything else into the 320 MiB of a pod.
   */
  @Variable('EDGE_BODY_BYTES', {
    meaning: 'bytes of request bodies in memory at once; more are answered with 503',
  })
  @IsInt()
  @Min(BODY_BYTES_MAX)
  @Max(BODY_BUDGET_MAX_BYTES)
  readonly bodyBytesMax: number = 32 * BODY_BYTES_MAX;

  /** Anybody can fill it, so it is small; the slowest bodies are given up for others. */
  @Variable('EDGE_UNIDENTIFIED_BODY_BYTES', {
    meaning: 'the same of requests without a header or query that says who asks',
  })
  @IsInt()
  @Min(BODY_BYTES_MAX)
  @Max(BODY_BUDGET_MAX_BYTES)
  readonly unidentifiedBodyBytesMax: number = 8 * BODY_BYTES_MAX;

  /** A tenth of all connections: a shop keeps a few dozen, and no address can take them all. */
  @Variable('EDGE_CONNECTIONS_PER_ADDRESS', {
    meaning: 'connections of one address that is no trusted proxy; 0 = no limit',
  })
  @IsInt()
  @Min(0)
  @Max(CONNECTIONS_MAX)
  readonly connectionsPerAddress: number = CONNECTIONS_MAX / 10;

  /**
   * A shop with a wrong token fails once per shopper; somebody who guesses tokens needs thousands
   * of attempts.
   */
  @Variable('EDGE_REFUSALS_PER_SECOND', {
    meaning:
      'refusals for want of access of one address, before it is not listened to; 0 = no limit',
  })
  @IsInt()
  @Min(0)
  @Max(THROTTLE_MAX)
  readonly refusalsPerSecond: number = 20;

  /**
   * No proxy is trusted by default: a client that may invent its address has as many as it likes.
   */
  @Variable('EDGE_TRUSTED_PROXIES', {
    parse: trustedProxies,
    meaning: 'addresses or networks, with commas, whose X-Forwarded-For names the client',
  })
  @IsOptional()
  readonly trustedProxies?: TrustedProxies;

  /** Needed where merchants reach edge at an address that browsers cannot reach. */
  @Variable('EDGE_PUBLIC_URL', {
    meaning: "where shoppers' browsers reach it; absent: where the request came to",
  })
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  readonly publicUrl?: string;

  /** `<40 hex>@yyyy-MM-dd HH:mm:ss +0000`; absent: computed from the compiled files. */
  @Variable('BUILD_NUMBER', { meaning: 'as answers name it; absent: computed' })
  @IsOptional()
  @Matches(BUILD_NUMBER)
  readonly buildNumber?: string;

  /** Details of cards by their first digits, in place of the built-in ones; read once. */
  @Variable('EDGE_BIN_FILE', {
    parse: readBinFile,
    meaning: 'a JSON file with details of cards by BIN, in place of the built-in ones',
  })
  @IsOptional()
  readonly binTable?: BinTable;

  /** How long a duplicate of a running request waits for its outcome (D-36). */
  @Variable('DUPLICATE_WAIT_MS', {
    meaning: 'how long a duplicate of a running request waits for its outcome',
  })
  @IsInt()
  @Min(0)
  @Max(DUPLICATE_WAIT_MS)
  readonly duplicateWaitMs: number = DUPLICATE_WAIT_MS;

  /**
   * Only for callers of the same organization: whoever begins a trace decides whether it is
   * recorded, and that has a cost.
   */
  @Variable('EDGE_TRUSTS_TRACEPARENT', {
    meaning: "true: a request's own traceparent goes on; false: it is linked to",
  })
  readonly trustsTraceparent: boolean = false;

  /** All compatibility switches where no node of the account tree says otherwise (D-67). */
  @Variable('EDGE_LENIENT', {
    meaning: 'true: every compatibility switch is on unless a channel says no; for tests alone',
  })
  readonly isLenient: boolean = false;

  /** How long `close` waits for requests in progress before their connections are cut (D-20). */
  @Variable('EDGE_CLOSE_WAIT_MS', {
    meaning: 'how long requests in hand may take when it stops',
  })
  @IsInt()
  @Min(0)
  @Max(CLOSE_WAIT_MAX_MS)
  readonly closeWaitMs: number = 30_000;
}
