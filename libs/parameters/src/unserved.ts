import type { Mode } from '@sluice/contracts';
import { describeResult, codes } from '@sluice/result-codes';
import { brandNamed } from './brands.js';
import { cardNumbersMasked } from './card-numbers-in-text.js';
import { demandedAuthentication } from './demanded-authentication.js';
import type { Form } from './form.js';
import type { NewPaymentKind } from './kinds.js';
import { paymentMethodOf } from './methods.js';
import { read } from './read.js';

/** `paymentBrand` as an answer may state it; somebody may have sent a card number there. */
export function shownBrandOf(form: Form): string | undefined {
  const brand = form.get('paymentBrand');
  return brand === undefined ? undefined : cardNumbersMasked(brand).toUpperCase();
}

/**
 * The description of the refusal of a new payment that asks for something this version does not do
 * (600.200.500, D-70): the code's own text, and which method, brand or feature it is. Undefined for
 * a payment that is served.
 */
export function unservedDescription(
  form: Form,
  kind: NewPaymentKind,
  mode: Mode,
): string | undefined {
  const unserved = unservedPart(form, kind, mode);
  return unserved && `${describeResult(codes.notConfigured)} - ${unserved}`;
}

/** Whoever sends them wants to pay with the gift card, and the whole amount would be the card's. */
const GIFT_CARD = ['giftCard.number', 'giftCard.pin'] as const;

function unservedPart(form: Form, kind: NewPaymentKind, mode: Mode): string | undefined {
  const brand = shownBrandOf(form);
  if (kind !== 'payment' || !form.has('card.number')) {
    const named = brand === undefined ? '' : ` (paymentBrand ${brand})`;
    return `payment ${paymentMethodOf(form, kind).words} is not served yet${named}`;
  }
  if (brand !== undefined && brandNamed(brand) === undefined) {
    return `the card brand ${brand} is not served`;
  }
  const giftCard = GIFT_CARD.find((key) => form.has(key));
  if (giftCard !== undefined) return `payment by gift card (${giftCard}) is not served yet`;
  if (read(form, 'createRegistration') === true) {
    return 'storing the card (createRegistration) is not served yet';
  }
  const demand = demandedAuthentication(form, mode);
  return demand && `3-D Secure inside a payment is not served yet, and ${demand} demands it`;
}
