/**
 * The brands by which a payment is made with a gift card. The interface names none; this one is the word
 * that it has for a payment by gift card in a cart (Interface 2.15, `cart.payments[n].type`).
 */
export const giftCardBrands: readonly string[] = ['GIFTCARD'];

/** Whether a brand is one of them. */
export function isGiftCardBrand(name: string): boolean {
  return giftCardBrands.includes(name.toUpperCase());
}
