import type { NumberType, TokenRefusal, WalletName } from '@sluice/contracts';
import { brandNamed, detectedBrand, isOfBrand } from '../brands.js';
import { isExpired } from '../card-expiry.js';
import { passesLuhn } from '../luhn.js';
import type { Unheld } from './instrument-form.js';
import { binOf, lastDigitsOf } from './card.js';

/** A card that was in the token of a wallet. */
export interface CardInToken {
  readonly wallet: WalletName;
  readonly number: string;
  readonly numberType: NumberType;
  readonly expiryMonth: string;
  readonly expiryYear: string;
}

/** What may be shown of it, or why it cannot be paid with. */
export type CheckedCardInToken =
  | { readonly kind: 'card'; readonly card: Unheld<'card'> }
  | { readonly kind: 'refused'; readonly reason: TokenRefusal };

/**
 * Checks a card out of a token as one that was sent (D-37).
 * @param sentBrand the brand of cards that the merchant named
 */
export function cardInToken(
  { wallet, number, numberType, expiryMonth, expiryYear }: CardInToken,
  sentBrand: string | undefined,
  nowMs: number,
): CheckedCardInToken {
  if (!passesLuhn(number)) return { kind: 'refused', reason: 'number' };
  const brand = sentBrand === undefined ? detectedBrand(number) : brandNamed(sentBrand);
  if (brand === undefined || !isOfBrand(number, brand)) return { kind: 'refused', reason: 'brand' };
  if (isExpired(expiryYear, expiryMonth, nowMs)) return { kind: 'refused', reason: 'cardExpired' };
  return {
    kind: 'card',
    card: {
      kind: 'card',
      bin: binOf(number),
      last4: lastDigitsOf(number),
      brand: brand.name,
      ...(sentBrand === undefined && { brandDetected: true }),
      expiryMonth,
      expiryYear,
      wallet,
      numberType,
    },
  };
}
