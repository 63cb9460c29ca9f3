import type { Checkout } from './checkout.js';

/** How long a checkout can be completed and read (Interface 3 and 8). */
export const CHECKOUT_LIFE_MS = 30 * 60_000;

/** When the merchant's page of results is called if nobody has read a result (Interface 3). */
export const RESULT_CALL_AFTER_MS = 29 * 60_000;

/**
 * A shopper who has paid elsewhere may never come back. Before the merchant is told how it stands, and
 * once the checkout is over, the provider is asked; whoever looks once a minute does so once, or twice.
 */
export const PROVIDER_ASKED_WITHIN_MS = 90_000;

/** How soon webhooks is asked again while it does not answer, until the checkout is over. */
export const RESULT_CALL_AGAIN_MS = 5_000;

/** Whoever tries stolen cards gets no further with one checkout; no shopper has so many. */
export const UNSUCCESSFUL_ATTEMPTS_MAX = 10;

/** How often a shopper's form is saved: who goes back and forth does it a few times, nobody so often. */
export const SAVINGS_MAX = 30;

/**
 * How often a payment that was given up is tried to be reversed. The pauses double, so that its
 * acquirer may be away for nearly six hours; after that, a person has to give the money back.
 */
export const REVERSALS_MAX = 10;

/** Whether its 30 minutes are over. */
export function isExpired({ createdAtMs }: Checkout, nowMs: number): boolean {
  return nowMs >= createdAtMs + CHECKOUT_LIFE_MS;
}

/**
 * Whether it answers as one that never was: its time is over, its success has been read, or the merchant
 * has deleted it.
 */
export function isGone(checkout: Checkout, nowMs: number): boolean {
  return checkout.isServed || checkout.isDeleted || isExpired(checkout, nowMs);
}
