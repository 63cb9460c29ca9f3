import { bankMethodOf } from '../bank-methods.js';
import type { InstrumentForm } from './instrument-form.js';

/** A bank account (Interface 2.7). */
export const bankAccount: InstrumentForm<'bankAccount'> = {
  structures: ['bankAccount'],
  column: 'bank',
  words: 'by bank account',
  hasBrand: (name) => bankMethodOf(name) !== undefined,
  shownOf: (form, brand) => ({
    kind: 'bankAccount',
    paymentMethod: bankMethodOf(form.get('paymentBrand') ?? '')?.paymentMethod ?? 'OT',
    ...(brand !== undefined && { brand }),
  }),
};
