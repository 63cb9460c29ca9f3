import { urlList, Variable } from '@sluice/service';
import { ArrayMinSize, IsDefined } from 'class-validator';

/** The services that payments calls. */
export class PaymentsUpstreams {
  @Variable('VAULT_URLS', { parse: urlList, meaning: 'the instances of the vault, by number' })
  @IsDefined()
  @ArrayMinSize(1)
  readonly vaultUrls!: readonly string[];
}
