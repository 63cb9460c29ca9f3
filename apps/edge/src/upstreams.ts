import { urlList, Variable } from '@sluice/service';
import { ArrayMinSize, IsDefined, IsInt, Max, Min } from 'class-validator';

/** D-02: there are 32 reply partitions, one for each instance. */
const ORDINAL_MAX = 31;

/** The services that edge calls, and which of the edges this one is. */
export class EdgeUpstreams {
  /** Replies come on the partition of this number; no two edges may have the same (D-02). */
  @Variable('EDGE_ORDINAL', { meaning: 'the number of this instance, 0 to 31' })
  @IsInt()
  @Min(0)
  @Max(ORDINAL_MAX)
  readonly ordinal: number = 0;

  @Variable('VAULT_URLS', { parse: urlList, meaning: 'the instances of the vault, by number' })
  @IsDefined()
  @ArrayMinSize(1)
  readonly vaultUrls!: readonly string[];

  @Variable('ACCOUNTS_URLS', { parse: urlList, meaning: 'the instances of accounts' })
  @IsDefined()
  @ArrayMinSize(1)
  readonly accountsUrls!: readonly string[];

  @Variable('PAYMENTS_URLS', { parse: urlList, meaning: 'the instances of payments' })
  @IsDefined()
  @ArrayMinSize(1)
  readonly paymentsUrls!: readonly string[];

  @Variable('REPORTING_URLS', { parse: urlList, meaning: 'the instances of reporting' })
  @IsDefined()
  @ArrayMinSize(1)
  readonly reportingUrls!: readonly string[];
}
