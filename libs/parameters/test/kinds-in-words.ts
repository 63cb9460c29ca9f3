import { newPaymentKinds } from '../src/kinds.js';

/*
 * Kinds of requests as the pages of this folder write them: names with spaces between. The new payments
 * are those of the instruments' table, so that a new instrument is not written down here again; which
 * parameters each of them has is not taken from the catalogue.
 */

/** New payments, by whatever instrument. */
export const NEW = newPaymentKinds.join(' ');

/** Those by anything but a card. */
export const WITHOUT_CARD = newPaymentKinds.filter((kind) => kind !== 'payment').join(' ');
