import { accountNumbersMasked } from './card-numbers-in-text.js';
import type { Form } from './form.js';

/** `paymentBrand` as an answer may state it; somebody may have sent a card number there. */
export function shownBrandOf(form: Form): string | undefined {
  const brand = form.get('paymentBrand');
  return brand === undefined ? undefined : accountNumbersMasked(brand).toUpperCase();
}

/** Whether a form names a brand, and another one than was stored. */
export function namesOtherBrand(form: Form, stored: string | undefined): boolean {
  const sent = form.get('paymentBrand');
  return sent !== undefined && sent.toUpperCase() !== stored;
}
