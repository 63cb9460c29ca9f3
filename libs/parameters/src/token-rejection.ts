import type { TokenRefusal } from '@sluice/contracts';
import { codes, describeResult } from '@sluice/result-codes';
import type { Rejection, RejectionCode } from './rejection.js';

/** The code, and the reason where the code's own text does not say it. */
const rejections: Readonly<Record<TokenRefusal, readonly [RejectionCode, reason?: string]>> = {
  unreadable: [codes.walletTokenRefused, 'it is not of the form that the wallet gives'],
  unsupported: [codes.walletTokenRefused, 'its version or its kind of contents is not served'],
  otherMerchant: [codes.walletTokenRefused, 'it is for another merchant'],
  wrongChain: [codes.walletTokenRefused, "who signed it is not the wallet's provider"],
  altered: [codes.walletTokenRefused, 'it was altered'],
  unknownKey: [codes.walletTokenRefused, 'it is for a key that this installation does not have'],
  expired: [codes.walletTokenRefused, 'its time is over'],
  early: [codes.walletTokenRefused, 'its time has not come'],
  noKeys: [codes.notConfigured, 'there are no keys of this wallet for the merchant'],
  otherAmount: [codes.amountsDiffer, 'the token of the wallet is for another amount'],
  otherCurrency: [codes.currenciesDiffer, 'the token of the wallet is for another currency'],
  otherCheckout: [codes.walletTokenRefused, 'it is of the page of another checkout'],
  usedBefore: [codes.duplicatePayment, 'the token of the wallet was used for another payment'],
  number: [codes.invalidCardNumber],
  brand: [codes.brandMismatch],
  cardExpired: [codes.cardExpired],
};

/** Why a payment with a token is refused, as it is recorded and answered. */
export function tokenRejection(refusal: TokenRefusal): Rejection {
  const [code, reason] = rejections[refusal];
  return reason === undefined
    ? { code }
    : { code, description: `${describeResult(code)} - ${reason}` };
}
