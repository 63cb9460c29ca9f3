import type { CheckoutId } from '@sluice/identifiers';
import { codes, httpStatusOf } from '@sluice/result-codes';
import { type Answer, type AnswerStamp, resultOf } from './answer.js';
import { stampFields } from './payment-answer.js';

/** The answer to `POST /v1/checkouts`; `ndc` is the checkout's id (wire contract 3). */
export function createdAnswer(id: CheckoutId, stamp: AnswerStamp): Answer {
  return answerOf({ id }, codes.checkoutCreated, { ...stamp, ndc: id });
}

/** The status of a checkout of which nothing is decided: it has no `id` (wire contract 3). */
export function pendingCheckoutAnswer(id: CheckoutId, stamp: AnswerStamp): Answer {
  return answerOf({}, codes.pending, { ...stamp, ndc: id });
}

function answerOf(fields: { readonly id?: CheckoutId }, code: string, stamp: AnswerStamp): Answer {
  const body = JSON.stringify({ ...fields, result: resultOf(code), ...stampFields(stamp) });
  return { status: httpStatusOf(code), resultCode: code, ndc: stamp.ndc, body };
}
