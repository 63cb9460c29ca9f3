import { databaseSettings, Variable } from '@sluice/service';
import { IsOptional, IsString } from 'class-validator';

const CONNECTIONS = { least: 4, most: 50, default: 7 };

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
}
