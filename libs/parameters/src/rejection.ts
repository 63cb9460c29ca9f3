import { codes, describeResult } from '@sluice/result-codes';

/** A code with which a payment is recorded although nobody is asked (D-37). */
export type RejectionCode = (typeof codes)[
  | 'amountTooLow'
  | 'amountFormat'
  | 'notConfigured'
  | 'dueDateInvalid'
  | 'invalidRecurrenceMode'
  | 'recurringNotAllowed'
  | 'invalidCardNumber'
  | 'brandMismatch'
  | 'cardExpired'
  | 'walletMissing'
  | 'walletTokenRefused'
  | 'amountsDiffer'
  | 'currenciesDiffer'
  | 'authenticationDataInvalid'
  | 'duplicatePayment'
  | 'securityCodeMissing'
  | 'invalidSecurityCode'
  | 'modeDiffers'
  | 'registrationUnknown'
  | 'registrationUnconfirmed'
  | 'registrationUnusable'
  | 'registrationDetailsGone'];

/** Why a form without violations is refused: it gets an id and is recorded (D-37). */
export interface Rejection {
  readonly code: RejectionCode;
  /** What the answer says, where the code's own text does not say enough. */
  readonly description?: string;
}

/** The refusal of what this version does not do (D-70). @param part what that is, in words */
export function notServedRejection(part: string): Rejection {
  const code = codes.notConfigured;
  return { code, description: `${describeResult(code)} - ${part}` };
}
