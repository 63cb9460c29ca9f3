import { codes, type ResultCode } from '@sluice/result-codes';
import { adviceFor } from './advice-table.js';

/** A decline after which another acquirer may be asked at once. */
export interface RetriedDecline {
  readonly resultCode: ResultCode;
  /** Why another acquirer may answer differently. */
  readonly because: string;
}

/**
 * The declines that the gateway may take to another route, if the issuer advises that as well. All others
 * end a payment: whatever speaks of the card, its holder or his money (lost, stolen, wrong number, wrong
 * security code, not authenticated, no funds) is the same at every acquirer, and whatever speaks of the
 * acquirer's own state leaves a doubt what it has done.
 */
export const retriedDeclines: readonly RetriedDecline[] = [
  { resultCode: codes.declinedByAuthorizationSystem, because: 'no reason is given but the advice' },
  { resultCode: '800.100.164', because: 'the merchant has a limit at this acquirer' },
  { resultCode: '800.100.169', because: 'this acquirer does not process the type of card' },
  { resultCode: '800.100.173', because: 'this acquirer does not process the currency' },
  { resultCode: '800.100.175', because: 'this acquirer does not process the brand' },
  { resultCode: '800.100.190', because: 'the merchant is not set up for this at this acquirer' },
];

const retriedCodes: ReadonlySet<string> = new Set(
  retriedDeclines.map(({ resultCode }) => resultCode),
);

/** What an acquirer said of a card. */
export interface SaidOfCard {
  readonly brand: string | undefined;
  readonly resultCode: string;
  /** `resultDetails.MerchantAdviceCode`, as the acquirer sent it. */
  readonly adviceCode: string | undefined;
}

/**
 * Whether a decline may be taken to another route: its code is in the table, and the advice is to try
 * another route. Without an advice nothing is retried (B12).
 */
export function mayTakeOtherRoute({ brand, resultCode, adviceCode }: SaidOfCard): boolean {
  return retriedCodes.has(resultCode) && adviceFor(brand, adviceCode)?.rule.retry === 'otherRoute';
}
