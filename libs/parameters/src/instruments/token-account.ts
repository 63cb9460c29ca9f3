import type { InstrumentForm } from './instrument-form.js';

/** A token in place of a card number (Interface 2.8). */
export const tokenAccount: InstrumentForm<'tokenAccount'> = {
  structures: ['tokenAccount'],
  column: 'tok',
  words: 'by token account',
  shownOf: (form, brand) => ({
    kind: 'tokenAccount',
    paymentMethod: form.get('tokenAccount.type') === 'NETWORK' ? 'NT' : 'ET',
    ...(brand !== undefined && { brand }),
  }),
};
