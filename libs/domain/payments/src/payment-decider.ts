import type { Decider } from '@sluice/contracts';
import type { PaymentDecision } from './commands.js';
import { decide } from './decide.js';
import type { PaymentEvent } from './events.js';
import { evolve, evolveAll, initialState, type PaymentState } from './payment.js';

/** The rules of payments, as the write path takes them. */
export const paymentDecider: Decider<PaymentDecision, PaymentState, PaymentEvent> = {
  initialState,
  decide,
  evolve,
  evolveAll,
};
