import { databaseSettings, privateTargetsOf, Variable } from '@sluice/service';
import { ArrayMaxSize, IsOptional, IsString, IsUrl } from 'class-validator';

const CONNECTIONS = { least: 4, most: 50, default: 7 };
/** More are no list that anybody reads. */
const PRIVATE_TARGETS_MAX = 100;

/** The settings of risk. */
export class RiskSettings extends databaseSettings('risk', CONNECTIONS) {
  /** The keys that wrap its own keys for personal data, see FileKeyProvider. */
  @Variable('RISK_KEY_FILE', {
    meaning: 'the file with the keys that wrap its keys for personal data',
  })
  @IsOptional()
  @IsString()
  readonly keyFile?: string;

  /** Read again when it is replaced. */
  @Variable('RISK_IP_COUNTRY_FILE', {
    meaning: 'a MaxMind DB with the countries of IP addresses; absent: no rule may look at them',
  })
  @IsOptional()
  @IsString()
  readonly ipCountryFile?: string;

  /** The same. */
  @Variable('RISK_PROXY_FILE', {
    meaning:
      'the addresses and ranges of proxies, one in each line; absent: no rule may look at them',
  })
  @IsOptional()
  @IsString()
  readonly proxyFile?: string;

  /** Who they are, and their secrets; which node uses which is said by its rules. */
  @Variable('RISK_SCORERS_FILE', {
    meaning: 'the file with the external scorers that rules may use; absent: none',
  })
  @IsOptional()
  @IsString()
  readonly scorersFile?: string;

  /** A file that names a scorer gets nobody else inside called by it (S-SSRF-02). */
  @Variable('RISK_PRIVATE_TARGETS', {
    parse: (text) => privateTargetsOf(text),
    meaning:
      'which scorers are called although they are private, have another port, or no TLS: host:port, with commas between',
  })
  @ArrayMaxSize(PRIVATE_TARGETS_MAX)
  @IsString({ each: true })
  readonly privateTargets: readonly string[] = [];

  /** In test installations. */
  @Variable('RISK_SIMULATOR_URL', {
    meaning: 'a simulator that plays the scorer called simulator, for payments that are not live',
  })
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  readonly simulatorUrl?: string;
}
