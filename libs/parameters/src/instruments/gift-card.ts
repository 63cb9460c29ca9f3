import { codes } from '@sluice/result-codes';
import { object, text } from '../answer-properties.js';
import type { Form } from '../form.js';
import { isGiftCardBrand } from '../gift-card-brands.js';
import { maskedAccount } from '../masked-account.js';
import { namesOtherBrand } from '../shown-brand.js';
import type { InstrumentForm, Unheld } from './instrument-form.js';

/** Whoever sends one of them wants to pay with the gift card. */
export const GIFT_CARD_ACCOUNT = ['giftCard.number', 'giftCard.pin'] as const;

/** A gift card (Interface 2.18). */
export const giftCard: InstrumentForm<'giftCard'> = {
  structures: ['giftCard'],
  column: 'gift',
  words: 'by gift card',
  hasBrand: isGiftCardBrand,
  // The rest of it says whom a gift card is for, which may be what is bought; and another brand says
  // what is paid with.
  isAside: (form) => {
    const brand = form.get('paymentBrand');
    const isOfOther = brand !== undefined && !isGiftCardBrand(brand);
    return isOfOther || !GIFT_CARD_ACCOUNT.some((key) => form.has(key));
  },
  // Refused by name: it is meant to pay a part of the amount.
  contradicting: () => [],
  isServed: isOfGiftCards,
  shownOf: (form, brand) => ({
    kind: 'giftCard',
    ...(brand !== undefined && { brand }),
    maskedNumber: maskedAccount(form.get('giftCard.number') ?? ''),
  }),
  storedRejectionOf: ({ brand }, form) =>
    namesOtherBrand(form, brand) ? codes.brandMismatch : undefined,
  answer: {
    schema: object('What was sent of the gift card; its number is masked.', {
      number: text('Stars, and the last four characters of a number of eight or more.'),
      holder: text('As sent.', { minLength: 2, maxLength: 255 }),
      message: text('As sent.', { minLength: 2, maxLength: 160 }),
    }),
    fieldsOf: ({ maskedNumber: number }: Unheld<'giftCard'>, { personal }) => ({
      number,
      holder: personal['giftCard.holder'],
      message: personal['giftCard.message'],
    }),
  },
};

function isOfGiftCards(form: Form): boolean {
  return isGiftCardBrand(form.get('paymentBrand') ?? '');
}
