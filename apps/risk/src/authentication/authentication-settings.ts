import { Variable } from '@sluice/service';
import { IsInt, IsOptional, IsString, IsUrl, Length, Max, Min } from 'class-validator';

const PORT_MAX = 65_535;
const PATH_LENGTH_MAX = 4_096;
const anyAddress = {
  ...{ require_tld: false, require_protocol: true, protocols: ['http', 'https'] },
};

/** The settings of 3-D Secure (Interface 2.17). */
export class AuthenticationServerSettings {
  @Variable('RISK_TEST_DIRECTORY_URL', {
    meaning:
      'the simulator of card networks for payments in test mode; absent: no shopper is authenticated in test mode',
  })
  @IsOptional()
  @IsUrl(anyAddress)
  readonly testDirectoryUrl?: string;

  @Variable('RISK_DIRECTORY_SERVERS_FILE', {
    meaning:
      'the file with the directory servers of card networks and our certificates for them; absent: no shopper is authenticated in live mode',
  })
  @IsOptional()
  @IsString()
  @Length(1, PATH_LENGTH_MAX)
  readonly directoryServersFile?: string;

  @Variable('RISK_RESULTS_HOST', {
    meaning: 'the address it listens on for results of authentications',
  })
  @IsString()
  @Length(1, 255)
  readonly resultsHost: string = '127.0.0.1';

  /** A port of its own, because those who tell results are identified there. */
  @Variable('RISK_RESULTS_PORT', {
    meaning:
      'the port for results of authentications, which directory servers reach; absent: no shopper is authenticated, 0 = any free port',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(PORT_MAX)
  readonly resultsPort?: number;

  /** Without it, they are where it listens. */
  @Variable('RISK_RESULTS_URL', {
    meaning: 'where directory servers reach that port: the address with its path, /3ds/results',
  })
  @IsOptional()
  @IsUrl(anyAddress)
  readonly resultsUrl?: string;

  /** Directory servers know other authorities than services among each other do. */
  @Variable('RISK_RESULTS_CERTIFICATE_FILE', {
    meaning:
      'our certificate for those who tell results; this and the next two together, or that of calls between services',
  })
  @IsOptional()
  @IsString()
  @Length(1, PATH_LENGTH_MAX)
  readonly resultsCertificateFile?: string;

  @Variable('RISK_RESULTS_KEY_FILE', { meaning: 'its key' })
  @IsOptional()
  @IsString()
  @Length(1, PATH_LENGTH_MAX)
  readonly resultsKeyFile?: string;

  @Variable('RISK_RESULTS_AUTHORITY_FILE', {
    meaning: 'the authorities of directory servers: nobody else is read',
  })
  @IsOptional()
  @IsString()
  @Length(1, PATH_LENGTH_MAX)
  readonly resultsAuthorityFile?: string;
}
