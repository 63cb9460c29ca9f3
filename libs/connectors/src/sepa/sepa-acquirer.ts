import { Variable } from '@sluice/service';
import { IsOptional, Matches } from 'class-validator';
import type { Acquirer } from '../acquirer.js';
import { SepaConnector } from './sepa-connector.js';

/** Whose account the money of direct debits comes to, where no merchant account says otherwise. */
export class SepaCreditor {
  @Variable('PAYMENTS_SEPA_CREDITOR', {
    meaning: 'direct debits go into files for a bank; the name that sepa knows the creditor by',
  })
  @IsOptional()
  @Matches(/^[a-z0-9-]{1,32}$/)
  readonly creditor?: string;
}

/** A bank that takes files. Merchant accounts name it as the installation's own, and their creditor. */
export const sepa: Acquirer<SepaCreditor> = {
  name: 'sepa',
  settings: SepaCreditor,
  connect: ({ creditor }, { maxInFlightMs }, ports) =>
    creditor === undefined || ports === undefined
      ? undefined
      : new SepaConnector({ creditor, ports, maxInFlightMs }),
};
