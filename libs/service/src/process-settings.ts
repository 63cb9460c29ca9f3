import { createRequire } from 'node:module';
import { IsIn, IsInt, IsString, Length, Max, Min } from 'class-validator';
import { LOG_LEVELS, type LogLevel } from './logger.js';
import { Variable } from './settings.js';

const PORT_MAX = 65_535;
const GRACE_MAX_MS = 60_000;
const STOP_WITHIN_MAX_MS = 300_000;

const VERSION_CHARACTERS_MAX = 100;
/** All projects of a release have one version. */
const { version: OWN_VERSION } = createRequire(import.meta.url)('../package.json') as {
  readonly version: string;
};

/** Test installations have a simulator and test modes; live ones have neither (D-41). */
export type GatewayEnvironment = 'test' | 'live';

/** What every process of the cluster can be told. */
export class ProcessSettings {
  /** Here for what a live installation must never do without: mutual TLS (D-45). */
  @Variable('GATEWAY_ENVIRONMENT', { meaning: 'test or live' })
  @IsIn(['test', 'live'])
  readonly gatewayEnvironment: GatewayEnvironment = 'test';

  @Variable('LOG_LEVEL', { meaning: LOG_LEVELS.join(', ') })
  @IsIn(LOG_LEVELS)
  readonly logLevel: LogLevel = 'info';

  @Variable('SLUICE_VERSION', { meaning: 'which build this is, as sluice_build_info shows it' })
  @IsString()
  @Length(1, VERSION_CHARACTERS_MAX)
  readonly version: string = OWN_VERSION;

  @Variable('MANAGEMENT_HOST', {
    meaning: 'the address of /livez, /readyz, /startupz and /metrics',
  })
  @IsString()
  @Length(1, 255)
  readonly managementHost: string = '127.0.0.1';

  @Variable('MANAGEMENT_PORT', { meaning: 'their port; 0 = any free port' })
  @IsInt()
  @Min(0)
  @Max(PORT_MAX)
  readonly managementPort: number = 0;

  /**
   * D-57: whoever sends requests here needs a moment to learn that it should not. On one machine
   * there is nobody in between, so the default is none.
   */
  @Variable('STOP_GRACE_MS', { meaning: 'how long it still serves, unready, when told to stop' })
  @IsInt()
  @Min(0)
  @Max(GRACE_MAX_MS)
  readonly stopGraceMs: number = 0;

  /** Edge's longest request lasts 30 s (D-36), a call to an acquirer 20 s (D-57). */
  @Variable('STOP_WITHIN_MS', { meaning: 'how long finishing may take then, before it is cut off' })
  @IsInt()
  @Min(1)
  @Max(STOP_WITHIN_MAX_MS)
  readonly stopWithinMs: number = 35_000;
}
