import { type Attempt, type Checkout, latestAttempt } from './checkout.js';
import { isGone } from './session.js';

/**
 * What `GET /v1/checkouts/{id}/payment` tells (wire contract D6): `pending` while nothing was sent or
 * decided, as often as it is asked; `decided` with the attempt that counts; `gone` once its success
 * was read or its time is over. A decline may be read again, because the shopper may try again.
 */
export type CheckoutStatus =
  { readonly kind: 'gone' | 'pending' } | { readonly kind: 'decided'; readonly attempt: Attempt };

/** The status at this time; to tell a success, `ServeStatus` has to be recorded first. */
export function statusOf(checkout: Checkout, nowMs: number): CheckoutStatus {
  if (isGone(checkout, nowMs)) return { kind: 'gone' };
  const attempt = latestAttempt(checkout);
  return attempt?.state === 'succeeded' || attempt?.state === 'failed'
    ? { kind: 'decided', attempt }
    : { kind: 'pending' };
}
