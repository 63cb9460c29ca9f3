import type { ParameterError } from '@sluice/parameters';
import { codes, describeResult } from '@sluice/result-codes';
import type { Refusal } from './answer.js';

/** There is no such transaction, or it is somebody else's (D-29). */
export const TRANSACTION_NOT_FOUND: Refusal = { code: codes.transactionNotFound };
/** A payment is asked for, and what has this id was stored, or done to what was stored. */
export const OF_A_REGISTRATION: Refusal = {
  code: codes.transactionNotFound,
  description: `${describeResult(codes.transactionNotFound)} - no payment has this id, which is of a registration: GET /v1/registrations/{id} reads one, and GET /v1/query/{id} what was done to it`,
};
/** There is no such registration, or it is somebody else's (wire contract 4). */
export const REGISTRATION_UNKNOWN: Refusal = { code: codes.registrationUnknown };
/** The same of one that is read, and of one that was deleted (wire contract 4). */
export const NO_REGISTRATION: Refusal = {
  code: codes.invalidParameter,
  description: `${describeResult(codes.invalidParameter)} - no registration has this id`,
};
/**
 * There is no such checkout, it is somebody else's, or it is over: clients look for these very words
 * (wire contract 3, D6).
 */
export const NO_PAYMENT_SESSION: Refusal = {
  code: codes.invalidParameter,
  description: `${describeResult(codes.invalidParameter)} - (opp) No payment session found for the requested id`,
};
/** A change of what is just being paid, or has been (page 0064). */
export const CHECKOUT_UNDER_WAY: Refusal = {
  code: codes.invalidParameter,
  description: `${describeResult(codes.invalidParameter)} - the shopper is completing this checkout, or has completed it`,
};
/** The shopper asks to delete what is stored, and its merchant has not allowed that (page 0065). */
export const NOT_BY_SHOPPERS: Refusal = {
  code: codes.notConfigured,
  description: `${describeResult(codes.notConfigured)} - shoppers of this channel delete no stored accounts: shoppersMayDelete is not set`,
};
/** Whoever tries stolen cards gets no further with one checkout (page 0064). */
export const CHECKOUT_EXHAUSTED: Refusal = {
  code: codes.tooManyRequests,
  description: `${describeResult(codes.tooManyRequests)} - too many attempts of this checkout have failed: it takes no further one`,
};
/** Nothing was started and asking again may help (D-34). */
export const BUSY: Refusal = { code: codes.busy };
/** Something that edge needs cannot be reached, and nothing was started (D-35). */
export const UNAVAILABLE: Refusal = { code: codes.unavailable };

/** Something in the request is invalid (D-37). */
export function invalidParameters(...parameterErrors: readonly ParameterError[]): Refusal {
  return { code: codes.invalidParameter, parameterErrors };
}
