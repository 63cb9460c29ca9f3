import type { Decider } from '@sluice/contracts';
import type { PaymentCommand } from './commands.js';
import { decide } from './decide.js';
import type { PaymentEvent } from './events.js';
import { evolve, evolveAll, initialState, type PaymentState } from './payment.js';

/** The rules of payments, in the form that the write path takes. */
export const paymentDecider: Decider<PaymentCommand, PaymentState, PaymentEvent> = {
  initialState,
  decide,
  evolve,
  evolveAll,
};
