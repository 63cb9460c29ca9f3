import { noted } from '../format.js';
import { integer } from '../formats.js';
import { INSTALLMENTS } from '../installments.js';
import { newPaymentKinds } from '../kinds.js';
import { optional, type Parameters } from '../parameter.js';

/** Two digits, as acquirers have it. */
const INSTALLMENTS_MAX = 99;

/** Wire contract 2 and 10: what a shopper pays in parts to the issuer of the card. */
export const recurring = {
  [INSTALLMENTS]: {
    format: { ...noted('N2', integer(2, 0, INSTALLMENTS_MAX)), accepted: '3' },
    requirement: optional,
    kinds: [...newPaymentKinds, 'checkout', 'widgetPayment'],
    sensitivity: 'none',
    echo: true,
    kept: true,
    interface: 'wire contract 10',
    since: '0.1.0',
    example: '3',
    description:
      'In how many installments a DB or PA by card is paid; with 0 or 1 it is paid at once.',
  },
} as const satisfies Parameters;
