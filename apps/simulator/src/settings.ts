import { Variable } from '@sluice/service';
import { IsInt, IsOptional, IsString, IsUrl, Length, Max, Min } from 'class-validator';

const PORT_MAX = 65_535;
const PENDING_MAX_MS = 24 * 60 * 60 * 1_000;

/** What the simulator must be told. */
export class SimulatorSettings {
  @Variable('SIMULATOR_HOST', { meaning: 'the address it listens on' })
  @IsString()
  @Length(1, 255)
  readonly host: string = '127.0.0.1';

  /** 0: any free port. */
  @Variable('SIMULATOR_PORT', { meaning: 'its port; 0 = any free port' })
  @IsInt()
  @Min(0)
  @Max(PORT_MAX)
  readonly port: number = 0;

  /** A port of its own, because those who ask are identified there. Absent: no directory servers. */
  @Variable('SIMULATOR_DIRECTORY_PORT', {
    meaning: 'the port of its directory servers for 3-D Secure; absent: none, 0 = any free port',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(PORT_MAX)
  readonly directoryPort?: number;

  /** The file of its book; made when it is not there. One process at a time. */
  @Variable('SIMULATOR_BOOK', { meaning: 'the file of its book; made when it is not there' })
  @IsString()
  @Length(1, 4096)
  readonly bookFile!: string;

  /** How long a forced pending takes to become approved (D-48). */
  @Variable('SIMULATOR_PENDING_MS', { meaning: 'how long a forced pending takes' })
  @IsInt()
  @Min(0)
  @Max(PENDING_MAX_MS)
  readonly pendingMs: number = 60_000;

  /** As long as a checkout is valid (Interface 8). */
  @Variable('SIMULATOR_PAGE_MS', { meaning: 'how long a shopper has for one of its pages' })
  @IsInt()
  @Min(0)
  @Max(PENDING_MAX_MS)
  readonly pageMs: number = 30 * 60_000;

  /** Its keys as a wallet; without it, it plays none. */
  @Variable('SIMULATOR_WALLETS_FILE', { meaning: 'the file with the keys of its wallets' })
  @IsOptional()
  @IsString()
  @Length(1, 4096)
  readonly walletsFile?: string;

  /** Without it, they are where it listens. */
  @Variable('SIMULATOR_PAGES_URL', { meaning: "where browsers reach its shoppers' pages" })
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  readonly pagesUrl?: string;
}
