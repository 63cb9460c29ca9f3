import { type AnswerStamp, resultOf, stampFields } from '@sluice/answers';
import type { AttemptStanding } from '@sluice/contracts';
import type { CheckoutId, TransactionId } from '@sluice/identifiers';
import type { Rejection } from '@sluice/parameters';
import { codes, httpStatusOf } from '@sluice/result-codes';
import type { Answer } from './answer.js';

/**
 * The answer to `POST /v1/checkouts`; `ndc` is the checkout's id (wire contract 3).
 * @param integrity the hash of its script, where that was asked for
 */
export function createdAnswer(id: CheckoutId, stamp: AnswerStamp, integrity?: string): Answer {
  return answerOf({ id, integrity }, codes.checkoutCreated, { ...stamp, ndc: id });
}

/** The answer to `POST /v1/checkouts/{id}` (wire contract 3). */
export function updatedAnswer(id: CheckoutId, stamp: AnswerStamp): Answer {
  return answerOf({ id }, codes.checkoutUpdated, { ...stamp, ndc: id });
}

/** The answer to `DELETE /v1/checkouts/{id}` (wire contract 3); nothing is deleted while it is pending. */
export function deletionAnswer(
  id: CheckoutId,
  outcome: 'deleted' | 'pending',
  stamp: AnswerStamp,
): Answer {
  const code = outcome === 'deleted' ? codes.checkoutDeleted : codes.checkoutPending;
  return answerOf({ id }, code, { ...stamp, ndc: id });
}

/** What a shopper's browser is told, and no more: it is anybody's who knows the checkout's id. */
export interface ShopperOutcome {
  /** Of the payment or registration. */
  readonly id: TransactionId;
  readonly resultCode: string;
  /** In place of the code's own text. */
  readonly description?: string;
  /** Where it goes now: to somebody else's page, or back to the shop. */
  readonly redirect?: unknown;
}

/** The answer to a shopper's form: HTTP 400 where it has failed, as to `POST /v1/payments`. */
export function shopperAnswer(
  { id, resultCode, description, redirect }: ShopperOutcome,
  stamp: AnswerStamp,
): Answer {
  const result = resultOf(resultCode, description);
  const body = JSON.stringify({ id, result, redirect, ...stampFields(stamp) });
  const status = httpStatusOf(resultCode);
  return { status, resultCode, ndc: stamp.ndc, body, transactionId: id };
}

/** What the page of a shopper is told of what was saved: none of it is a digit of an account. */
export interface ShownSaving {
  readonly id: CheckoutId;
  /** The saving: another one has another id. */
  readonly saved: TransactionId;
  readonly paymentBrand: string | undefined;
  readonly registrationId: string | undefined;
  /** Of a card that was typed: the page has these fields itself. */
  readonly card: Readonly<Record<'holder' | 'expiryMonth' | 'expiryYear', string | undefined>>;
}

/** The answer to a form that was saved and not paid with (page 0068). */
export function savedAnswer({ card, ...saving }: ShownSaving, stamp: AnswerStamp): Answer {
  const resourcePath = `/v1/checkouts/${saving.id}/payment`;
  const isTyped = Object.values(card).some((value) => value !== undefined);
  const saved = { ...saving, resourcePath, ...(isTyped && { card }) };
  return answerOf({ id: saving.id, saved }, codes.checkoutUpdated, stamp);
}

/** The answer to one that could not be paid with, and is not saved: there is no payment. */
export function unsavedAnswer({ code, description }: Rejection, stamp: AnswerStamp): Answer {
  const body = JSON.stringify({ result: resultOf(code, description), ...stampFields(stamp) });
  return { status: httpStatusOf(code), resultCode: code, ndc: stamp.ndc, body };
}

/** The status where the last attempt never became a payment or registration. */
export function neverAskedForAnswer(
  { transactionId, resultCode }: AttemptStanding,
  stamp: AnswerStamp,
): Answer {
  return { ...shopperAnswer({ id: transactionId, resultCode }, stamp), status: 200 };
}

/** The status of a checkout of which nothing is decided: it has no `id` (wire contract 3). */
export function pendingCheckoutAnswer(id: CheckoutId, stamp: AnswerStamp): Answer {
  return answerOf({}, codes.pending, { ...stamp, ndc: id });
}

interface CheckoutFields {
  readonly id?: CheckoutId;
  readonly integrity?: string | undefined;
  readonly saved?: object;
}

function answerOf(fields: CheckoutFields, code: string, stamp: AnswerStamp): Answer {
  const body = JSON.stringify({ ...fields, result: resultOf(code), ...stampFields(stamp) });
  return { status: httpStatusOf(code), resultCode: code, ndc: stamp.ndc, body };
}
