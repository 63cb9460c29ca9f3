import { closed, described, formed, oneOf, type Schema, text } from '../schema.js';

const yes: Schema<true> = { type: 'boolean' };
const shown = { last4: formed('^[0-9]{4}$'), brand: text, expiryMonth: text, expiryYear: text };
const detected = {
  brandDetected: described(yes, 'No brand was sent; it was found from the number.'),
};
const kind = oneOf(['card']);
/**
 * Well-formed numbers have at least 8 digits (Interface 2.4), cards that can be used at least 12.
 */
const refusedBin = formed(
  '^(?:[0-9]{6})?$',
  'Empty where a number has fewer than 12 digits, which no brand has.',
);

/** A card (Interface 2.4). */
export const card = {
  request: 'payment',
  isServed: true,
  paymentMethod: 'CC',
  paid: closed({ kind, vaultReference: text, bin: formed('^[0-9]{6}$'), ...shown }, detected),
  refused: closed({ kind, vaultReference: text, bin: refusedBin, ...shown }, detected),
} as const;
