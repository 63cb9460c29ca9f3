import { urlList, Variable } from '@sluice/service';
import { ArrayMinSize, IsDefined } from 'class-validator';

/** The services that reporting calls. */
export class ReportingUpstreams {
  @Variable('PAYMENTS_URLS', { parse: urlList, meaning: 'the instances of payments' })
  @IsDefined()
  @ArrayMinSize(1)
  readonly paymentsUrls!: readonly string[];
}
