import type { InstrumentForm } from './instrument-form.js';

/** What was stored before (Interface 2.16): a payment that says nothing else, and has no card. */
export const registration: InstrumentForm<'registration'> = {
  structures: [],
  words: 'by registration',
  shownOf: (_form, brand) => ({ kind: 'registration', ...(brand !== undefined && { brand }) }),
};
