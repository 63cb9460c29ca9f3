import type { InstrumentForm } from './instrument-form.js';

/**
 * An account at a provider (Interface 2.6). Of a brand that nobody here knows (PAYPAL and some hundred
 * others) the provider alone knows the shopper's account, so all of them are its brands.
 */
export const virtualAccount: InstrumentForm<'virtualAccount'> = {
  structures: ['virtualAccount'],
  column: 'virt',
  words: 'by virtual account',
  // With nothing but a brand that nobody here knows, the brand is all there is to name.
  wordsFor: (form) =>
    form.namesOf('virtualAccount').length > 0
      ? 'by virtual account'
      : "by a brand that is no card's",
  shownOf: (_form, brand) => ({ kind: 'virtualAccount', ...(brand !== undefined && { brand }) }),
};
