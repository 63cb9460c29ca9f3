import { codes } from '@sluice/result-codes';
import { ACCOUNT_AT_PROVIDER, goesByAgreement } from '../conditions.js';
import { namesOtherBrand } from '../shown-brand.js';
import { isInitiatedByMerchant } from '../standing-instruction.js';
import { isVirtualAccountBrand } from '../virtual-account-brands.js';
import type { InstrumentForm } from './instrument-form.js';

/**
 * An account at a provider (Interface 2.6). Of a brand that nobody here knows the provider alone knows
 * the shopper's account, so all of them are its brands.
 */
export const virtualAccount: InstrumentForm<'virtualAccount'> = {
  structures: ['virtualAccount'],
  column: 'virt',
  words: 'by virtual account',
  // With nothing but a brand that nobody here knows, the brand is all there is to name.
  wordsFor: (form) =>
    form.namesOf('virtualAccount').length > 0 || isKnown(form.get('paymentBrand'))
      ? 'by virtual account'
      : "by a brand that is no card's",
  isServed: (form) => isKnown(form.get('paymentBrand')),
  // Otherwise the shopper tells it to the provider alone, and there is nothing to store.
  storedBy: ACCOUNT_AT_PROVIDER,
  needsShopper: (form) => !goesByAgreement(form),
  storedNeedsShopper: (form) => !isInitiatedByMerchant(form),
  storedRejectionOf: ({ brand }, form) =>
    namesOtherBrand(form, brand) ? codes.brandMismatch : undefined,
  shownOf: (_form, brand) => ({ kind: 'virtualAccount', ...(brand !== undefined && { brand }) }),
};

function isKnown(brand: string | undefined): boolean {
  return brand !== undefined && isVirtualAccountBrand(brand);
}
