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

/** What refers to a transaction. */
export const REFERENCES =
  'capture reversal refund rebill receipt chargeback chargebackReversal incrementalAuthorization reauthorization';

/** Interface 5: every request says who asks, and wire contract 1 in which mode; no shopper's browser. */
export const EVERYWHERE = `${NEW} ${REFERENCES} read checkout registration registrationUpdate schedule threeDSecure risk query report`;
