import { numberTypes, walletNames } from '../wallets.js';
import { closed, described, formed, oneOf, type Schema, text } from '../schema.js';

const yes: Schema<true> = { type: 'boolean' };
const shown = { last4: formed('^[0-9]{4}$'), brand: text, expiryMonth: text, expiryYear: text };
const known = {
  brandDetected: described(yes, 'No brand of cards was sent; it was found from the number.'),
  wallet: oneOf(walletNames, 'The wallet that the card came out of (Interface 2.5).'),
  numberType: oneOf(numberTypes, 'Of a card out of a wallet.'),
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
  paid: closed({ kind, vaultReference: text, bin: formed('^[0-9]{6}$'), ...shown }, known),
  refused: closed({ kind, vaultReference: text, bin: refusedBin, ...shown }, known),
} as const;
